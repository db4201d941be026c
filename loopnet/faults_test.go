package loopnet

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"math"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// Each callback panics, or calls Goexit, the first time. The connection, its listener and its loop still end.
func TestAPanicInAnyCallbackKeepsNothingFromEnding(t *testing.T) {
	for name, fault := range map[string]func(){"panic": func() { panic("callback") }, "Goexit": runtime.Goexit} {
		for _, where := range []string{"handle", "data", "line", "end", "drain", "shutdown", "close"} {
			t.Run(where+" "+name, func(t *testing.T) {
				onListeners(t, func(t *testing.T, serve func(*eventloop.Loop, net.Listener, func(*Conn)) (*Listener, string)) {
					loop, _ := panicking(t)
					n, err := net.Listen("tcp", "127.0.0.1:0")
					testkit.Must(t, err)
					began, closed := make(chan struct{}), make(chan error, 10)
					at := func(here string) {
						if here == where {
							fault()
						}
					}
					l, address := serve(loop, n, func(c *Conn) {
						defer close(began)
						c.OnClose(func(err error) { closed <- err; at("close") })
						c.OnEnd(func() { at("end"); c.End() })
						c.OnShutdown(func() { at("shutdown"); c.End() })
						c.OnDrain(func() { at("drain") })
						if where == "line" {
							c.OnLines(100, func([]byte) { at("line") })
						} else {
							c.OnData(func([]byte) { at("data") })
						}
						if c.Write(make([]byte, 8<<20)) {
							t.Error("the system takes everything")
						}
						at("handle")
					})
					client, err := connect(address)
					if client.tcp == nil {
						t.Fatal(err)
					}
					defer client.tcp.Close()
					testkit.Await(t, "connection", began)
					if err == nil {
						_, _ = io.WriteString(client, "line\n")
						ended := make(chan error, 1)
						if where == "shutdown" {
							go func() { ended <- l.Shutdown(context.Background()) }()
						}
						_, err = io.CopyN(io.Discard, client, 8<<20)
						if where != "handle" {
							testkit.Must(t, err)
						}
						if where != "handle" && where != "shutdown" {
							testkit.Must(t, client.CloseWrite())
						}
						if _, err := io.Copy(io.Discard, client); errors.Is(err, os.ErrDeadlineExceeded) {
							t.Error("the connection stays open")
						}
						_ = client.Close()
						if where == "shutdown" {
							testkit.Must(t, testkit.Await(t, "Shutdown", ended))
						}
					}
					if err := testkit.Await(t, "OnClose", closed); where != "handle" && where != "shutdown" && err != nil {
						t.Errorf("closed with %v", err)
					}
					testkit.Must(t, loop.Shutdown(testkit.Bounded(t)))
					testkit.Await(t, "Run", loop.Done())
					if len(closed) > 0 {
						t.Error("the close was reported twice")
					}
				})
			})
		}
	}
}

func TestAClosedConnectionRefusesEverythingInOnClose(t *testing.T) {
	onWires(t, func(t *testing.T, serve server) {
		loop, done := running(t), make(chan string, 10)
		address := serve(loop, func(c *Conn) {
			c.OnData(func([]byte) { c.Close(); c.Close() })
			c.OnClose(func(error) {
				c.OnData(func([]byte) { done <- "data" })
				c.OnLines(1, func([]byte) { done <- "line" })
				c.OnDrain(func() { done <- "drain" })
				c.OnEnd(func() { done <- "end" })
				if c.Write([]byte("x")) || c.Write(nil) || c.WriteShared([]byte("x")) || c.WriteFrame(make([]byte, lendFrom)) {
					done <- "write"
				}
				c.Flush()
				c.Pause()
				c.Resume()
				c.SetIdleTimeout(1)
				c.SetReadTimeout(1)
				c.SetWriteTimeout(1)
				_, _ = c.SetDeadline(1)
				c.End()
				c.Close()
				c.Fail(io.EOF)
				_ = loop.ScheduleImmediate(func() { done <- "" })
			})
		})
		c := dial(t, address)
		writeText(t, c, "x")
		if what := testkit.Await(t, "immediate", done); what != "" {
			t.Errorf("%s after the close", what)
		}
		if got := readAll(t, c); got != "" {
			t.Errorf("got %q", got)
		}
	})
}

func TestEmptyWritesSendNothingAndKeepNothing(t *testing.T) {
	onWires(t, func(t *testing.T, serve server) {
		closed := make(chan error, 1)
		c := dial(t, serve(running(t), func(c *Conn) {
			c.OnClose(func(err error) { closed <- err })
			c.OnData(func([]byte) {})
			for range 100 {
				if !c.Write(nil) || !c.Write([]byte{}) || !c.WriteShared(nil) || !c.WriteShared([]byte{}) {
					t.Error("an empty write asks for a pause")
				}
			}
			c.Flush()
			if c.Buffered() != 0 || c.out != nil {
				t.Errorf("%d bytes wait", c.Buffered())
			}
			c.WriteFrame(nil)
			c.End()
			if c.Write(nil) || c.WriteShared(nil) {
				t.Error("an empty write after End is accepted")
			}
		}))
		if got := readAll(t, c); got != "\x00\x00\x00\x00" {
			t.Errorf("got %q", got)
		}
		testkit.Must(t, c.Close())
		testkit.Must(t, testkit.Await(t, "close", closed))
	})
}

func TestAStormOfPausesLosesNoByte(t *testing.T) {
	onWires(t, func(t *testing.T, serve server) {
		loop := running(t)
		const total = 1 << 20
		got := make(chan int, 1)
		c := dial(t, serve(loop, func(c *Conn) {
			n := 0
			storm := func() {
				for range 100 {
					c.Pause()
					c.Resume()
				}
			}
			c.OnData(func(p []byte) {
				n += len(p)
				storm()
				c.Pause()
				_ = loop.ScheduleMicrotask(func() { storm(); c.Pause() })
				_ = loop.ScheduleImmediate(func() { storm() })
			})
			c.OnEnd(func() { got <- n; storm(); c.End() })
			storm()
		}))
		go func() {
			_, _ = c.Write(make([]byte, total))
			_ = c.CloseWrite()
		}()
		if n := testkit.Await(t, "end", got); n != total {
			t.Errorf("%d bytes of %d", n, total)
		}
		if s := readAll(t, c); s != "" {
			t.Errorf("got %q", s)
		}
	})
}

func TestAnyHighWaterEndsInADrain(t *testing.T) {
	onWires(t, func(t *testing.T, serve server) {
		for _, mark := range []int{math.MinInt, -1, 0, 1, math.MaxInt} {
			const total = 8 << 20
			drained := make(chan struct{}, 1)
			c := dial(t, serve(running(t), func(c *Conn) {
				c.OnData(func([]byte) {})
				c.OnDrain(func() { drained <- struct{}{}; c.End() })
				c.SetHighWater(mark)
				if c.Write(make([]byte, total)) != (mark == math.MaxInt) {
					t.Errorf("with a mark of %d, Write reports %v", mark, mark != math.MaxInt)
				}
				if mark == math.MaxInt {
					drained <- struct{}{}
					c.End()
				}
			}))
			if n := len(readAll(t, c)); n != total {
				t.Errorf("mark %d: %d bytes of %d", mark, n, total)
			}
			testkit.Await(t, "drain", drained)
			testkit.Must(t, c.Close())
		}
	})
}

// A refusing listener accepts nothing, and does not say net.ErrClosed.
type refusing struct {
	net.Listener
	calls chan struct{}
}

func (r refusing) Accept() (net.Conn, error) {
	select {
	case r.calls <- struct{}{}:
	default:
	}
	return nil, errors.New("of its own")
}

func TestAListenerWhoseEndHasAnErrorOfItsOwnLeavesNoGoroutine(t *testing.T) {
	n, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.Must(t, err)
	calls := make(chan struct{}, 1)
	l, err := Serve(running(t), refusing{n, calls}, func(*Conn) {})
	testkit.Must(t, err)
	testkit.Await(t, "Accept", calls)
	testkit.Must(t, l.Close())
	for limit := time.Now().Add(testkit.Patience); accepting() > 0; {
		if time.Sleep(time.Millisecond); time.Now().After(limit) {
			t.Fatal("its goroutine stays, and calls Accept again and again")
		}
	}
}

// accepting counts the goroutines that accept.
func accepting() (n int) {
	buf := make([]byte, 1<<20)
	for _, line := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n") {
		if line == "github.com/eventloop-go/eventloop/loopnet.(*Listener).acceptNet.func1()" {
			n++
		}
	}
	return n
}

func TestAListenerThatIsClosedWhileItAcceptsLeavesNoConnectionOpen(t *testing.T) {
	onListeners(t, func(t *testing.T, serve func(*eventloop.Loop, net.Listener, func(*Conn)) (*Listener, string)) {
		for range 20 {
			loop, _ := panicking(t)
			n, err := net.Listen("tcp", "127.0.0.1:0")
			testkit.Must(t, err)
			l, address := serve(loop, n, func(c *Conn) { c.OnData(func([]byte) {}); c.End() })
			ended := make(chan struct{})
			for range 8 {
				go func() {
					defer func() { ended <- struct{}{} }()
					for {
						p, err := connect(address)
						if err == nil {
							_, err = io.Copy(io.Discard, p)
						}
						if p.tcp == nil {
							return // the listener is closed
						}
						if late := net.Error(nil); errors.As(err, &late) && late.Timeout() {
							t.Error("a connection is neither served nor closed")
						}
						_ = p.tcp.Close()
					}
				}()
			}
			runtime.Gosched()
			testkit.Must(t, l.Close())
			for range 8 {
				testkit.Await(t, "client", ended)
			}
			testkit.Must(t, l.Shutdown(testkit.Bounded(t)))
		}
	})
}

func TestUnixSocketsEndInEveryWay(t *testing.T) {
	server, client := certified()
	client.ServerName = "127.0.0.1"
	for name, ways := range map[string]struct {
		serve func(*eventloop.Loop, net.Listener, func(*Conn)) (*Listener, error)
		dial  Dialer
	}{
		"plain": {Serve, new(net.Dialer)},
		"TLS": {func(loop *eventloop.Loop, n net.Listener, handle func(*Conn)) (*Listener, error) {
			return ServeTLS(loop, n, server, handle)
		}, &tls.Dialer{Config: client}},
	} {
		t.Run(name, func(t *testing.T) {
			loop, closed := running(t), make(chan error, 2)
			n, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
			testkit.Must(t, err)
			l, err := ways.serve(loop, n, func(c *Conn) {
				c.OnClose(func(err error) { closed <- err })
				echo(c)
			})
			testkit.Must(t, err)
			for _, end := range []func(net.Conn) error{
				func(c net.Conn) error { return c.Close() },
				func(c net.Conn) error { return c.(interface{ CloseWrite() error }).CloseWrite() },
			} {
				c, err := ways.dial.DialContext(t.Context(), "unix", n.Addr().String())
				testkit.Must(t, err)
				testkit.Must(t, c.SetDeadline(time.Now().Add(testkit.Patience)))
				writeText(t, c, "x")
				_, err = io.ReadFull(c, make([]byte, 1))
				testkit.Must(t, err)
				testkit.Must(t, end(c))
				testkit.Must(t, testkit.Await(t, "close", closed))
				_ = c.Close()
			}
			testkit.Must(t, l.Shutdown(testkit.Bounded(t)))
		})
	}
}
