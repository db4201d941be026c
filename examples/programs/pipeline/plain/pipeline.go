// Package plain is the HTTP pipeline with errgroup.
package plain

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// Words gets a list of addresses, and then the pages there, at most parallel at the same time. It returns how many words
// each has. A request takes at most limit, and is made up to three times.
func Words(ctx context.Context, client *http.Client, list string, parallel int, limit time.Duration) ([]int, error) {
	text, err := getAgain(ctx, client, list, limit)
	if err != nil {
		return nil, err
	}
	addresses := strings.Fields(text)
	words := make([]int, len(addresses))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	for i, address := range addresses {
		group.Go(func() error {
			page, err := getAgain(ctx, client, address, limit)
			words[i] = len(strings.Fields(page))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return words, nil
}

func getAgain(ctx context.Context, client *http.Client, url string, limit time.Duration) (string, error) {
	for attempt, delay := 1, time.Second; ; attempt, delay = attempt+1, 2*delay {
		limited, cancel := context.WithTimeout(ctx, limit)
		text, err := get(limited, client, url)
		cancel()
		if err == nil || attempt == 3 {
			return text, err
		}
		timer := time.NewTimer(delay)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return "", ctx.Err()
		}
	}
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
