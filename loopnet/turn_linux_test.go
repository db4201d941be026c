package loopnet

import (
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/internal/testkit"
	"golang.org/x/sys/unix"
)

// packets returns a connection whose every system call to write arrives as a packet at the descriptor.
func packets(t *testing.T, loop *eventloop.Loop) (c *Conn, fd int) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	testkit.Must(t, err)
	t.Cleanup(func() { _ = unix.Close(fds[1]) })
	testkit.Must(t, unix.SetNonblock(fds[0], true))
	testkit.On(t, loop, func() {
		c = &Conn{loop: loop, highWater: DefaultHighWater}
		testkit.Must(t, open(c, fds[0]))
	})
	return c, fds[1]
}

func packet(t *testing.T, fd int) string {
	buf := make([]byte, 1<<20)
	n, err := unix.Read(fd, buf)
	testkit.Must(t, err)
	return string(buf[:n])
}

func TestWhatATurnWritesLeavesInOneSystemCallForEachConnection(t *testing.T) {
	loop := running(t)
	var conns [3]*Conn
	var fds [3]int
	for i := range conns {
		conns[i], fds[i] = packets(t, loop)
	}
	shared := []byte("shared ")
	say := func(text string) {
		for _, c := range conns {
			c.Write([]byte(text))
			c.WriteShared(shared)
		}
	}
	testkit.On(t, loop, func() { // an external task
		say("task ")
		_ = loop.ScheduleMicrotask(func() { say("microtask ") })
		_ = loop.ScheduleImmediate(func() { say("immediate ") })
	})
	for _, fd := range fds {
		if got := packet(t, fd); got != "task shared microtask shared immediate shared " {
			t.Errorf("the first packet is %q", got)
		}
	}
	testkit.On(t, loop, func() {
		say("now ")
		conns[0].Flush()
		say("later ")
	})
	for i, want := range [][]string{{"now shared ", "later shared "}, {"now shared later shared "}, {"now shared later shared "}} {
		for _, want := range want {
			if got := packet(t, fds[i]); got != want {
				t.Errorf("connection %d: %q instead of %q", i, got, want)
			}
		}
	}
	testkit.On(t, loop, func() {
		for _, c := range conns {
			c.Write([]byte("last words"))
			c.Close()
			c.Close()
		}
	})
	for _, fd := range fds {
		if got := packet(t, fd) + packet(t, fd); got != "last words" {
			t.Errorf("before the end comes %q", got)
		}
	}
}

func TestManyBytesDoNotWaitForTheEndOfTheTurn(t *testing.T) {
	loop := running(t)
	c, fd := packets(t, loop)
	testkit.On(t, loop, func() {
		for range flushFrom/1000 + 1 {
			c.WriteShared(make([]byte, 1000))
		}
		if n := c.Buffered(); n > 1000 {
			t.Errorf("%d bytes wait", n)
		}
	})
	if n := len(packet(t, fd)); n < flushFrom-1000 {
		t.Errorf("a packet of %d bytes", n)
	}
}

func TestPiecesThatAreSharedAreNotCopiedForEachConnection(t *testing.T) {
	loop := running(t)
	payload := make([]byte, 1<<20)
	testkit.On(t, loop, func() {
		for range 50 {
			c := &Conn{loop: loop, highWater: 2 << 20, blocked: true}
			fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
			testkit.Must(t, err)
			defer unix.Close(fds[1])
			testkit.Must(t, open(c, fds[0]))
			c.WriteShared(payload)
			if x := c.out.pieces[0].p; &x[0] != &payload[0] || c.Buffered() != len(payload) {
				t.Fatal("the payload was copied")
			}
			c.Close()
		}
	})
}

func TestSmallMessagesToARoomLieOnceInMemory(t *testing.T) {
	loop := running(t)
	var conns [20]*Conn
	var fds [20]int
	for i := range conns {
		conns[i], fds[i] = packets(t, loop)
	}
	want := ""
	testkit.On(t, loop, func() {
		for k := range 100 {
			message := []byte{byte(k), 'm'}
			want += string(message)
			for _, c := range conns {
				c.WriteShared(message)
			}
		}
		turn := &conns[0].group.turn
		if len(turn.buf) != 200 {
			t.Errorf("the buffer has %d bytes", len(turn.buf))
		}
		for _, c := range conns {
			if len(c.out.pieces) != 1 {
				t.Errorf("a connection has %d pieces", len(c.out.pieces))
			}
		}
		conns[1].Flush()
		conns[1].WriteShared([]byte("alone"))
	})
	for i, fd := range fds {
		if got := packet(t, fd); got != want {
			t.Errorf("connection %d got %q", i, got)
		}
	}
	if got := packet(t, fds[1]); got != "alone" {
		t.Errorf("then %q", got)
	}
}

// A connection that is paused, and whose both directions are closed, would be ready for ever.
func TestAHangUpDoesNotKeepALoopWithAPausedConnectionTurning(t *testing.T) {
	loop := running(t)
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	testkit.Must(t, err)
	testkit.Must(t, unix.SetNonblock(fds[0], true))
	got := make(chan string, 1)
	var c *Conn
	testkit.On(t, loop, func() {
		c = &Conn{loop: loop, highWater: DefaultHighWater}
		testkit.Must(t, open(c, fds[0]))
		c.OnData(func(p []byte) { got <- string(p) })
		c.Pause()
	})
	_, err = unix.Write(fds[1], []byte("unread"))
	testkit.Must(t, err)
	testkit.Must(t, unix.Close(fds[1])) // hung up
	turns := 0
	stop := inspect.Observe(loop, inspect.Phases, func(e inspect.Event) {
		if e.Type == inspect.PhaseBegan && e.Phase == inspect.PhasePoll {
			turns++
		}
	})
	defer stop()
	for range 1000 {
		testkit.On(t, loop, func() {})
	}
	testkit.On(t, loop, func() {
		if turns > 2 {
			t.Errorf("its descriptor was reported in %d turns", turns)
		}
		c.Resume()
	})
	if got := testkit.Await(t, "data", got); got != "unread" {
		t.Errorf("after Resume came %q", got)
	}
}
