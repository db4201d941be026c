// Package loop is the HTTP pipeline as a coroutine.
package loop

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// Words gets a list of addresses, and then the pages there, at most parallel at the same time. It returns how many words
// each has. A request takes at most limit, and is made up to three times.
func Words(ctx context.Context, client *http.Client, list string, parallel int, limit time.Duration) ([]int, error) {
	loop := eventloop.New(eventloop.WithAutoExit())
	getAgain := func(ctx context.Context, url string) *promise.Promise[string] {
		return promise.Retry(ctx, loop, promise.RetryPolicy{Delay: time.Second}, func(ctx context.Context) *promise.Promise[string] {
			return promise.WithTimeout(ctx, loop, limit, func(ctx context.Context) *promise.Promise[string] {
				return promise.Promisify(ctx, loop, func(ctx context.Context) (string, error) { return get(ctx, client, url) })
			})
		})
	}
	words := promise.Spawn(ctx, loop, func(c *promise.Coroutine) ([]int, error) {
		text, err := promise.Await(c, getAgain(ctx, list))
		if err != nil {
			return nil, err
		}
		return promise.Await(c, promise.Map(ctx, loop, parallel, strings.Fields(text), func(ctx context.Context, address string) *promise.Promise[int] {
			return promise.Then(getAgain(ctx, address), func(page string) (int, error) { return len(strings.Fields(page)), nil })
		}))
	})
	go loop.Run(context.Background()) // ends when nothing is left: the end of ctx ends the work
	return words.Wait(ctx)
}

func get(ctx context.Context, client *http.Client, url string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	res, err := client.Do(req)
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
