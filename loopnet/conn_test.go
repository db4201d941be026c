package loopnet

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
	"github.com/eventloop-go/eventloop/promise"
)

type server = func(loop *eventloop.Loop, handle func(*Conn)) string

// echo sends back the bytes it receives, and pauses while the other side does not read.
func echo(c *Conn) {
	c.OnData(func(p []byte) {
		if !c.Write(p) {
			c.Pause()
		}
	})
	c.OnDrain(c.Resume)
}

func TestEchoGivesBackEveryByteOfManyConnections(t *testing.T) {
	onWires(t, func(t *testing.T, serve server) {
		address := serve(running(t), echo)
		var wait sync.WaitGroup
		for i := range 20 {
			c := dial(t, address)
			sent := make([]byte, 1+rand.IntN(1<<19))
			random := rand.NewChaCha8([32]byte{byte(i)})
			_, _ = random.Read(sent)
			wait.Add(2)
			go func() { // in pieces of any size
				defer wait.Done()
				for p := sent; len(p) > 0; {
					n := min(1+rand.IntN(1<<15), len(p))
					if _, err := c.Write(p[:n]); err != nil {
						t.Error(err)
						return
					}
					p = p[n:]
				}
				_ = c.CloseWrite()
			}()
			go func() {
				defer wait.Done()
				got, err := io.ReadAll(c)
				if err != nil || !bytes.Equal(got, sent) {
					t.Errorf("%d bytes came back of %d, equal: %v, %v", len(got), len(sent), bytes.Equal(got, sent), err)
				}
			}()
		}
		wait.Wait()
	})
}

func TestAWriterIsToldToWaitAndWhenToGoOn(t *testing.T) {
	onWires(t, func(t *testing.T, serve server) {
		const total = 32 << 20
		most := make(chan int, 1)
		chunk := bytes.Repeat([]byte{'x'}, 16<<10)
		address := serve(running(t), func(c *Conn) {
			sent, highest := 0, 0
			send := func() {
				for sent < total {
					sent += len(chunk)
					more := c.Write(chunk)
					if highest = max(highest, c.Buffered()); !more {
						return
					}
				}
				most <- highest
				c.End()
			}
			c.OnDrain(send)
			send()
		})
		c := dial(t, address)
		if n, err := io.Copy(io.Discard, c); n != total || err != nil {
			t.Errorf("received %d of %d bytes: %v", n, total, err)
		}
		testkit.Must(t, c.Close())
		if n := testkit.Await(t, "end", most); n > DefaultHighWater+len(chunk) {
			t.Errorf("%d bytes were buffered", n)
		}
	})
}

func TestAPausedConnectionReadsNothing(t *testing.T) {
	onWires(t, func(t *testing.T, serve server) {
		loop := running(t)
		conns := make(chan *Conn, 1)
		paused, got := true, make(chan string, 1)
		text := ""
		address := serve(loop, func(c *Conn) {
			c.OnData(func(p []byte) {
				if paused {
					t.Error("data while paused")
				}
				text += string(p)
			})
			c.OnEnd(func() { got <- text; c.End() })
			c.Pause()
			conns <- c
		})
		client := dial(t, address)
		server := testkit.Await(t, "connection", conns)
		writeText(t, client, "kept for later")
		testkit.Must(t, client.CloseWrite())
		for range 100 {
			testkit.On(t, loop, func() {})
		}
		testkit.On(t, loop, func() {
			server.End() // hung up in both directions, with data unread
		})
		if got := readAll(t, client); got != "" {
			t.Errorf("the client reads %q", got)
		}
		testkit.On(t, loop, func() {
			paused = false
			server.Resume()
		})
		if s := testkit.Await(t, "end", got); s != "kept for later" {
			t.Errorf("read %q", s)
		}
	})
}

func TestAHalfClosedConnectionStillSends(t *testing.T) {
	onWires(t, func(t *testing.T, serve server) {
		closed := make(chan error, 1)
		address := serve(running(t), func(c *Conn) {
			text := ""
			c.OnData(func(p []byte) { text += string(p) })
			c.OnEnd(func() {
				c.Write([]byte(strings.ToUpper(text)))
				c.End()
				c.Write([]byte("dropped"))
			})
			c.OnClose(func(err error) { closed <- err })
		})
		c := dial(t, address)
		writeText(t, c, "shout")
		testkit.Must(t, c.CloseWrite())
		if got := readAll(t, c); got != "SHOUT" {
			t.Errorf("got %q", got)
		}
		testkit.Must(t, testkit.Await(t, "close", closed))
	})
}

func TestLinesAndFramesAreCutWhereverTheyAreSplit(t *testing.T) {
	onWires(t, func(t *testing.T, serve server) {
		lines := serve(running(t), func(c *Conn) {
			c.OnLines(100, func(line []byte) { c.Write([]byte("<" + string(line) + ">")) })
		})
		c := dial(t, lines)
		for _, piece := range []string{"on", "e\r", "\ntwo\n\nfo", "ur\n"} {
			writeText(t, c, piece)
		}
		testkit.Must(t, c.CloseWrite())
		if got := readAll(t, c); got != "<one><two><><four>" {
			t.Errorf("lines: %q", got)
		}
		frames := serve(running(t), func(c *Conn) {
			c.OnFrames(100, func(frame []byte) { c.WriteFrame(append(frame, '!')) })
		})
		c = dial(t, frames)
		for _, piece := range []string{"\x00", "\x00\x00\x03ab", "c\x00\x00\x00\x00\x00", "\x00\x00\x01d"} {
			writeText(t, c, piece)
		}
		testkit.Must(t, c.CloseWrite())
		if got := readAll(t, c); got != "\x00\x00\x00\x04abc!\x00\x00\x00\x01!\x00\x00\x00\x02d!" {
			t.Errorf("frames: %q", got)
		}
	})
}

func TestALineOrFrameThatIsTooLongClosesTheConnection(t *testing.T) {
	for _, frame := range []func(c *Conn){
		func(c *Conn) { c.OnLines(10, func([]byte) { t.Error("a long line") }) },
		func(c *Conn) { c.OnFrames(10, func([]byte) { t.Error("a long frame") }) },
	} {
		onWires(t, func(t *testing.T, serve server) {
			closed := make(chan error, 1)
			address := serve(running(t), func(c *Conn) {
				c.OnClose(func(err error) { closed <- err })
				frame(c)
			})
			writeText(t, dial(t, address), strings.Repeat("x", 100))
			if err := testkit.Await(t, "close", closed); err != ErrTooLong {
				t.Errorf("closed with %v", err)
			}
		})
	}
}

func TestTimeoutsCloseAConnection(t *testing.T) {
	for want, set := range map[error]func(c *Conn){
		ErrIdle: func(c *Conn) { c.SetIdleTimeout(time.Millisecond) },
		os.ErrDeadlineExceeded: func(c *Conn) {
			_, err := c.SetDeadline(time.Millisecond)
			if err != nil {
				t.Error(err)
			}
		},
	} {
		onWires(t, func(t *testing.T, serve server) {
			closed := make(chan error, 1)
			address := serve(running(t), func(c *Conn) {
				echo(c)
				c.OnClose(func(err error) { closed <- err })
				set(c)
			})
			if got := readEnd(t, address); got != "" {
				t.Errorf("read %q", got)
			}
			if err := testkit.Await(t, "close", closed); !errors.Is(err, want) {
				t.Errorf("closed with %v, want %v", err, want)
			}
		})
	}
}

func TestAResetIsTheReasonOfClose(t *testing.T) {
	onWires(t, func(t *testing.T, serve server) {
		closed := make(chan error, 1)
		address := serve(running(t), func(c *Conn) {
			echo(c)
			c.OnClose(func(err error) { closed <- err })
		})
		c := dial(t, address)
		writeText(t, c, "x")
		var one [1]byte
		_, err := io.ReadFull(c, one[:])
		testkit.Must(t, err)
		testkit.Must(t, c.reset())
		if err := testkit.Await(t, "close", closed); err == nil {
			t.Error("closed without a reason")
		}
	})
}

func TestConnectionsAndListenersAreClosedWhenTheLoopEnds(t *testing.T) {
	onWires(t, func(t *testing.T, serve server) {
		loop := eventloop.New()
		ran := make(chan error, 1)
		go func() { ran <- loop.Run(context.Background()) }()
		accepted := make(chan struct{})
		address := serve(loop, func(c *Conn) {
			echo(c)
			close(accepted)
		})
		c := dial(t, address)
		testkit.Await(t, "connection", accepted)
		testkit.Must(t, loop.Shutdown(context.Background()))
		testkit.Must(t, testkit.Await(t, "Run", ran))
		if _, err := io.ReadAll(c); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("the connection is open: %v", err)
		}
	})
}

func TestALoopEndsByItselfWhenItsConnectionsAreClosed(t *testing.T) {
	loop := eventloop.New(eventloop.WithAutoExit())
	got := ""
	var l *Listener
	var err error
	l, err = Listen(loop, "tcp", "127.0.0.1:0", func(c *Conn) {
		testkit.Must(t, l.Close())
		echo(c)
	})
	testkit.Must(t, err)
	testkit.Must(t, loop.Submit(func() {
		promise.Then(Dial(context.Background(), loop, "tcp", l.Addr().String()), func(c *Conn) (any, error) {
			c.OnData(func(p []byte) { got += string(p) })
			c.Write([]byte("to itself"))
			c.End()
			return nil, nil
		})
	}))
	testkit.Must(t, loop.Run(context.Background()))
	if got != "to itself" {
		t.Errorf("got %q", got)
	}
}

func TestReadyIsFulfilledOnce(t *testing.T) {
	loop := running(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.Must(t, err)
	defer l.Close()
	client := dial(t, l.Addr().String())
	server, err := l.Accept()
	testkit.Must(t, err)
	defer server.Close()
	got := make(chan eventloop.IOEvents, 1)
	testkit.On(t, loop, func() {
		promise.Then(Ready(loop, server.(*net.TCPConn), eventloop.EventRead), func(e eventloop.IOEvents) (any, error) {
			got <- e
			return nil, nil
		})
	})
	writeText(t, client, "x")
	if e := testkit.Await(t, "readiness", got); e != eventloop.EventRead {
		t.Errorf("ready for %v", e)
	}
}
