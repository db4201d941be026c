// Package loop is the publish/subscribe server on the loop.
package loop

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/eventloop-go/eventloop"
)

const (
	backlog = 16        // messages that wait for a subscriber; the oldest is dropped
	keep    = time.Hour // how long a topic without subscribers keeps its last message
)

// A Server hands messages to the subscribers of their topic. A new subscriber gets the last one.
// POST /topic publishes, GET /topic subscribes.
type Server struct {
	loop   *eventloop.Loop
	topics map[string]*topic // the loop's
}

type topic struct {
	last        string
	subscribers map[chan string]bool
	forget      eventloop.Timer
}

// New returns a server on a loop that is running.
func New(loop *eventloop.Loop) *Server { return &Server{loop, map[string]*topic{}} }

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = s.loop.Do(r.Context(), func() { s.publish(r.URL.Path, string(body)) })
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
		}
		return
	}
	messages := make(chan string, backlog)
	if err := s.loop.Do(r.Context(), func() { s.subscribe(r.URL.Path, messages) }); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	defer s.loop.Submit(func() { s.unsubscribe(r.URL.Path, messages) })
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
}

func (s *Server) subscribe(name string, messages chan string) {
	t := s.topic(name)
	if t.last != "" {
		messages <- t.last
	}
	t.subscribers[messages] = true
	t.forget.Stop()
}

func (s *Server) unsubscribe(name string, messages chan string) {
	t := s.topics[name]
	if delete(t.subscribers, messages); len(t.subscribers) == 0 {
		t.forget.Reset(keep)
	}
}

// topic returns the topic, which is forgotten after a while if nobody subscribes.
func (s *Server) topic(name string) *topic {
	t := s.topics[name]
	if t == nil {
		t = &topic{subscribers: map[chan string]bool{}}
		t.forget = s.loop.NewTimer(func() { delete(s.topics, name) })
		s.topics[name] = t
	}
	if len(t.subscribers) == 0 {
		t.forget.Reset(keep)
	}
	return t
}

// Topics returns how many topics are kept.
func (s *Server) Topics() (n int) {
	s.loop.Do(context.Background(), func() { n = len(s.topics) })
	return n
}
