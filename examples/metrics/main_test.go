package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/inspect"
)

func TestTheProgramIsScraped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	urls, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- serve(ctx, "127.0.0.1:0", func(url string) { urls <- url }) }()
	url := <-urls
	get := func(url string) string {
		r, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		b, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if text := get(url); !strings.Contains(text, `eventloop_timers_armed{loop="orders"} 1`) {
		t.Error(text)
	}
	var m inspect.Metrics
	if err := json.Unmarshal([]byte(get(strings.Replace(url, "/metrics", "/debug/vars", 1))), &m); err != nil || m.Loops != 1 {
		t.Error(err, m)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	http.DefaultClient.CloseIdleConnections()
}
