//go:build unix

package eventloop

import (
	"errors"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/eventloop-go/eventloop/internal/netpoll"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// countedCalls counts the waits of a set.
type countedCalls struct {
	netpoll.Calls
	creates, waits atomic.Int64
}

func (c *countedCalls) Create() (int, error) {
	c.creates.Add(1)
	return c.Calls.Create()
}

func (c *countedCalls) Wait(set int, events []netpoll.Event) (int, error) {
	c.waits.Add(1)
	return c.Calls.Wait(set, events)
}

// A churn closes descriptors and opens others of the same numbers, in callbacks, while events of the old ones are pending.
type churn struct {
	t        *testing.T
	l        *Loop
	left     int // files to open
	stale    int // callbacks of a file that is closed
	opened   int
	closed   []func() // of the files that are open
	forget   bool     // close without unregistering
	dup      bool     // close before unregistering, with a duplicate that stays open for a while
	leftover []int
}

// open opens a pipe that is ready, and registers it.
func (c *churn) open() {
	if c.left == 0 {
		return
	}
	c.left--
	c.opened++
	r, w := testkit.Pipe(c.t)
	write(c.t, w, "x")
	open := true
	c.closed = append(c.closed, func() {
		open = false
		if c.dup {
			d, err := syscall.Dup(r)
			testkit.Must(c.t, err)
			c.leftover = append(c.leftover, d)
			testkit.CloseFDs(c.t, r, w) // the kernel goes on reporting the file
			testkit.Must(c.t, unregisterFD(c.l, r))
		} else {
			if !c.forget {
				testkit.Must(c.t, unregisterFD(c.l, r))
			}
			testkit.CloseFDs(c.t, r, w)
		}
		if len(c.leftover) > 20 {
			testkit.CloseFDs(c.t, c.leftover...)
			c.leftover = nil
		}
	})
	testkit.Must(c.t, registerFD(c.l, r, EventRead, func(IOEvents) {
		if !open {
			c.stale++
		}
		c.turnOver()
	}))
}

// turnOver closes all files and opens as many.
func (c *churn) turnOver() {
	old := c.closed
	c.closed = nil
	for _, f := range old {
		f()
	}
	for range old {
		c.open()
	}
	if len(c.closed) == 0 {
		if c.forget { // their registrations keep the loop open
			testkit.Must(c.t, c.l.Close())
		}
	}
}

func TestNoEventReachesADescriptorThatWasClosedAndOpenedAgain(t *testing.T) {
	for _, test := range []struct {
		name        string
		files       int
		forget, dup bool
	}{
		{"unregistered", 100_000, false, false},
		{"closed only", 100_000, true, false},
		{"with duplicates", 3_000, false, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.files = testkit.Scale(test.files)
			calls := &countedCalls{Calls: netpoll.System()}
			c := &churn{t: t, l: New(WithAutoExit()), left: test.files, forget: test.forget, dup: test.dup}
			c.l.poller.Init(calls, (*ioOwner)(c.l))
			for range 4 {
				c.open()
			}
			if err := c.l.Run(testkit.Bounded(t)); err != nil && !errors.Is(err, ErrLoopClosed) {
				t.Fatal(err)
			}
			testkit.CloseFDs(t, c.leftover...)
			if c.stale > 0 || c.opened != test.files {
				t.Errorf("%d stale callbacks, %d files", c.stale, c.opened)
			}
			// Four files to a round. Each round takes a look that finds them, and may take one that finds nothing; an
			// leaked registration is reported twice before it is left behind.
			waits, rounds := calls.waits.Load(), int64(test.files/4)
			if waits > 5*rounds+10 {
				t.Errorf("%d looks for %d rounds", waits, rounds)
			}
			t.Logf("%d files, %d looks, %d sets, no stale callback", test.files, waits, calls.creates.Load())
		})
	}
}

func TestALoopWithoutADescriptorToSpareRefusesTheFirstRegistrationOnly(t *testing.T) {
	r, w := testkit.Pipe(t)
	defer testkit.CloseFDs(t, r, w)
	var limit syscall.Rlimit
	testkit.Must(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	none := limit
	none.Cur = 3
	l := running(t)
	testkit.Must(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &none))
	err := registerFD(l, r, EventRead, func(IOEvents) {})
	testkit.Must(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit))
	if !errors.Is(err, syscall.EMFILE) {
		t.Errorf("RegisterFD: %v, want EMFILE", err)
	}
	done := make(chan struct{})
	testkit.Must(t, registerFD(l, r, EventRead, func(IOEvents) {
		testkit.Must(t, unregisterFD(l, r))
		close(done)
	}))
	write(t, w, "x")
	testkit.Await(t, "readiness", done)
}

// The test closes the loop's own descriptor while the set still waits for it.
func TestARegistrationEndsWithAnErrorWhenTheSetFails(t *testing.T) {
	r, w := testkit.Pipe(t)
	defer testkit.CloseFDs(t, r, w)
	calls := &failingWait{Calls: netpoll.System()}
	var got []IOEvents
	l := New(WithAutoExit())
	l.poller.Init(calls, (*ioOwner)(l))
	testkit.Must(t, registerFD(l, r, EventRead, func(e IOEvents) { got = append(got, e) }))
	testkit.Must(t, l.Run(testkit.Bounded(t))) // which ends, for nothing is registered any more
	if len(got) != 1 || got[0] != EventError {
		t.Errorf("events %v", got)
	}
}

type failingWait struct{ netpoll.Calls }

func (failingWait) Wait(int, []netpoll.Event) (int, error) { return 0, syscall.EINVAL }
