package promise_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// fetch is the HTTP call of the examples: existing code of a program.
func fetch(ctx context.Context, url string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return "", errors.New(res.Status)
	}
	body, err := io.ReadAll(res.Body)
	return string(body), err
}

func ExampleRetry() {
	ctx := context.Background()
	loop := eventloop.New()
	go func() { check(loop.Run(ctx)) }()
	calls := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if calls++; calls < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "hello")
	}))
	defer server.Close()

	p := promise.Retry(ctx, loop, promise.RetryPolicy{Attempts: 4}, func(ctx context.Context) *promise.Promise[string] {
		return promise.WithTimeout(ctx, loop, time.Second, func(ctx context.Context) *promise.Promise[string] {
			return promise.Promisify(ctx, loop, func(ctx context.Context) (string, error) { return fetch(ctx, server.URL) })
		})
	})
	fmt.Println(p.Wait(ctx))

	check(loop.Shutdown(ctx))
	// Output: hello <nil>
}

func ExampleRetryPolicy() {
	policy := promise.RetryPolicy{
		Attempts:  5,
		Delay:     time.Millisecond,
		MaxDelay:  10 * time.Millisecond,
		Jitter:    0.5,
		Rand:      rand.New(rand.NewPCG(1, 2)).Float64, // the same delays at each run
		Retryable: func(err error) bool { return !errors.Is(err, io.EOF) },
	}
	run(func(loop *eventloop.Loop) {
		show("stream", promise.Retry(context.Background(), loop, policy, func(context.Context) *promise.Promise[int] {
			return promise.Reject[int](loop, io.EOF)
		}))
	})
	// Output: stream rejected: EOF
}

func ExampleWithTimeout() {
	run(func(loop *eventloop.Loop) {
		slow := promise.WithTimeout(context.Background(), loop, time.Millisecond, func(ctx context.Context) *promise.Promise[string] {
			return promise.Promisify(ctx, loop, func(ctx context.Context) (string, error) {
				<-ctx.Done() // the timeout ends the context
				return "", ctx.Err()
			})
		})
		slow.Catch(func(err error) (string, error) {
			fmt.Println(err, errors.Is(err, context.DeadlineExceeded))
			return "", nil
		})
	})
	// Output: promise: timeout true
}

func ExampleMap() {
	run(func(loop *eventloop.Loop) {
		names := []string{"gopher", "crab", "snake"}
		lengths := promise.Map(context.Background(), loop, 2, names, func(ctx context.Context, name string) *promise.Promise[int] {
			return promise.Promisify(ctx, loop, func(context.Context) (int, error) { return len(name), nil }) // two at a time
		})
		show("lengths", lengths)
	})
	// Output: lengths fulfilled: [6 4 5]
}

func ExampleThenElse() {
	run(func(loop *eventloop.Loop) {
		status := promise.ThenElse(promise.Reject[int](loop, io.EOF),
			func(n int) (string, error) { return fmt.Sprint(n, " bytes"), nil },
			func(err error) (string, error) { return "nothing: " + err.Error(), nil })
		show("status", status)
	})
	// Output: status fulfilled: nothing: EOF
}

func ExampleEndRun() {
	loop := eventloop.New(promise.WithUnhandledRejection(promise.EndRun))
	check(loop.Submit(func() { promise.Reject[int](loop, io.EOF) }))
	err := loop.Run(context.Background())
	fmt.Println(err, errors.Is(err, io.EOF))
	// Output: promise: unhandled rejection: EOF true
}
