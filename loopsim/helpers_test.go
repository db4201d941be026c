package loopsim

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/internal/leakcheck"
	"github.com/eventloop-go/eventloop/loopnet"
	"github.com/eventloop-go/eventloop/promise"
)

func TestMain(m *testing.M) { leakcheck.Main(m) }

// one runs a world of a seed, recorded.
func one(t *testing.T, seed uint64, cfg Config, describe func(*World)) *World {
	t.Helper()
	cfg.complete(false)
	s := &search{cfg: &cfg, describe: describe}
	return s.world(seed, &selection{}, true)
}

// holds fails the test if the world has failed.
func holds(t *testing.T, w *World) {
	t.Helper()
	if w.failure != nil {
		t.Fatalf("seed %d: %s: %s\n%s", w.seed, w.failure.class, w.failure.text, w.story(100))
	}
}

// chatter is a world in which everything is used: connections of loops and of blocking calls, coroutines, timers, disks.
func chatter(w *World) {
	w.Host("server", func(h *Host) {
		lines := 0
		if data, err := h.Disk().ReadFile("lines"); err == nil {
			_, _ = fmt.Sscan(string(data), &lines)
		}
		_, err := h.Listen(80, func(c *loopnet.Conn) {
			c.OnLines(1000, func(line []byte) {
				lines++
				_ = h.Disk().WriteFile("lines", fmt.Append(nil, lines))
				_ = h.Disk().Sync("lines")
				c.Write(fmt.Appendf(nil, "%d %s\n", lines, line))
			})
		})
		if err != nil {
			w.Failf("%v", err)
		}
	})
	for i := range 2 {
		w.Host(fmt.Sprintf("client%d", i), func(h *Host) {
			promise.Async(context.Background(), h.Loop(), func(co *promise.Coroutine) (int, error) {
				for n := 0; ; n++ {
					c, err := promise.Await(co, h.Dial(context.Background(), "server:80"))
					if err == nil {
						closed, done := promise.WithResolvers[int](h.Loop())
						c.OnLines(1000, func(line []byte) { h.Logf("%s", line) })
						c.OnClose(func(error) { done.Resolve(0) })
						for range 3 + h.Rand.IntN(5) {
							c.Write(fmt.Appendf(nil, "%s %d\n", h.Name(), n))
							if _, err := promise.Await(co, promise.Sleep(co.Context(), h.Loop(), time.Duration(h.Rand.IntN(100))*time.Millisecond)); err != nil {
								return 0, nil
							}
						}
						c.End()
						if _, err := promise.Await(co, closed); err != nil {
							return 0, nil
						}
					}
					if _, err := promise.Await(co, promise.Promisify(co.Context(), h.Loop(), func(ctx context.Context) (int, error) {
						n, err := h.Network().DialContext(ctx, "tcp", "server:80")
						if err != nil {
							return 0, nil
						}
						defer n.Close()
						_, _ = n.Write([]byte("blocking\n"))
						_ = n.SetReadDeadline(h.Now().Add(time.Second))
						_, _ = n.Read(make([]byte, 100))
						h.Spend(10 * time.Millisecond)
						return 0, nil
					})); err != nil {
						return 0, nil
					}
				}
			})
		})
	}
}

func faulty() Config {
	return Config{Duration: 5 * time.Second, Faults: Faults{Kinds: AllFaults()}}
}

// firstDifference is for traces that should be the same.
func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("line %d:\n%s\n%s", i, x[i], y[i])
		}
	}
	return fmt.Sprintf("%d lines and %d", len(x), len(y))
}
