// Package plain is the publish/subscribe server with a mutex, channels and time.AfterFunc.
package plain

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

const (
	backlog = 16        // messages that wait for a subscriber; the oldest is dropped
	keep    = time.Hour // how long a topic without subscribers keeps its last message
)

// A Server hands messages to the subscribers of their topic. A new subscriber gets the last one.
// POST /topic publishes, GET /topic subscribes.
type Server struct {
	mu     sync.Mutex
	topics map[string]*topic
}

type topic struct {
	last        string
	subscribers map[chan string]bool
	forget      *time.Timer
}

func New() *Server { return &Server{topics: map[string]*topic{}} }

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.publish(r.URL.Path, string(body))
		return
	}
	messages := s.subscribe(r.URL.Path)
	defer s.unsubscribe(r.URL.Path, messages)
	w.Header().Set("Content-Type", "text/event-stream")
	for {
		http.NewResponseController(w).Flush()
		select {
		case text := <-messages:
			fmt.Fprintf(w, "data: %s\n\n", text)
		case <-r.Context().Done():
			return
		}
	}
}

func (s *Server) publish(name, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.topic(name)
	t.last = text
	for messages := range t.subscribers {
		for sent := false; !sent; {
			select {
			case messages <- text:
				sent = true
			default:
				select {
				case <-messages: // the oldest
				default:
				}
			}
		}
	}
	s.idle(name, t)
}

func (s *Server) subscribe(name string) chan string {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.topic(name)
	messages := make(chan string, backlog)
	if t.last != "" {
		messages <- t.last
	}
	t.subscribers[messages] = true
	return messages
}

func (s *Server) unsubscribe(name string, messages chan string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.topics[name]
	delete(t.subscribers, messages)
	s.idle(name, t)
}

// topic returns the topic, which is in use from now on.
func (s *Server) topic(name string) *topic {
	t := s.topics[name]
	if t == nil {
		t = &topic{subscribers: map[chan string]bool{}}
		s.topics[name] = t
	}
	if t.forget != nil {
		t.forget.Stop()
		t.forget = nil
	}
	return t
}

// idle arranges for a topic without subscribers to be forgotten.
func (s *Server) idle(name string, t *topic) {
	if len(t.subscribers) > 0 {
		return
	}
	var timer *time.Timer
	timer = time.AfterFunc(keep, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if t.forget == timer { // it may have been stopped too late
			delete(s.topics, name)
		}
	})
	t.forget = timer
}

// Topics returns how many topics are kept.
func (s *Server) Topics() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.topics)
}
