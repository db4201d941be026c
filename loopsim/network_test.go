package loopsim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/loopnet"
	"github.com/eventloop-go/eventloop/promise"
)

// pair makes a world with a server, whose connections serve gets, and a client.
func pair(serve func(*Host, *loopnet.Conn), client func(*Host)) func(*World) {
	return func(w *World) {
		w.Host("server", func(h *Host) {
			if _, err := h.Listen(80, func(c *loopnet.Conn) { serve(h, c) }); err != nil {
				w.Failf("%v", err)
			}
		})
		w.Host("client", client)
	}
}

// dialled calls fn with a connection to the server.
func dialled(fn func(*Host, *loopnet.Conn)) func(*Host) {
	return func(h *Host) {
		promise.Then(h.Dial(context.Background(), "server:80"), func(c *loopnet.Conn) (int, error) {
			fn(h, c)
			return 0, nil
		})
	}
}

// try calls fn as a blocking call.
func try(h *Host, fn func()) {
	promise.Promisify(context.Background(), h.Loop(), func(context.Context) (int, error) {
		fn()
		return 0, nil
	})
}

func TestAStreamArrivesWholeAndInOrderWhateverTheWindow(t *testing.T) {
	want := strings.Repeat("0123456789", 5000)
	for seed := range uint64(20) {
		var got strings.Builder
		ended := false
		w := one(t, seed, Config{Network: NetworkConfig{Window: 100 << (seed % 10), Bandwidth: 1 << 20}, Duration: time.Hour}, pair(func(h *Host, c *loopnet.Conn) {
			c.OnData(func(p []byte) {
				got.Write(p)
				if h.Rand.IntN(4) == 0 {
					c.Pause()
					_, _ = h.Loop().ScheduleTimer(time.Millisecond, c.Resume)
				}
			})
			c.OnEnd(func() { ended = true; c.End(); h.World().Stop() })
		}, dialled(func(h *Host, c *loopnet.Conn) {
			c.Write([]byte(want))
			c.End()
		})))
		holds(t, w)
		if got.String() != want || !ended {
			t.Fatalf("seed %d: %d bytes of %d arrive, end: %v", seed, got.Len(), len(want), ended)
		}
	}
}

func TestBlockingCallsReadWriteAcceptAndHaveDeadlines(t *testing.T) {
	var log []string
	note := func(format string, args ...any) { log = append(log, fmt.Sprintf(format, args...)) }
	w := one(t, 1, Config{}, func(w *World) {
		w.Host("server", func(h *Host) {
			l, err := h.Network().Listen("tcp", ":80")
			if err != nil {
				w.Failf("%v", err)
				return
			}
			if _, err := h.Network().Listen("tcp", ":80"); !errors.Is(err, syscall.EADDRINUSE) {
				note("second listener: %v", err)
			}
			if _, err := l.Accept(); !errors.Is(err, errBlocks) {
				note("Accept in a callback: %v", err)
			}
			try(h, func() {
				c, err := l.Accept()
				if err != nil {
					note("accept: %v", err)
					return
				}
				data, err := io.ReadAll(c)
				note("server has %d bytes, %v", len(data), err)
				_, _ = c.Write([]byte("done"))
				_ = c.Close()
				_ = l.Close()
				_, err = l.Accept()
				note("closed: %v", errors.Is(err, net.ErrClosed))
			})
		})
		w.Host("client", func(h *Host) {
			try(h, func() {
				_, err := h.Network().DialContext(context.Background(), "tcp", "server:81")
				note("refused: %v", errors.Is(err, syscall.ECONNREFUSED))
				_, err = h.Network().DialContext(context.Background(), "tcp", "nobody:81")
				note("unknown: %v", err)
				c, err := h.Network().DialContext(context.Background(), "tcp", "server:80")
				if err != nil {
					note("dial: %v", err)
					return
				}
				_ = c.SetReadDeadline(h.Now().Add(time.Second))
				before := h.Now()
				_, err = c.Read(make([]byte, 1))
				note("deadline: %v after %v", errors.Is(err, os.ErrDeadlineExceeded), h.Now().Sub(before))
				_ = c.SetReadDeadline(time.Time{})
				n, err := c.Write(make([]byte, 200_000))
				note("client wrote %d, %v", n, err)
				_ = c.(interface{ CloseWrite() error }).CloseWrite()
				data, err := io.ReadAll(c)
				note("client has %s, %v", data, err)
			})
		})
	})
	holds(t, w)
	want := []string{
		"refused: true", "unknown: lookup nobody: no such host in this world", "deadline: true after 1s", "client wrote 200000, <nil>",
		"server has 200000 bytes, <nil>", "closed: true", "client has done, <nil>",
	}
	if strings.Join(log, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(log, "\n"), strings.Join(want, "\n"))
	}
}

func TestWhatPartnersNoticeOfFaults(t *testing.T) {
	for name, c := range map[string]struct {
		fault    Fault
		write    bool // the client has something to send
		closed   error
		earliest time.Duration
		latest   time.Duration
	}{
		"a program that is killed resets":        {Fault{Kind: Kill, Host: "server", For: time.Second}, false, syscall.ECONNRESET, time.Second, 1100 * time.Millisecond},
		"a reset":                                {Fault{Kind: ResetConns, Host: "server", Peer: "client"}, false, syscall.ECONNRESET, time.Second, 1100 * time.Millisecond},
		"silence after a crash, and no question": {Fault{Kind: Crash, Host: "server", For: time.Second}, false, nil, 0, 0},
		"a question after a crash":               {Fault{Kind: Crash, Host: "server", For: 3 * time.Second}, true, syscall.ECONNRESET, 4 * time.Second, 8 * time.Second},
		"a long partition":                       {Fault{Kind: Partition, Host: "server", For: time.Hour}, true, syscall.ETIMEDOUT, 20 * time.Second, 27 * time.Second},
		"a long partition of the way back":       {Fault{Kind: OneWay, Host: "server", Peer: "client", For: time.Hour}, true, syscall.ETIMEDOUT, 20 * time.Second, 27 * time.Second},
		"a short partition":                      {Fault{Kind: Partition, Host: "server", For: 3 * time.Second}, true, nil, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var closed error
			var at time.Duration
			received := 0
			w := one(t, 1, Config{Duration: 50 * time.Second}, func(w *World) {
				pair(func(h *Host, c *loopnet.Conn) {
					c.OnData(func(p []byte) { received += len(p) })
				}, func(h *Host) {
					dialled(func(h *Host, conn *loopnet.Conn) {
						conn.OnData(func([]byte) {})
						conn.OnClose(func(err error) {
							if w.Elapsed() < 50*time.Second {
								closed, at = err, w.Elapsed()
							}
						})
						_, _ = h.Loop().ScheduleTimer(time.Second, func() { w.Inject(c.fault) })
						if c.write {
							_, _ = h.Loop().ScheduleTimer(1500*time.Millisecond, func() { conn.Write([]byte("question")) })
						}
					})(h)
				})(w)
			})
			holds(t, w)
			if !errors.Is(closed, c.closed) || at < c.earliest || at > c.latest {
				t.Errorf("closed with %v at %v; want %v from %v to %v", closed, at, c.closed, c.earliest, c.latest)
			}
			if want := len("question"); c.write && c.fault.Kind != Crash && c.fault.For < time.Minute && received != want || received > want {
				t.Errorf("%d bytes were received", received)
			}
		})
	}
}

func TestADialEndsWithItsContextAndWithItsTime(t *testing.T) {
	var log []string
	w := one(t, 1, Config{}, func(w *World) {
		w.Host("server", func(*Host) {})
		w.Host("client", func(h *Host) {
			w.Cut("client", "server")
			ctx, cancel := context.WithCancel(context.Background())
			_, _ = h.Loop().ScheduleTimer(time.Second, cancel)
			h.Dial(ctx, "server:80").Catch(func(err error) (*loopnet.Conn, error) {
				log = append(log, fmt.Sprint(errors.Is(err, context.Canceled), w.Elapsed().Round(100*time.Millisecond)))
				return nil, nil
			})
			h.Dial(context.Background(), "server:80").Catch(func(err error) (*loopnet.Conn, error) {
				log = append(log, fmt.Sprint(errors.Is(err, syscall.ETIMEDOUT), w.Elapsed() >= 10*time.Second))
				return nil, nil
			})
		})
	})
	holds(t, w)
	if got := strings.Join(log, "\n"); got != "true 1s\ntrue true" {
		t.Error(got)
	}
}
