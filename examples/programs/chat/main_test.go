package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// each starts every server, the one in Node included, and stops it after the test.
func each(t *testing.T, test func(t *testing.T, address string, stop func())) {
	for name, serve := range servers {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- serve(ctx, l) }()
			test(t, l.Addr().String(), cancel)
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
	t.Run("node", func(t *testing.T) {
		node, err := exec.LookPath("node")
		if err != nil || runtime.GOOS == "windows" { // which cannot send signals
			t.Skip("node is not on the PATH, or has no signals")
		}
		cmd := exec.Command(node, "chat.js")
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		port, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		stop := sync.OnceFunc(func() {
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Error(err)
			}
		})
		test(t, "127.0.0.1:"+strings.TrimSpace(port), stop)
		stop()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
}

type client struct {
	t testing.TB
	net.Conn
	in *bufio.Reader
}

func connect(t testing.TB, address, name string) *client {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	c := &client{t, conn, bufio.NewReader(conn)}
	c.say(name)
	return c
}

func (c *client) say(text string) {
	c.t.Helper()
	if _, err := fmt.Fprintln(c, text); err != nil {
		c.t.Error(err)
	}
}

func (c *client) hears(want ...string) {
	c.t.Helper()
	for _, want := range want {
		if text, err := c.in.ReadString('\n'); err != nil || text != want+"\n" {
			c.t.Fatalf("heard %q, %v, want %q", text, err, want)
		}
	}
}

func (c *client) isDisconnected() {
	c.t.Helper()
	if text, err := c.in.ReadString('\n'); !errors.Is(err, io.EOF) {
		c.t.Fatalf("heard %q, %v", text, err)
	}
}

func TestMembersHearEachOther(t *testing.T) {
	each(t, func(t *testing.T, address string, stop func()) {
		ann := connect(t, address, "ann")
		ann.hears("welcome")
		taken := connect(t, address, "ann")
		taken.hears("this name is taken")
		taken.isDisconnected()

		bob := connect(t, address, "bob")
		bob.hears("welcome")
		ann.hears("bob joins")
		bob.say("hello")
		ann.hears("bob: hello")
		ann.say("hi")
		bob.hears("ann: hi")
		bob.Close()
		ann.hears("bob leaves")
		stop()
		ann.hears("goodbye")
		ann.isDisconnected()
	})
}

func BenchmarkChat(b *testing.B) {
	for _, name := range []string{"plain", "loop"} {
		b.Run(name, func(b *testing.B) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				b.Fatal(err)
			}
			ctx, cancel := context.WithCancel(b.Context())
			ended := make(chan error, 1)
			go func() { ended <- servers[name](ctx, l) }()
			members := []*client{connect(b, l.Addr().String(), "m0")}
			members[0].hears("welcome")
			for i := 1; i < 10; i++ {
				m := connect(b, l.Addr().String(), fmt.Sprint("m", i))
				m.hears("welcome")
				for _, other := range members {
					other.hears(fmt.Sprintf("m%d joins", i))
				}
				members = append(members, m)
			}
			for b.Loop() { // one says something, nine hear it
				members[0].say("hello")
				for _, m := range members[1:] {
					m.hears("m0: hello")
				}
			}
			cancel()
			<-ended
		})
	}
}
