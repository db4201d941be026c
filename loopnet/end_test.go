package loopnet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
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
	testkit.Must(t, err)
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
	testkit.Await(t, "connection", accepted)
	return e, client
}

func onListeners(t *testing.T, test func(t *testing.T, serve func(loop *eventloop.Loop, n net.Listener, handle func(*Conn)) (*Listener, string))) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			test(t, func(loop *eventloop.Loop, n net.Listener, handle func(*Conn)) (*Listener, string) {
				l, err := k.serve(loop, n, handle)
				testkit.Must(t, err)
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
				testkit.Must(t, client.Close())
				testkit.Must(t, testkit.Await(t, "Shutdown", ended))
				if err := testkit.Await(t, "OnClose", e.closed); err != ErrShutdown {
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
				testkit.Must(t, c.end(e))
				reason := testkit.Await(t, "OnClose", e.closed)
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
		testkit.Must(t, err)
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
		if err := testkit.Await(t, "OnClose", closed); err != ErrLoopEnded {
			t.Errorf("closed with %v", err)
		}
		if err := testkit.Await(t, "Run", ran); !errors.Is(err, eventloop.ErrLoopClosed) {
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
		conn := testkit.Await(t, "connection", accepted)
		ended := make(chan error, 1)
		go func() { ended <- loop.Shutdown(context.Background()) }()
		testkit.Await(t, "OnShutdown", told)
		testkit.Must(t, loop.SubmitInternal(func() { conn.Write([]byte(" then")); conn.End() }))
		if got := readAll(t, c); got != "bye then" {
			t.Errorf("got %q", got)
		}
		testkit.Must(t, c.Close())
		testkit.Must(t, testkit.Await(t, "Shutdown", ended))
		testkit.Must(t, testkit.Await(t, "Run", ran))
		if err := testkit.Await(t, "close", closed); err != ErrShutdown {
			t.Errorf("closed with %v", err)
		}
	})
}

func TestAShutdownInsideACallbackIsBegunAndRefused(t *testing.T) {
	loop := running(t)
	l, err := Listen(loop, "tcp", "127.0.0.1:0", echo)
	testkit.Must(t, err)
	testkit.On(t, loop, func() {
		if err := l.Shutdown(context.Background()); err != eventloop.ErrOnLoop {
			t.Errorf("Shutdown: %v", err)
		}
	})
	testkit.Must(t, l.Shutdown(context.Background()))
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
			testkit.Must(t, loop.Submit(func() {
				g, err := groupOf(loop)
				testkit.Must(t, err)
				g.first.Close() // its report waits for the close phase
				testkit.Must(t, loop.Close())
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
				testkit.Must(t, err)
				testkit.Must(t, hangUp(c))
				if err := testkit.Await(t, "close", closed); (err != nil) != (name == "reset") {
					t.Errorf("closed with %v", err)
				}
				testkit.Must(t, loop.Shutdown(context.Background()))
				testkit.Must(t, testkit.Await(t, "Run", ran))
			})
		}
	})
}

func TestUnixSocketsWorkAndMessagesAreRefused(t *testing.T) {
	loop := running(t)
	path := filepath.Join(t.TempDir(), "s")
	l, err := Listen(loop, "unix", path, echo)
	testkit.Must(t, err)
	c, err := net.Dial("unix", path)
	testkit.Must(t, err)
	_ = c.SetDeadline(time.Now().Add(testkit.Patience))
	writeText(t, c, "over a file")
	testkit.Must(t, c.(*net.UnixConn).CloseWrite())
	if got := readAll(t, c); got != "over a file" {
		t.Errorf("got %q", got)
	}
	testkit.Must(t, c.Close())
	testkit.Must(t, l.Shutdown(context.Background()))
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
		err := testkit.Await(t, "close", closed)
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
		if err := testkit.Await(t, "close", closed); !errors.Is(err, ErrIdle) || err.Error() != ErrIdle.Error()+": nothing was received" {
			t.Errorf("a reader was closed with %v", err)
		}
	})
}
