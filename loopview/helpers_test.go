package loopview

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
)

// running makes a loop that runs until the test ends.
func running(t testing.TB, opts ...eventloop.Option) *eventloop.Loop {
	t.Helper()
	l := eventloop.New(opts...)
	go func() { _ = l.Run(context.Background()) }()
	t.Cleanup(func() {
		_ = l.Close()
		<-l.Done()
	})
	return l
}

// viewed makes a view in a bubble of testing/synctest, whose test ends when the last viewer has gone.
func viewed(t *testing.T, loops ...*eventloop.Loop) *View {
	v := New(loops...)
	t.Cleanup(func() { time.Sleep(lease + 2*interval) })
	return v
}

func get(v *View, url string) *httptest.ResponseRecorder {
	r := httptest.NewRecorder()
	v.ServeHTTP(r, httptest.NewRequest(http.MethodGet, url, nil))
	return r
}

// asked returns the state that a page receives.
func asked(t *testing.T, v *View, since uint64) (s state) {
	t.Helper()
	r := get(v, fmt.Sprintf("/state?since=%d", since))
	if r.Code != http.StatusOK {
		t.Fatalf("%d: %s", r.Code, r.Body)
	}
	if err := json.Unmarshal(r.Body.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// spansOf counts the spans of a kind, and those that have a name.
func spansOf(s loopState, kind spanKind) (n, named int) {
	for _, p := range s.Spans {
		if p[0] == int64(kind) {
			n++
			if s.Names[p[5]] != "" {
				named++
			}
		}
	}
	return n, named
}

func locked(v *View, fn func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	fn()
}
