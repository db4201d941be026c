package loopnet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// panicking is running, with a loop that keeps panics to itself.
func panicking(t testing.TB, opts ...eventloop.Option) (*eventloop.Loop, chan error) {
	loop := eventloop.New(append(opts, eventloop.WithPanicHandler(func(*eventloop.PanicError) {}))...)
	ran := make(chan error, 1)
	go func() { ran <- loop.Run(context.Background()) }()
	t.Cleanup(func() { _ = loop.Close(); <-loop.Done() })
	return loop, ran
}

func TestPiecesBehindOneWhoseCallbackPanicsAreDelivered(t *testing.T) {
	for what, sent := range map[string]string{
		"lines":  "a\nboom\nexit\nb\nc",
		"frames": "\x00\x00\x00\x01a\x00\x00\x00\x04boom\x00\x00\x00\x04exit\x00\x00\x00\x01b\x00\x00\x00\x01c",
	} {
		onWires(t, func(t *testing.T, serve server) {
			loop, _ := panicking(t)
			c := dial(t, serve(loop, func(c *Conn) {
				piece := func(p []byte) {
					switch string(p) {
					case "boom":
						panic("boom")
					case "exit":
						runtime.Goexit()
					}
					c.Write(p)
				}
				if what == "lines" {
					c.OnLines(10, piece)
				} else {
					c.OnFrames(10, piece)
				}
			}))
			writeText(t, c, sent)
			testkit.Must(t, c.CloseWrite())
			if got := readAll(t, c); got != "abc" {
				t.Errorf("%s: got %q", what, got)
			}
		})
	}
}

func TestWhatFollowsThePieceThatChangesTheFramingIsReadTheNewWay(t *testing.T) {
	onWires(t, func(t *testing.T, serve server) {
		c := dial(t, serve(running(t), func(c *Conn) {
			c.OnLines(10, func(line []byte) {
				c.OnFrames(10, func(frame []byte) { c.Write(append([]byte(string(line)), frame...)) })
			})
		}))
		writeText(t, c, "x\n\x00\x00\x00\x01a\x00\x00\x00\x02b\n")
		testkit.Must(t, c.CloseWrite())
		if got := readAll(t, c); got != "xaxb\n" {
			t.Errorf("got %q", got)
		}
	})
}

func TestAPieceThatComesByteByByteIsNotCopiedForEachByte(t *testing.T) {
	const size = 1 << 14
	for what, sent := range map[string][]byte{
		"lines":  []byte(strings.Repeat("x", size) + "\n"),
		"frames": append([]byte{0, 0, size >> 8, 0}, strings.Repeat("x", size)...),
	} {
		loop := eventloop.New()
		c := silently(t, loop)
		got := 0
		if what == "lines" {
			c.OnLines(size, func(p []byte) { got = len(p) })
		} else {
			c.OnFrames(size, func(p []byte) { got = len(p) })
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for i := range sent {
			c.received(sent[i : i+1])
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 64*size || got != size {
			t.Errorf("%s: %d bytes allocated for a piece of %d, of which %d came", what, n, size, got)
		}
		testkit.Must(t, loop.Close())
	}
}

// silent is a wire that takes a byte at a time.
type silent struct{}

func (silent) reading() error { return nil }
func (silent) write(o *output) error {
	o.sent(1)
	return nil
}
func (silent) busy() int         { return 0 }
func (silent) closeWrite() error { return nil }
func (silent) close()            {}

// silently returns a connection of such a wire.
func silently(t *testing.T, loop *eventloop.Loop) *Conn {
	g, err := groupOf(loop)
	testkit.Must(t, err)
	return &Conn{loop: loop, wire: silent{}, group: g, highWater: DefaultHighWater}
}

// failing is a wire that takes nothing, and counts how often it is closed.
type failing struct {
	silent
	closes *int
}

func (failing) write(*output) error { return io.ErrClosedPipe }
func (w failing) close()            { *w.closes++ }

func TestAConnectionWhoseLastWriteFailsIsClosedOnce(t *testing.T) {
	for name, end := range map[string]func(*Conn){
		"Close": (*Conn).Close,
		"Fail":  func(c *Conn) { c.Fail(io.EOF) },
		"Flush": (*Conn).Flush,
	} {
		loop := running(t)
		closes, reasons := 0, make(chan error, 2)
		testkit.On(t, loop, func() {
			c := silently(t, loop)
			c.wire = failing{closes: &closes}
			c.group.add(c)
			c.OnClose(func(err error) { reasons <- err })
			c.Write([]byte("abc"))
			end(c)
			if c.Close(); closes != 1 {
				t.Errorf("%s closes it %d times", name, closes)
			}
		})
		var unsent *UnsentError
		if err := testkit.Await(t, "OnClose", reasons); !errors.As(err, &unsent) || unsent.Bytes != 3 {
			t.Errorf("%s: closed with %v", name, err)
		}
	}
}

func TestAConnectionThatNeverCatchesUpKeepsOnlyWhatWaits(t *testing.T) {
	loop := eventloop.New()
	c := silently(t, loop)
	c.Write(make([]byte, 101))
	c.Flush()
	for i := range 100_000 {
		c.Write([]byte{byte(i)})
		c.writable()
	}
	kept := 0
	for _, x := range c.out.pieces {
		kept += cap(x.p)
	}
	if c.Buffered() != 100 || kept > 4096 || cap(c.out.pieces) > 64 {
		t.Errorf("%d bytes wait, in %d of memory and %d pieces", c.Buffered(), kept, cap(c.out.pieces))
	}
	testkit.Must(t, loop.Close())
}

func TestAConnectionWhoseHandlerPanicsIsClosed(t *testing.T) {
	onWires(t, func(t *testing.T, serve server) {
		loop, _ := panicking(t)
		if got := readEnd(t, serve(loop, func(*Conn) { panic("handler") })); got != "" {
			t.Errorf("got %q", got)
		}
	})
}

func TestAPanicAtTheEndOfTheStreamDoesNotKeepTheConnectionOpen(t *testing.T) {
	onWires(t, func(t *testing.T, serve server) {
		loop, _ := panicking(t)
		closed := make(chan error, 1)
		c := dial(t, serve(loop, func(c *Conn) {
			c.OnData(func([]byte) {})
			c.OnClose(func(err error) { closed <- err })
			c.OnEnd(func() { panic("end") })
		}))
		testkit.Must(t, c.CloseWrite())
		if got := readAll(t, c); got != "" {
			t.Errorf("got %q", got)
		}
		testkit.Must(t, testkit.Await(t, "close", closed))
	})
}

func TestAPanicInOnDataDoesNotStopReading(t *testing.T) {
	onWires(t, func(t *testing.T, serve server) {
		loop, _ := panicking(t)
		c := dial(t, serve(loop, func(c *Conn) {
			c.OnData(func(p []byte) { c.Write(p); panic("data") })
		}))
		for range 3 {
			writeText(t, c, "x")
			_, err := io.ReadFull(c, make([]byte, 1))
			testkit.Must(t, err)
		}
	})
}

func TestDataStaysGoodAfterResume(t *testing.T) {
	onWires(t, func(t *testing.T, serve server) {
		loop := running(t)
		wrong := make(chan int, 1)
		c := dial(t, serve(loop, func(c *Conn) {
			bad := 0
			c.OnData(func(p []byte) {
				first := string(p)
				c.Pause()
				c.Resume()
				for range 50 {
					runtime.Gosched()
					if string(p) != first {
						bad++
					}
				}
			})
			c.OnEnd(func() { wrong <- bad; c.End() })
		}))
		for i := range 100 {
			writeText(t, c, strings.Repeat(string(rune('a'+i%26)), 1000))
		}
		testkit.Must(t, c.CloseWrite())
		if n := testkit.Await(t, "end", wrong); n != 0 {
			t.Errorf("the data has changed %d times", n)
		}
	})
}

func TestADeadlineDoesNotOutliveItsConnection(t *testing.T) {
	loop := eventloop.New(eventloop.WithAutoExit())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.Must(t, err)
	defer l.Close()
	client := dial(t, l.Addr().String())
	testkit.Must(t, loop.Submit(func() {
		c, err := New(loop, client.tcp)
		testkit.Must(t, err)
		_, err = c.SetDeadline(time.Hour)
		testkit.Must(t, err)
		c.Close()
		_, err = c.SetDeadline(time.Hour)
		testkit.Must(t, err)
	}))
	ran := make(chan error, 1)
	go func() { ran <- loop.Run(context.Background()) }()
	testkit.Must(t, testkit.Await(t, "Run", ran))
}

func TestAConnectionThatIsClosedElsewhereLeavesNothingBehind(t *testing.T) {
	loop := eventloop.New(eventloop.WithAutoExit())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.Must(t, err)
	defer l.Close()
	client := dial(t, l.Addr().String())
	testkit.Must(t, client.Close())
	testkit.Must(t, loop.Submit(func() {
		if _, err := New(loop, client.tcp); !errors.Is(err, net.ErrClosed) {
			t.Errorf("New: %v", err)
		}
	}))
	ran := make(chan error, 1)
	go func() { ran <- loop.Run(context.Background()) }()
	testkit.Must(t, testkit.Await(t, "Run", ran))
}

func TestListenersMayBeMadeWhileTheLoopEnds(t *testing.T) {
	for range 50 {
		loop := eventloop.New()
		go func() { _ = loop.Run(context.Background()) }()
		go func() { _ = loop.Close() }()
		l, err := Listen(loop, "tcp", "127.0.0.1:0", func(*Conn) {})
		<-loop.Done()
		if err == nil {
			_ = l.Close()
		}
	}
}

// Random programs: clients send lines in pieces of any size, and servers answer, pause, panic, end and close amid. In
// every program lines come in order, no finished connection stays, and each side reports its close once.
func TestRandomProgramsOfConnections(t *testing.T) {
	for seed := range uint64(10) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			onWires(t, func(t *testing.T, serve server) { randomProgram(t, serve, seed) })
		})
	}
}

func randomProgram(t *testing.T, serve server, seed uint64) {
	const clients, lines = 12, 60
	loop, _ := panicking(t)
	random := rand.New(rand.NewPCG(seed, 1)) // the loop's
	closed := make(chan struct{}, 10*clients)
	address := serve(loop, func(c *Conn) {
		next, told := 0, false
		c.OnClose(func(error) {
			if told {
				t.Error("told twice of the close")
			}
			told = true
			closed <- struct{}{}
		})
		c.OnDrain(c.Resume)
		if random.IntN(3) == 0 {
			c.SetHighWater(100)
		}
		c.OnLines(1000, func(line []byte) {
			if want := fmt.Sprint(next, " "); !strings.HasPrefix(string(line), want) {
				t.Errorf("line %.20q instead of %s", line, want)
			}
			next++
			if !c.Write(append(line, '\n')) {
				c.Pause()
			}
			switch random.IntN(60) {
			case 0:
				panic("line")
			case 1:
				runtime.Goexit()
			case 2:
				c.Pause()
				_ = loop.ScheduleImmediate(c.Resume)
			case 3:
				c.End()
			case 4:
				c.Close()
			case 5:
				_, _ = c.SetDeadline(time.Hour)
				c.SetIdleTimeout(time.Hour)
			}
		})
	})
	var wait sync.WaitGroup
	for k := range clients {
		c := dial(t, address)
		random := rand.New(rand.NewPCG(seed, uint64(k)+2))
		wait.Go(func() {
			var sent strings.Builder
			for i := range lines {
				fmt.Fprintf(&sent, "%d %s\n", i, strings.Repeat("x", random.IntN(900)))
			}
			for rest := sent.String(); rest != ""; {
				n := min(1+random.IntN(3000), len(rest))
				if _, err := io.WriteString(c, rest[:n]); err != nil {
					break // the server has closed
				}
				rest = rest[n:]
				if random.IntN(200) == 0 {
					_ = c.SetLinger(0)
					_ = c.Close()
					return
				}
			}
			_ = c.CloseWrite()
			var timeout net.Error
			got, err := io.ReadAll(c)
			if errors.As(err, &timeout) && timeout.Timeout() {
				t.Error("the connection stays open")
			}
			if !strings.HasPrefix(sent.String(), string(got)) {
				t.Error("what came back is not what was sent")
			}
		})
	}
	wait.Wait()
	for range clients {
		testkit.Await(t, "close", closed)
	}
	testkit.On(t, loop, func() {
		g, err := groupOf(loop)
		testkit.Must(t, err)
		if g.first != nil || g.n != 0 {
			t.Error("connections are left")
		}
	})
}
