package cookbook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// get is what a program has already: a function that blocks.
func get(ctx context.Context, url string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return "", errors.New(res.Status)
	}
	body, err := io.ReadAll(res.Body)
	return string(body), err
}

func Example_retry() {
	var calls atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if calls.Add(1) < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		fmt.Fprint(w, "hello")
	}))
	defer server.Close()
	ctx := context.Background()
	loop := eventloop.New()
	go func() { check(loop.Run(ctx)) }()

	policy := promise.RetryPolicy{Attempts: 5, Delay: time.Millisecond, Jitter: 0.5}
	page := promise.Retry(ctx, loop, policy, func(ctx context.Context) *promise.Promise[string] {
		return promise.WithTimeout(ctx, loop, 10*time.Second, func(ctx context.Context) *promise.Promise[string] {
			return promise.Promisify(ctx, loop, func(ctx context.Context) (string, error) { return get(ctx, server.URL) })
		})
	})
	text, err := page.Wait(ctx)
	fmt.Println(text, err, "after", calls.Load(), "calls")
	check(loop.Shutdown(ctx))
	// Output: hello <nil> after 3 calls
}
