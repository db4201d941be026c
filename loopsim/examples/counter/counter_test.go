// Package counter is the first example of docs/simulation.md.
package counter

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/loopnet"
	"github.com/eventloop-go/eventloop/loopsim"
	"github.com/eventloop-go/eventloop/promise"
)

// serve counts lines, and answers each with the count.
func serve(h *loopsim.Host) {
	count := 0
	if data, err := h.Disk().ReadFile("count"); err == nil {
		_, _ = fmt.Sscan(string(data), &count)
	}
	_, err := h.Listen(80, func(c *loopnet.Conn) {
		c.OnLines(100, func([]byte) {
			// A crash may tear a write, so the new count gets a file of its own first.
			d := h.Disk()
			_ = d.WriteFile("new", fmt.Append(nil, count+1))
			_ = d.Sync("new")
			_ = d.Rename("new", "count")
			_ = d.SyncNames()
			count++
			c.Write(fmt.Appendf(nil, "%d\n", count))
		})
	})
	if err != nil {
		h.World().Failf("%v", err)
	}
}

func TestCountsOnlyGrow(t *testing.T) {
	cfg := loopsim.Config{Seeds: 500, Faults: loopsim.Faults{Kinds: []loopsim.FaultKind{loopsim.Crash, loopsim.Kill, loopsim.Partition}}}
	loopsim.Run(t, cfg, func(w *loopsim.World) {
		last := 0
		w.Host("server", serve)
		w.Host("client", func(*loopsim.Host) {})
		for i := range 10 {
			w.Step(time.Duration(5*i)*time.Second, "client", fmt.Sprint("count ", i), func(h *loopsim.Host) {
				promise.Then(h.Dial(context.Background(), "server:80"), func(c *loopnet.Conn) (int, error) {
					c.OnLines(100, func(line []byte) {
						n := 0
						_, _ = fmt.Sscan(string(line), &n)
						h.Logf("count is %d", n)
						if n <= last {
							w.Failf("the count is %d after %d", n, last)
						}
						last = n
						c.End()
					})
					c.Write([]byte("+\n"))
					return 0, nil
				}).Catch(func(err error) (int, error) { return 0, nil }) // no answer is allowed
			})
		}
	})
}
