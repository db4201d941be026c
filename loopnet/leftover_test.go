package loopnet

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

var rounds = flag.Int("rounds", 0, "how many rounds of 5,000 connections end at random; 0 is one of 200")

// Connections end in eight ways. Each reports its close once, and nothing is left.
func TestConnectionsThatEndInAnyWayLeaveNothingBehind(t *testing.T) {
	n, times := 5000, *rounds
	if times == 0 {
		n, times = 200, 2
	}
	onWires(t, func(t *testing.T, serve server) {
		loop, _ := panicking(t)
		random := rand.New(rand.NewPCG(1, 2)) // the loop's
		var clients sync.WaitGroup
		var connected atomic.Int64
		begun, ended := 0, 0 // the loop's
		address := serve(loop, func(c *Conn) {
			begun++
			told := false
			way := random.IntN(8)
			c.OnClose(func(error) {
				if told {
					t.Error("a close was reported twice")
				}
				told = true
				ended++
			})
			switch way {
			case 0: // it only writes, until the client hangs up
				var again eventloop.Timer
				again = loop.NewTimer(func() {
					if c.Write([]byte("hello")) {
						_ = again.Reset(5 * time.Millisecond)
					}
				})
				_ = again.Reset(0)
				return
			case 1:
				c.SetIdleTimeout(20 * time.Millisecond)
			case 2:
				c.SetWriteTimeout(20 * time.Millisecond)
				c.Write(make([]byte, 8<<20))
			}
			c.OnEnd(func() {
				if way == 3 {
					panic("end")
				}
				c.End()
			})
			c.OnLines(100, func(line []byte) {
				c.Write(line)
				switch way {
				case 4:
					c.Close()
				case 5:
					c.End()
				case 6:
					c.Fail(io.ErrUnexpectedEOF)
				case 7:
					panic("line")
				}
			})
		})
		client := func() {
			p, err := connect(address)
			if p.tcp == nil {
				if late := net.Error(nil); !errors.As(err, &late) || !late.Timeout() {
					t.Error(err)
				}
				return // the loop may accept it later
			}
			connected.Add(1)
			if err != nil { // the server has ended the connection before the end of the handshake
				return
			}
			defer p.Close()
			_, _ = io.WriteString(p, "line\n")
			switch rand.IntN(4) {
			case 0:
				_ = p.SetLinger(0)
			case 1:
				_ = p.CloseWrite()
				_, _ = io.ReadFull(p, make([]byte, 1))
			case 2:
				_, _ = io.ReadFull(p, make([]byte, 4))
			}
		}
		round := func() {
			limit := make(chan struct{}, 500)
			for range n {
				limit <- struct{}{}
				clients.Go(func() { client(); <-limit })
			}
			clients.Wait()
			b, e := 0, -1
			for limit := time.Now(); b != e || b < int(connected.Load()); {
				before := e
				if testkit.On(t, loop, func() { b, e = begun, ended }); e != before {
					limit = time.Now().Add(testkit.Patience)
				}
				if time.Now().After(limit) {
					t.Fatalf("%d clients were connected, %d connections accepted, and %d closes reported", connected.Load(), b, e)
				}
				time.Sleep(time.Millisecond)
			}
		}
		round()
		before := leftovers(leftover{})
		for range times {
			round()
		}
		after := leftovers(before)
		t.Logf("%d rounds of %d: %v before, %v after", times, n, before, after)
		if !after.within(before) {
			t.Errorf("%v were there before, and %v after", before, after)
		}
	})
}

// A leftover is what a process has.
type leftover struct{ descriptors, goroutines, memory int }

func (l leftover) String() string {
	return fmt.Sprintf("%d descriptors, %d goroutines, %d KB of memory", l.descriptors, l.goroutines, l.memory>>10)
}

// within reports whether l is no more than before. Memory varies.
func (l leftover) within(before leftover) bool {
	return l.descriptors <= before.descriptors && l.goroutines <= before.goroutines && l.memory <= 2*before.memory+1<<20
}

// leftovers is the least that the process has while the last connections end. It waits until that is within enough, or
// for some time if enough is zero.
func leftovers(enough leftover) leftover {
	least := leftover{1 << 30, 1 << 30, 1 << 30}
	wait := testkit.Patience
	if enough == (leftover{}) {
		wait = 200 * time.Millisecond // a longer one would only make the test stricter
	}
	for limit := time.Now().Add(wait); !least.within(enough) && time.Now().Before(limit); {
		fds, _ := filepath.Glob("/proc/self/fd/*")
		least.descriptors = min(least.descriptors, len(fds))
		least.goroutines = min(least.goroutines, runtime.NumGoroutine())
		least.memory = min(least.memory, int(testkit.HeapInUse()))
		time.Sleep(5 * time.Millisecond)
	}
	return least
}
