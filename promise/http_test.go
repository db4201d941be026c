package promise_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/promise"
)

// The server is silent at the first call, fails at the second, and answers the third. The first attempt ends by its
// time-out, in real time, because the server is a real one.
func TestARetryWithATimeOutAroundAnHTTPCallTakesSixLines(t *testing.T) {
	loop := beside(t)
	var calls atomic.Int32
	cancelled := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch calls.Add(1) {
		case 1:
			<-r.Context().Done()
			close(cancelled)
		case 2:
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			_, _ = io.WriteString(w, "hello")
		}
	}))
	defer server.Close()
	url, ctx := server.URL, bg

	p := promise.Retry(ctx, loop, promise.RetryPolicy{Attempts: 4}, func(ctx context.Context) *promise.Promise[string] {
		return promise.WithTimeout(ctx, loop, 100*time.Millisecond, func(ctx context.Context) *promise.Promise[string] {
			return promise.Promisify(ctx, loop, func(ctx context.Context) (string, error) { return fetch(ctx, url) })
		})
	})
	body, err := p.Wait(ctx)

	if body != "hello" || err != nil {
		t.Errorf("got %q, %v after %d calls", body, err, calls.Load())
	}
	if calls.Load() > 1 {
		<-cancelled
	}
}

func TestTheHTTPClientTellsATimeout(t *testing.T) {
	loop := beside(t)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer server.Close()
	_, err := promise.WithTimeout(bg, loop, time.Millisecond, func(ctx context.Context) *promise.Promise[string] {
		return promise.Promisify(ctx, loop, func(ctx context.Context) (string, error) { return fetch(ctx, server.URL) })
	}).Wait(bg)
	if !errors.Is(err, context.DeadlineExceeded) || err != promise.ErrTimeout {
		t.Errorf("got %v", err)
	}
}
