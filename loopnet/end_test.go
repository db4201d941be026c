package loopnet

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
)

// waiting is how many bytes wait when the end begins.
const waiting = 20 << 20

// An ending is a listener, or its loop, with one connection that has much to send.
type ending struct {
	loop     *eventloop.Loop
	listener *Listener
	ran      chan error
	closed   chan error
}

// sending has a client connect, to which waiting bytes are on the way.
func sending(t *testing.T, serve func(loop *eventloop.Loop, n net.Listener, handle func(*Conn)) (*Listener, string), opts ...eventloop.Option) (e ending, client peer) {
	e = ending{loop: eventloop.New(opts...), ran: make(chan error, 1), closed: make(chan error, 10)}
	n, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	accepted := make(chan struct{})
	var address string
	e.listener, address = serve(e.loop, n, func(c *Conn) {
		c.OnData(func(p []byte) {})
		c.OnClose(func(err error) { e.closed <- err })
		c.Write(bytes.Repeat([]byte{'x'}, waiting))
		close(accepted)
	})
	go func() { e.ran <- e.loop.Run(context.Background()) }()
	t.Cleanup(func() { _ = e.loop.Close(); <-e.loop.Done() })
	client = dial(t, address)
	await(t, "connection", accepted)
	return e, client
}

func onListeners(t *testing.T, test func(t *testing.T, serve func(loop *eventloop.Loop, n net.Listener, handle func(*Conn)) (*Listener, string))) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			test(t, func(loop *eventloop.Loop, n net.Listener, handle func(*Conn)) (*Listener, string) {
				l, err := k.serve(loop, n, handle)
				must(t, err)
				return l, k.prefix + l.Addr().String()
			})
		})
	}
}

func TestAShutdownSendsWhatWasAccepted(t *testing.T) {
	onListeners(t, func(t *testing.T, serve func(*eventloop.Loop, net.Listener, func(*Conn)) (*Listener, string)) {
		for name, end := range map[string]func(ending) error{
			"of the listener": func(e ending) error { return e.listener.Shutdown(context.Background()) },
			"of the loop":     func(e ending) error { return e.loop.Shutdown(context.Background()) },
		} {
			t.Run(name, func(t *testing.T) {
				e, client := sending(t, serve)
				ended := make(chan error, 1)
				go func() { ended <- end(e) }()
				n, err := io.Copy(io.Discard, client)
				if n != waiting || err != nil {
					t.Errorf("%d bytes came of %d: %v", n, waiting, err)
				}
				must(t, client.Close())
				must(t, await(t, "Shutdown", ended))
				if err := await(t, "OnClose", e.closed); err != ErrShutdown {
					t.Errorf("closed with %v", err)
				}
				if _, err := net.Dial("tcp", e.listener.Addr().String()); err == nil {
					t.Error("a connection after the shutdown")
				}
			})
		}
	})
}

func TestWhatIsNotSentWithinTheLimitIsReported(t *testing.T) {
	gone := errors.New("gone")
	onListeners(t, func(t *testing.T, serve func(*eventloop.Loop, net.Listener, func(*Conn)) (*Listener, string)) {
		for name, c := range map[string]struct {
			end  func(ending) error
			opts []eventloop.Option
			want error
		}{
			"listener": {end: func(e ending) error {
				ctx, cancel := context.WithTimeoutCause(context.Background(), 10*time.Millisecond, gone)
				defer cancel()
				if err := e.listener.Shutdown(ctx); !errors.Is(err, gone) {
					return fmt.Errorf("Shutdown: %w", err)
				}
				return nil
			}, want: gone},
			"loop with a limit": {func(e ending) error {
				_ = e.loop.Shutdown(context.Background())
				return nil
			}, []eventloop.Option{eventloop.WithDrainTimeout(10 * time.Millisecond)}, ErrLoopEnded},
			"loop closed": {end: func(e ending) error { return e.loop.Close() }, want: ErrLoopEnded},
			"in real time, loop with a client that takes nothing": {end: func(e ending) error { return e.loop.Shutdown(context.Background()) }, want: ErrShutdown},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				e, client := sending(t, serve, c.opts...)
				must(t, c.end(e))
				reason := await(t, "OnClose", e.closed)
				var unsent *UnsentError
				if !errors.As(reason, &unsent) || !errors.Is(reason, c.want) {
					t.Fatalf("closed with %v instead of %v", reason, c.want)
				}
				got, err := io.Copy(io.Discard, client)
				if want := waiting - got; int64(unsent.Bytes) != want && (err == nil || int64(unsent.Bytes) > want) && !counts(e, unsent.Bytes, want) {
					t.Errorf("%d bytes are unsent, and %d came of %d: %v", unsent.Bytes, got, waiting, err)
				}
			})
		}
	})
}

func TestAConnectionThatIsReadWhenTheLoopIsClosedSaysThatTheLoopHasEnded(t *testing.T) {
	onListeners(t, func(t *testing.T, serve func(*eventloop.Loop, net.Listener, func(*Conn)) (*Listener, string)) {
		loop, closed, once := eventloop.New(), make(chan error, 1), sync.Once{}
		n, err := net.Listen("tcp", "127.0.0.1:0")
		must(t, err)
		_, address := serve(loop, n, func(c *Conn) {
			c.OnData(func(p []byte) {
				if len(p) < 32<<10 { // less than was asked for: TLS has nothing more to give
					return
				}
				once.Do(func() { go loop.Close() }) // waits for the end
				for loop.SubmitInternal(func() {}) == nil {
					runtime.Gosched()
				}
			})
			c.OnClose(func(err error) { closed <- err })
		})
		ran := make(chan error, 1)
		go func() { ran <- loop.Run(context.Background()) }()
		client := dial(t, address)
		go func() { _, _ = client.Write(make([]byte, waiting)) }() // as much as is taken
		if err := await(t, "OnClose", closed); err != ErrLoopEnded {
			t.Errorf("closed with %v", err)
		}
		if err := await(t, "Run", ran); !errors.Is(err, eventloop.ErrLoopClosed) {
			t.Errorf("Run: %v", err)
		}
	})
}

// counts reports whether unsent may exceed the missing bytes: a goroutine was writing, or a record of TLS was sent in
// part.
func counts(e ending, unsent int, missing int64) bool {
	slack := 0
	switch e.listener.net.(type) {
	case wrapping:
		slack = netWrite
	case *net.TCPListener:
	default:
		slack = 16 << 10
	}
	return int64(unsent) >= missing && int64(unsent) <= missing+int64(slack)
}

func TestAProgramThatIsToldOfAShutdownEndsItsConnectionsItself(t *testing.T) {
	onWires(t, func(t *testing.T, serve server) {
		loop := eventloop.New()
		ran := make(chan error, 1)
		go func() { ran <- loop.Run(context.Background()) }()
		accepted, closed := make(chan *Conn, 1), make(chan error, 1)
		told := make(chan struct{})
		c := dial(t, serve(loop, func(c *Conn) {
			c.OnData(func([]byte) {})
			c.OnShutdown(func() { c.Write([]byte("bye")); close(told) })
			c.OnClose(func(err error) { closed <- err })
			accepted <- c
		}))
		conn := await(t, "connection", accepted)
		ended := make(chan error, 1)
		go func() { ended <- loop.Shutdown(context.Background()) }()
		await(t, "OnShutdown", told)
		must(t, loop.SubmitInternal(func() { conn.Write([]byte(" then")); conn.End() }))
		if got := readAll(t, c); got != "bye then" {
			t.Errorf("got %q", got)
		}
		must(t, c.Close())
		must(t, await(t, "Shutdown", ended))
		must(t, await(t, "Run", ran))
		if err := await(t, "close", closed); err != ErrShutdown {
			t.Errorf("closed with %v", err)
		}
	})
}

func TestAShutdownInsideACallbackIsBegunAndRefused(t *testing.T) {
	loop := running(t)
	l, err := Listen(loop, "tcp", "127.0.0.1:0", echo)
	must(t, err)
	on(t, loop, func() {
		if err := l.Shutdown(context.Background()); err != eventloop.ErrOnLoop {
			t.Errorf("Shutdown: %v", err)
		}
	})
	must(t, l.Shutdown(context.Background()))
	if _, err := net.Dial("tcp", l.Addr().String()); err == nil {
		t.Error("it accepts connections")
	}
}

func TestEveryCloseIsReportedAlsoByALoopThatIsClosed(t *testing.T) {
	for range 20 {
		onWires(t, func(t *testing.T, serve server) {
			loop, ran := panicking(t)
			const n = 10
			told, accepted := 0, make(chan struct{}, n)
			address := serve(loop, func(c *Conn) {
				echo(c)
				which := len(accepted)
				c.OnClose(func(err error) {
					told++
					switch which % 3 {
					case 0:
						panic("close")
					case 1:
						runtime.Goexit()
					}
				})
				accepted <- struct{}{}
			})
			for i := range n {
				dial(t, address)
				for len(accepted) <= i {
					runtime.Gosched()
				}
			}
			must(t, loop.Submit(func() {
				g, err := groupOf(loop)
				must(t, err)
				g.first.Close() // its report waits for the close phase
				must(t, loop.Close())
			}))
			<-loop.Done()
			if told != n {
				t.Errorf("%d of %d closes were reported", told, n)
			}
			select {
			case <-ran:
			default:
			}
		})
	}
}

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
		var most sync.WaitGroup
		reports := make(chan int, 2*n)
		address := serve(loop, func(c *Conn) {
			told := 0
			way := random.IntN(8)
			c.OnClose(func(error) { told++; reports <- told })
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
		round := func() {
			limit := make(chan struct{}, 500)
			for range n {
				limit <- struct{}{}
				most.Go(func() {
					defer func() { <-limit }()
					p, err := connect(address)
					switch {
					case p.tcp == nil:
						t.Error(err)
						reports <- 1
						return
					case err != nil: // the server has ended the connection before the end of the handshake
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
				})
			}
			most.Wait()
			for range n {
				if k := await(t, "OnClose", reports); k != 1 {
					t.Errorf("a close was reported %d times", k)
				}
			}
		}
		round()
		before := leftovers(t)
		for range times {
			round()
		}
		after := leftovers(t)
		t.Logf("%d rounds of %d: %v before, %v after", times, n, before, after)
		if after.descriptors > before.descriptors || after.goroutines > before.goroutines || after.memory > 2*before.memory+1<<20 {
			t.Errorf("%v were there before, and %v after", before, after)
		}
		if len(reports) > 0 {
			t.Error("closes were reported twice")
		}
	})
}

// A leftover is what a process has.
type leftover struct{ descriptors, goroutines, memory int }

func (l leftover) String() string {
	return fmt.Sprintf("%d descriptors, %d goroutines, %d KB of memory", l.descriptors, l.goroutines, l.memory>>10)
}

// leftovers waits some time for the present connections to end.
func leftovers(t *testing.T) leftover {
	least := leftover{1 << 30, 1 << 30, 1 << 30}
	for range 20 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		fds, _ := filepath.Glob("/proc/self/fd/*")
		least.descriptors = min(least.descriptors, len(fds))
		least.goroutines = min(least.goroutines, runtime.NumGoroutine())
		least.memory = min(least.memory, int(m.HeapAlloc))
		time.Sleep(5 * time.Millisecond) // a bound, and no figure, depends on it
	}
	return least
}

func TestAConnectionThatOnlyWritesIsClosedWhenTheOtherSideHangsUp(t *testing.T) {
	onWires(t, func(t *testing.T, serve server) {
		for name, hangUp := range map[string]func(peer) error{
			"close": peer.Close,
			"reset": peer.reset,
			"end":   peer.CloseWrite,
		} {
			t.Run(name, func(t *testing.T) {
				loop := eventloop.New(eventloop.WithAutoExit())
				closed := make(chan error, 1)
				address := serve(loop, func(c *Conn) {
					c.OnClose(func(err error) { closed <- err })
					c.Write([]byte("x"))
				})
				ran := make(chan error, 1)
				go func() { ran <- loop.Run(context.Background()) }()
				c := dial(t, address)
				_, err := io.ReadFull(c, make([]byte, 1))
				must(t, err)
				must(t, hangUp(c))
				if err := await(t, "close", closed); (err != nil) != (name == "reset") {
					t.Errorf("closed with %v", err)
				}
				must(t, loop.Shutdown(context.Background()))
				must(t, await(t, "Run", ran))
			})
		}
	})
}

func TestUnixSocketsWorkAndMessagesAreRefused(t *testing.T) {
	loop := running(t)
	path := filepath.Join(t.TempDir(), "s")
	l, err := Listen(loop, "unix", path, echo)
	must(t, err)
	c, err := net.Dial("unix", path)
	must(t, err)
	_ = c.SetDeadline(time.Now().Add(patience))
	writeText(t, c, "over a file")
	must(t, c.(*net.UnixConn).CloseWrite())
	if got := readAll(t, c); got != "over a file" {
		t.Errorf("got %q", got)
	}
	must(t, c.Close())
	must(t, l.Shutdown(context.Background()))
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket's file: %v", err)
	}
	if _, err := Listen(loop, "unixpacket", path, echo); err == nil {
		t.Error("a network of messages is accepted")
	}
}

func TestTimeoutsOfEachDirection(t *testing.T) {
	onWires(t, func(t *testing.T, serve server) {
		closed := make(chan error, 1)
		loop := running(t)
		c, _ := connect(serve(loop, func(c *Conn) { // the client sends, and does not read
			c.OnClose(func(err error) { closed <- err })
			c.OnData(func([]byte) {})
			c.SetReadTimeout(time.Hour)
			c.SetWriteTimeout(time.Millisecond)
			c.SetIdleTimeout(time.Hour)
			c.Write(make([]byte, 16<<20))
		}))
		err := await(t, "close", closed)
		if unsent := (*UnsentError)(nil); !errors.Is(err, ErrIdle) || !errors.As(err, &unsent) {
			t.Errorf("a writer was closed with %v", err)
		}
		_ = c.tcp.Close()

		address := serve(loop, func(c *Conn) { // the client reads, and does not send
			c.OnClose(func(err error) { closed <- err })
			c.OnData(func([]byte) {})
			c.SetWriteTimeout(time.Millisecond) // nothing waits
			c.SetReadTimeout(20 * time.Millisecond)
		})
		if got := readEnd(t, address); got != "" {
			t.Errorf("got %q", got)
		}
		if err := await(t, "close", closed); !errors.Is(err, ErrIdle) || err.Error() != ErrIdle.Error()+": nothing was received" {
			t.Errorf("a reader was closed with %v", err)
		}
	})
}
