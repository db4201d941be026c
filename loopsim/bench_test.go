package loopsim

import (
	"context"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/loopnet"
	"github.com/eventloop-go/eventloop/promise"
)

// BenchmarkEvents runs the world of the tests of determinism, with all faults. Its figure is events per second on one processor.
func BenchmarkEvents(b *testing.B) {
	cfg := faulty()
	cfg.complete(false)
	s := &search{cfg: &cfg, describe: chatter}
	events := 0
	for seed := range b.N {
		w := s.world(uint64(seed), &selection{}, false)
		if w.failure != nil {
			b.Fatal(w.failure.text)
		}
		events += w.events
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkQuietHour is an hour of three hosts, two of which ask the third every second whether it is there.
func BenchmarkQuietHour(b *testing.B) {
	cfg := Config{Duration: time.Hour}
	cfg.complete(false)
	s := &search{cfg: &cfg, describe: quiet}
	events := 0
	for range b.N {
		w := s.world(1, &selection{}, false) // one seed: the figure must not depend on b.N
		if w.failure != nil {
			b.Fatal(w.failure.text)
		}
		events = w.events
	}
	b.ReportMetric(float64(events), "events")
}

func quiet(w *World) {
	w.Host("server", func(h *Host) {
		_, _ = h.Listen(80, func(c *loopnet.Conn) { c.OnData(func(p []byte) { c.Write(p) }) })
	})
	for _, name := range []string{"a", "b"} {
		w.Host(name, func(h *Host) {
			promise.Then(h.Dial(context.Background(), "server:80"), func(c *loopnet.Conn) (int, error) {
				c.OnData(func([]byte) {})
				_, err := h.Loop().ScheduleRepeating(time.Second, func() { c.Write([]byte("there?")) })
				return 0, err
			})
		})
	}
}
