package loopnet

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
	"github.com/eventloop-go/eventloop/promise"
)

// secretly serves with TLS on a new listener.
func secretly(t *testing.T, loop *eventloop.Loop, config *tls.Config, handle func(*Conn)) *Listener {
	n, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.Must(t, err)
	l, err := ServeTLS(loop, n, config, handle)
	testkit.Must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func TestBothSidesSpeakTLSOnTheLoop(t *testing.T) {
	server, client := certified()
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		client.MaxVersion = version
		for name, serve := range map[string]func(*eventloop.Loop, net.Listener, func(*Conn)) (*Listener, error){
			"descriptors": kinds[2].serve,
			"goroutines": func(loop *eventloop.Loop, n net.Listener, handle func(*Conn)) (*Listener, error) {
				return Serve(loop, tls.NewListener(n, server), handle)
			},
		} {
			t.Run(fmt.Sprint(tls.VersionName(version), " ", name), func(t *testing.T) {
				loop := running(t)
				n, err := net.Listen("tcp", "127.0.0.1:0")
				testkit.Must(t, err)
				l, err := serve(loop, n, echo)
				testkit.Must(t, err)
				sent := make([]byte, 3<<20)
				_, _ = rand.Read(sent)
				same, ended := make(chan bool, 1), make(chan error, 1)
				testkit.On(t, loop, func() {
					dialled := DialWith(context.Background(), loop, &tls.Dialer{Config: client}, "tcp", l.Addr().String())
					promise.Then(dialled, func(c *Conn) (any, error) {
						var got []byte
						c.OnData(func(p []byte) { got = append(got, p...) })
						c.OnClose(func(err error) { same <- bytes.Equal(got, sent); ended <- err })
						c.Write(sent)
						c.End()
						return nil, nil
					}).Catch(func(err error) (any, error) { ended <- err; same <- false; return nil, nil })
				})
				if !testkit.Await(t, "end", same) {
					t.Error("other bytes came back")
				}
				testkit.Must(t, testkit.Await(t, "close", ended))

				c, err := tls.Dial("tcp", l.Addr().String(), client)
				testkit.Must(t, err)
				testkit.Must(t, c.SetDeadline(time.Now().Add(testkit.Patience)))
				writeText(t, c, "hello")
				_, err = io.ReadFull(c, make([]byte, 5))
				testkit.Must(t, err)
				shut := make(chan error, 1)
				go func() { shut <- l.Shutdown(context.Background()) }()
				if got := readAll(t, c); got != "" { // a clean end
					t.Errorf("got %q", got)
				}
				testkit.Must(t, c.Close())
				testkit.Must(t, testkit.Await(t, "Shutdown", shut))
			})
		}
	}
}

func TestAClientThatDoesNotSpeakTLSIsReported(t *testing.T) {
	server, _ := certified()
	closed := make(chan error, 1)
	l := secretly(t, running(t), server, func(c *Conn) { c.OnClose(func(err error) { closed <- err }) })
	c := dial(t, l.Addr().String())
	writeText(t, c, "GET / HTTP/1.1\r\n\r\n")
	var wrong tls.RecordHeaderError
	if err := testkit.Await(t, "close", closed); !errors.As(err, &wrong) {
		t.Errorf("closed with %v", err)
	}
}

func TestAServerWithoutACertificateIsRefused(t *testing.T) {
	for _, config := range []*tls.Config{nil, {}} {
		n, err := net.Listen("tcp", "127.0.0.1:0")
		testkit.Must(t, err)
		if _, err := ServeTLS(running(t), n, config, echo); err != errNoCertificate {
			t.Errorf("ServeTLS: %v", err)
		}
		if _, err := n.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("the listener: %v", err)
		}
	}
}

func TestAClientThatDoesNotTrustTheServerIsReportedOnBothSides(t *testing.T) {
	server, _ := certified()
	loop := running(t)
	closed, dialled := make(chan error, 1), make(chan error, 1)
	l := secretly(t, loop, server, func(c *Conn) {
		c.Write([]byte("hello"))
		c.OnClose(func(err error) { closed <- err })
	})
	testkit.On(t, loop, func() {
		DialWith(context.Background(), loop, &tls.Dialer{}, "tcp", l.Addr().String()).
			Catch(func(err error) (*Conn, error) { dialled <- err; return nil, nil })
	})
	var wrong *tls.CertificateVerificationError
	if err := testkit.Await(t, "rejection", dialled); !errors.As(err, &wrong) {
		t.Errorf("DialWith: %v", err)
	}
	var unsent *UnsentError
	if err := testkit.Await(t, "close", closed); !errors.As(err, &unsent) || unsent.Bytes != 5 || !strings.Contains(err.Error(), "bad certificate") {
		t.Errorf("closed with %v", err)
	}
}

// stalled is a client that begins a handshake and goes no further.
func stalled(t *testing.T, l *Listener) {
	c := dial(t, l.Addr().String())
	writeText(t, c, "\x16\x03\x01\x01\x00\x01")
}

func TestAHandshakeThatStallsIsEndedByATimeoutOrAShutdown(t *testing.T) {
	server, _ := certified()
	for name, c := range map[string]struct {
		handle func(*Conn)
		end    func(*eventloop.Loop, *Listener) error
		want   error
	}{
		"read time-out": {func(c *Conn) { c.SetReadTimeout(time.Millisecond) }, nil, ErrIdle},
		"Close":         {(*Conn).Close, nil, nil},
		"end of the context": {func(*Conn) {}, func(_ *eventloop.Loop, l *Listener) error {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			_ = l.Shutdown(ctx)
			return nil
		}, context.Canceled},
		"end of the loop":                       {func(*Conn) {}, func(loop *eventloop.Loop, _ *Listener) error { return loop.Close() }, ErrLoopEnded},
		"in real time, shutdown of the loop":    {func(*Conn) {}, func(loop *eventloop.Loop, _ *Listener) error { return loop.Shutdown(context.Background()) }, ErrShutdown},
		"in real time, shutdown with an answer": {func(c *Conn) { c.OnShutdown(func() { c.End() }) }, func(loop *eventloop.Loop, _ *Listener) error { return loop.Shutdown(context.Background()) }, ErrShutdown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			loop, _ := panicking(t)
			closed, accepted := make(chan error, 1), make(chan struct{})
			l := secretly(t, loop, server, func(conn *Conn) {
				conn.OnClose(func(err error) { closed <- err })
				c.handle(conn)
				close(accepted)
			})
			stalled(t, l)
			testkit.Await(t, "connection", accepted)
			if c.end != nil {
				testkit.Must(t, c.end(loop, l))
			}
			if err := testkit.Await(t, "close", closed); !errors.Is(err, c.want) {
				t.Errorf("closed with %v", err)
			}
		})
	}
}

func TestWhatIsWrittenBeforeTheHandshakeIsSentThoughTheLoopShutsDown(t *testing.T) {
	server, client := certified()
	loop, ran := panicking(t)
	accepted := make(chan struct{})
	l := secretly(t, loop, server, func(c *Conn) {
		c.OnData(func([]byte) {})
		c.Write([]byte("early"))
		close(accepted)
	})
	n := dial(t, l.Addr().String())
	testkit.Await(t, "connection", accepted)
	go func() { _ = loop.Shutdown(context.Background()) }()
	for limit := time.Now().Add(testkit.Patience); l.group.open() && time.Now().Before(limit); {
		time.Sleep(time.Millisecond) // until the loop drains
	}
	client.ServerName = "127.0.0.1"
	c := tls.Client(n.Conn, client)
	if got := readAll(t, c); got != "early" {
		t.Errorf("got %q", got)
	}
	testkit.Must(t, c.Close())
	testkit.Must(t, testkit.Await(t, "Run", ran))
}

// open reports whether the loop takes listeners.
func (g *group) open() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return !g.over
}

func TestAnEndThatLosesDataIsNoEndForTLS(t *testing.T) {
	server, client := certified()
	closed := make(chan error, 1)
	accepted := make(chan *Conn, 1)
	loop := running(t)
	l := secretly(t, loop, server, func(c *Conn) {
		c.SetHighWater(64 << 20)
		c.OnData(func([]byte) { c.Write(make([]byte, 32<<20)); c.Close() })
		c.OnClose(func(err error) { closed <- err })
		accepted <- c
	})
	c, err := tls.Dial("tcp", l.Addr().String(), client)
	testkit.Must(t, err)
	defer c.Close()
	testkit.Must(t, c.SetDeadline(time.Now().Add(testkit.Patience)))
	writeText(t, c, "x")
	var unsent *UnsentError
	if err := testkit.Await(t, "close", closed); !errors.As(err, &unsent) {
		t.Errorf("closed with %v", err)
	}
	got, err := io.Copy(io.Discard, c)
	if err == nil {
		t.Errorf("%d bytes came, and then a clean end", got)
	}
	if missing := 32<<20 - got; int64(unsent.Bytes) > missing {
		t.Errorf("%d bytes are unsent, and %d are missing", unsent.Bytes, missing)
	}
}

func TestSessionsAreResumed(t *testing.T) {
	server, client := certified()
	loop := running(t)
	l := secretly(t, loop, server, func(c *Conn) { c.OnData(func(p []byte) { c.Write(p) }) })
	client.ClientSessionCache = tls.NewLRUClientSessionCache(1)
	resumed := make(chan bool, 2)
	client.VerifyConnection = func(s tls.ConnectionState) error { resumed <- s.DidResume; return nil }
	for i := range 2 {
		done := make(chan error, 1)
		testkit.On(t, loop, func() {
			promise.Then(DialWith(context.Background(), loop, &tls.Dialer{Config: client}, "tcp", l.Addr().String()), func(c *Conn) (any, error) {
				c.OnData(func([]byte) { c.Close() }) // the ticket came before
				c.OnClose(func(err error) { done <- err })
				c.Write([]byte("x"))
				return nil, nil
			}).Catch(func(err error) (any, error) { done <- err; return nil, nil })
		})
		testkit.Must(t, testkit.Await(t, "close", done))
		if got := testkit.Await(t, "handshake", resumed); got != (i == 1) {
			t.Errorf("connection %d resumes: %v", i, got)
		}
	}
}

// A client of OpenSSL asks for new keys when it reads K in a line of its own, and renews only its own keys for k.
func TestKeysAreRenewed(t *testing.T) {
	program, err := exec.LookPath("openssl")
	if err != nil {
		t.Skip("crypto/tls cannot ask for new keys, and there is no openssl")
	}
	server, _ := certified()
	l := secretly(t, running(t), server, echo)
	ctx, cancel := context.WithTimeout(context.Background(), testkit.Patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "s_client", "-connect", l.Addr().String(), "-brief", "-no_ign_eof", "-tls1_3")
	in, err := cmd.StdinPipe()
	testkit.Must(t, err)
	out, err := cmd.StdoutPipe()
	testkit.Must(t, err)
	report, err := cmd.StderrPipe()
	testkit.Must(t, err)
	testkit.Must(t, cmd.Start())
	defer func() { _ = in.Close(); _ = cmd.Wait() }()
	reports := bufio.NewScanner(report)
	for i := range 20 {
		line := fmt.Sprintf("line %d\n", i)
		writeText(t, in, line)
		got := make([]byte, len(line))
		if _, err := io.ReadFull(out, got); err != nil || string(got) != line {
			t.Fatalf("got %q: %v", got, err)
		}
		writeText(t, in, []string{"K\n", "k\n"}[i%2])
		for reports.Scan() && reports.Text() != "KEYUPDATE" { // it takes a line for each read
		}
	}
}
