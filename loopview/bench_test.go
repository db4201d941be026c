package loopview

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
)

// The price of a view is the difference between these: without one, with one at which nobody looks, and with a page that
// asks over the network, as a browser does, twice a second. Each metric is of tasks that ran.

func BenchmarkViewSubmit(b *testing.B) {
	viewed3(b, func(b *testing.B, l *eventloop.Loop) {
		ran := 0
		task := func() { ran++ }
		drained := make(chan struct{})
		last := func() { ran++; drained <- struct{}{} }
		for i := range b.N {
			if i == b.N-1 || i%1024 == 1023 {
				_ = l.Submit(last)
				<-drained
				continue
			}
			_ = l.Submit(task)
		}
		if ran != b.N {
			b.Fatalf("%d tasks, want %d", ran, b.N)
		}
	})
}

func BenchmarkViewPingPong(b *testing.B) {
	viewed3(b, func(b *testing.B, l *eventloop.Loop) {
		ran := 0
		answer := make(chan struct{})
		task := func() { ran++; answer <- struct{}{} }
		for range b.N {
			_ = l.Submit(task)
			<-answer
		}
		if ran != b.N {
			b.Fatalf("%d tasks, want %d", ran, b.N)
		}
	})
}

// BenchmarkViewWork has tasks of some microseconds, submitted one by one.
func BenchmarkViewWork(b *testing.B) {
	viewed3(b, func(b *testing.B, l *eventloop.Loop) {
		sum := 0
		answer := make(chan struct{})
		task := func() {
			for i := range 10_000 {
				sum += i ^ sum
			}
			answer <- struct{}{}
		}
		for range b.N {
			_ = l.Submit(task)
			<-answer
		}
	})
}

func viewed3(b *testing.B, run func(*testing.B, *eventloop.Loop)) {
	loop := func(b *testing.B) *eventloop.Loop {
		l := running(b, eventloop.WithMetrics(), eventloop.WithName("measured"))
		_ = l.Do(context.Background(), func() {})
		return l
	}
	b.Run("Without", func(b *testing.B) {
		l := loop(b)
		b.ResetTimer()
		run(b, l)
	})
	b.Run("NobodyLooks", func(b *testing.B) {
		l := loop(b)
		New(l)
		b.ResetTimer()
		run(b, l)
	})
	b.Run("Looked", func(b *testing.B) {
		l := loop(b)
		v := New(l)
		server := httptest.NewServer(v)
		ctx, leave := context.WithCancel(context.Background())
		left := make(chan struct{})
		first := make(chan struct{})
		go func() { defer close(left); page(ctx, server.URL, first) }()
		<-first
		b.ResetTimer()
		run(b, l)
		b.StopTimer()
		leave()
		<-left
		server.Close()
	})
}

// page asks as the page's script does.
func page(ctx context.Context, url string, first chan struct{}) {
	tick := uint64(0)
	for ctx.Err() == nil {
		r, _ := http.NewRequestWithContext(ctx, http.MethodGet, url+"/state?since="+strconv.FormatUint(tick, 10), nil)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		if first != nil {
			close(first)
			first = nil
		} else {
			tick++
		}
		select {
		case <-time.After(interval):
		case <-ctx.Done():
		}
	}
}
