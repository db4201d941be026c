package loopnet

import (
	"context"
	"io"
	"net"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
)

// patience bounds every wait in these tests. Nothing waits it out unless something hangs.
const patience = 60 * time.Second

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func await[T any](t testing.TB, what string, ch <-chan T) T {
	t.Helper()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case v := <-ch:
		return v
	case <-timer.C:
		t.Fatalf("hangs: %s", what)
		panic("unreachable")
	}
}

// running returns a loop that runs until the test ends.
func running(t testing.TB) *eventloop.Loop {
	t.Helper()
	loop := eventloop.New()
	ran := make(chan error, 1)
	go func() { ran <- loop.Run(context.Background()) }()
	t.Cleanup(func() {
		must(t, loop.Shutdown(context.Background()))
		must(t, await(t, "Run", ran))
	})
	return loop
}

// on runs fn on the loop.
func on(t testing.TB, loop *eventloop.Loop, fn func()) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	must(t, loop.Do(ctx, fn))
}

// onWires runs a test with each kind of connection: serve puts the server's side of new connections on the loop.
func onWires(t *testing.T, test func(t *testing.T, serve func(loop *eventloop.Loop, handle func(*Conn)) (address string))) {
	t.Run("system", func(t *testing.T) {
		test(t, func(loop *eventloop.Loop, handle func(*Conn)) string {
			l, err := Listen(loop, "tcp", "127.0.0.1:0", handle)
			must(t, err)
			t.Cleanup(func() { must(t, l.Close()) })
			return l.Addr().String()
		})
	})
	t.Run("goroutines", func(t *testing.T) {
		test(t, func(loop *eventloop.Loop, handle func(*Conn)) string {
			n, err := net.Listen("tcp", "127.0.0.1:0")
			must(t, err)
			l := &Listener{loop: loop, net: n, group: groupOf(loop), handle: handle}
			must(t, l.acceptNet())
			t.Cleanup(func() { must(t, l.Close()) })
			return n.Addr().String()
		})
	})
}

// dial connects to an address; reads and writes end in time.
func dial(t testing.TB, address string) *net.TCPConn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	must(t, err)
	must(t, c.SetDeadline(time.Now().Add(patience)))
	t.Cleanup(func() { _ = c.Close() })
	return c.(*net.TCPConn)
}

func readAll(t testing.TB, r io.Reader) string {
	t.Helper()
	p, err := io.ReadAll(r)
	must(t, err)
	return string(p)
}

func writeText(t testing.TB, w io.Writer, text string) {
	t.Helper()
	_, err := io.WriteString(w, text)
	must(t, err)
}
