//go:build unix

package eventloop

import (
	"errors"
	"net"
	"os"
	"runtime"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/meter"
	"github.com/eventloop-go/eventloop/internal/netpoll"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// reopen makes the descriptor r, open or not, the reading end of a new pipe, and returns the other end.
func reopen(t testing.TB, r int) (w int) {
	t.Helper()
	other, w := testkit.Pipe(t)
	if other != r {
		testkit.Must(t, unix.Dup2(other, r))
		testkit.CloseFDs(t, other)
	}
	return w
}

func write(t testing.TB, fd int, text string) {
	t.Helper()
	if n, err := syscall.Write(fd, []byte(text)); err != nil || n != len(text) {
		t.Fatalf("wrote %d of %d bytes: %v", n, len(text), err)
	}
}

func read(fd int) string {
	var buf [64]byte
	n, err := syscall.Read(fd, buf[:])
	if err != nil {
		return err.Error()
	}
	return string(buf[:n])
}

// The watches of the tests' descriptors, by number.
var watches struct {
	sync.Mutex
	of map[watchKey]*Watch
}

type watchKey struct {
	l  *Loop
	fd int
}

// registerFD is RegisterFD for a test whose callback ends the watch: it finds that by the number.
func registerFD(l *Loop, fd int, events IOEvents, callback func(IOEvents)) error {
	watches.Lock()
	defer watches.Unlock()
	w, err := l.RegisterFD(fd, events, callback)
	if err == nil {
		if watches.of == nil {
			watches.of = map[watchKey]*Watch{}
		}
		watches.of[watchKey{l, fd}] = w
	}
	return err
}

func watchOf(l *Loop, fd int) *Watch {
	watches.Lock()
	defer watches.Unlock()
	return watches.of[watchKey{l, fd}]
}

func unregisterFD(l *Loop, fd int) error { return watchOf(l, fd).Close() }

func modifyFD(l *Loop, fd int, events IOEvents) error { return watchOf(l, fd).Modify(events) }

func TestADescriptorIsReportedAsLongAsItIsReady(t *testing.T) {
	l := running(t)
	r, w := testkit.Pipe(t)
	calls, text := 0, ""
	done := make(chan struct{})
	testkit.Must(t, registerFD(l, r, EventRead, func(e IOEvents) {
		if e != EventRead {
			t.Errorf("events %v, want read", e)
		}
		if calls++; calls < 3 {
			return // unread: it is reported again
		}
		text = read(r)
		testkit.Must(t, unregisterFD(l, r))
		close(done)
	}))
	write(t, w, "hello")
	testkit.Await(t, "readiness", done)
	if calls != 3 || text != "hello" {
		t.Errorf("%d calls, read %q", calls, text)
	}
	testkit.CloseFDs(t, r, w)
}

func TestDataFromBeforeTheRegistrationIsReported(t *testing.T) {
	l := running(t)
	r, w := testkit.Pipe(t)
	write(t, w, "x")
	done := make(chan struct{})
	testkit.Must(t, registerFD(l, r, EventRead, func(IOEvents) { read(r); close(done) }))
	testkit.Await(t, "readiness", done)
	testkit.Must(t, unregisterFD(l, r))
	testkit.CloseFDs(t, r, w)
}

func TestModifyPausesAndResumes(t *testing.T) {
	l := running(t)
	a, b := testkit.Socketpair(t)
	events := make(chan IOEvents, 10)
	testkit.Must(t, registerFD(l, a, 0, func(e IOEvents) {
		testkit.Must(t, modifyFD(l, a, 0))
		events <- e
	}))
	write(t, b, "x")
	testkit.On(t, l, func() {})
	testkit.Must(t, modifyFD(l, a, EventRead))
	if e := testkit.Await(t, "read", events); e != EventRead {
		t.Errorf("events %v, want read", e)
	}
	testkit.Must(t, modifyFD(l, a, EventWrite))
	if e := testkit.Await(t, "write", events); e != EventWrite {
		t.Errorf("events %v, want write", e)
	}
	testkit.Must(t, modifyFD(l, a, EventRead|EventWrite))
	if e := testkit.Await(t, "both", events); e != EventRead|EventWrite {
		t.Errorf("events %v, want read|write", e)
	}
	testkit.Must(t, unregisterFD(l, a))
	if len(events) > 0 {
		t.Errorf("%v reported while paused", <-events)
	}
	testkit.CloseFDs(t, a, b)
}

func TestAHalfClosedConnectionIsReportedToThoseWhoAsk(t *testing.T) {
	for _, test := range []struct{ ask, want IOEvents }{{EventRead, EventRead}, {EventRead | EventHangup, EventRead | EventHangup}} {
		l := running(t)
		a, b := testkit.Socketpair(t)
		events := make(chan IOEvents, 1)
		testkit.Must(t, registerFD(l, a, test.ask, func(e IOEvents) {
			testkit.Must(t, modifyFD(l, a, 0))
			events <- e
		}))
		testkit.Must(t, syscall.Shutdown(b, syscall.SHUT_WR))
		if e := testkit.Await(t, "end of stream", events); e != test.want {
			t.Errorf("asked for %v: events %v, want %v", test.ask, e, test.want)
		}
		write(t, a, "still arrives")
		if got := read(b); got != "still arrives" {
			t.Errorf("the other direction has %q", got)
		}
		testkit.Must(t, unregisterFD(l, a))
		testkit.CloseFDs(t, a, b)
	}
}

func TestHangUpAndErrorAreReportedWithoutBeingAskedFor(t *testing.T) {
	l := running(t)
	r, w := testkit.Pipe(t)
	events := make(chan IOEvents, 1)
	testkit.Must(t, registerFD(l, w, EventWrite, func(e IOEvents) {
		if e != EventWrite {
			testkit.Must(t, unregisterFD(l, w))
			events <- e
		}
	}))
	testkit.CloseFDs(t, r)
	if e := testkit.Await(t, "error", events); e&(EventError|EventHangup) == 0 {
		t.Errorf("events %v of a pipe that nobody reads", e)
	}
	testkit.CloseFDs(t, w)
}

func TestARegistrationKeepsTheLoopOpenUnlessUnreferenced(t *testing.T) {
	r, w := testkit.Pipe(t)
	got := ""
	runMain(t, func(l *Loop) {
		testkit.Must(t, registerFD(l, r, EventRead, func(IOEvents) {
			got = read(r)
			testkit.Must(t, unregisterFD(l, r))
		}))
		watchOf(l, r).Unref()
		watchOf(l, r).Unref()
		watchOf(l, r).Ref()
		watchOf(l, r).Ref()
		go func() { _, _ = syscall.Write(w, []byte("late")) }()
	})
	if got != "late" {
		t.Errorf("the loop has ended with %q read", got)
	}
	runMain(t, func(l *Loop) {
		testkit.Must(t, registerFD(l, r, EventRead, func(IOEvents) { t.Error("called") }))
		watchOf(l, r).Unref()
	})
	testkit.CloseFDs(t, r, w)
}

func TestTheLoopMayEndBeforeItsDescriptors(t *testing.T) {
	r, w := testkit.Pipe(t)
	l := New()
	testkit.Must(t, registerFD(l, r, EventRead, func(IOEvents) { t.Error("called") }))
	testkit.Must(t, l.Close())
	if err := watchOf(l, r).Close(); err != nil {
		t.Errorf("Close after the end: %v", err)
	}
	if err := watchOf(l, r).Modify(EventRead); !errors.Is(err, net.ErrClosed) {
		t.Errorf("Modify after the end: %v", err)
	}
	if err := registerFD(l, r, EventRead, func(IOEvents) {}); err != ErrLoopTerminated {
		t.Errorf("RegisterFD after the end: %v", err)
	}
	l = New()
	result := testkit.Launch(l)
	testkit.Must(t, registerFD(l, r, EventRead, func(IOEvents) {})) // does not read
	write(t, w, "x")
	testkit.Must(t, l.Shutdown(testkit.Bounded(t)))
	testkit.Must(t, testkit.Await(t, "Run", result))
	testkit.CloseFDs(t, r, w)
}

func TestBadRegistrationsAreRefused(t *testing.T) {
	l := running(t)
	r, w := testkit.Pipe(t)
	defer testkit.CloseFDs(t, r, w)
	nop := func(IOEvents) {}
	testkit.Must(t, registerFD(l, r, EventRead, nop))
	file, err := os.CreateTemp(t.TempDir(), "")
	testkit.Must(t, err)
	defer file.Close()
	var zero Loop
	for _, test := range []struct {
		what string
		got  error
		want error
	}{
		{"registered", registerFD(l, r, EventRead, nop), ErrFDRegistered},
		{"nil callback", registerFD(l, w, EventRead, nil), inside.ErrNilCallback},
		{"events", registerFD(l, w, 1<<6, nop), inside.ErrInvalidEvents},
		{"events of Modify", modifyFD(l, r, 1<<6), inside.ErrInvalidEvents},
		{"negative", registerFD(l, -1, EventRead, nop), syscall.EBADF},
		{"not open", registerFD(l, 1<<20, EventRead, nop), syscall.EBADF},
		{"zero loop", registerFD(&zero, r, EventRead, nop), inside.ErrZeroLoop},
	} {
		if !errors.Is(test.got, test.want) {
			t.Errorf("%s: %v, want %v", test.what, test.got, test.want)
		}
	}
	if err := registerFD(l, int(file.Fd()), EventRead, nop); runtime.GOOS == "linux" && !errors.Is(err, syscall.EPERM) {
		t.Errorf("a regular file: %v, want %v", err, syscall.EPERM)
	}
	testkit.Must(t, unregisterFD(l, r))
}

func TestADescriptorClosedByAnotherGoroutineIsReportedNoMore(t *testing.T) {
	l := running(t)
	r, w := testkit.Pipe(t)
	testkit.Must(t, registerFD(l, r, EventRead, func(IOEvents) { t.Error("called for a descriptor that was closed") }))
	testkit.CloseFDs(t, r)
	if err := modifyFD(l, r, EventRead); !errors.Is(err, syscall.EBADF) {
		t.Errorf("Modify: %v, want EBADF", err)
	}
	if err := modifyFD(l, r, EventRead); !errors.Is(err, net.ErrClosed) {
		t.Errorf("Modify after that: %v, want net.ErrClosed", err)
	}
	testkit.Must(t, unregisterFD(l, r))
	w2 := reopen(t, r)
	testkit.Must(t, registerFD(l, r, EventRead, func(IOEvents) { t.Error("called") }))
	testkit.CloseFDs(t, r)
	testkit.Must(t, unregisterFD(l, r))
	testkit.CloseFDs(t, w, w2)
}

// A registration whose descriptor was closed makes room for the next one of the same number, and keeps the loop open no
// longer.
func TestANumberIsRegisteredAgainAfterItsFileWasClosed(t *testing.T) {
	got := ""
	runMain(t, func(l *Loop) {
		r, w := testkit.Pipe(t)
		testkit.Must(t, registerFD(l, r, EventRead, func(IOEvents) { t.Error("the old callback") }))
		write(t, w, "old")
		w2 := reopen(t, r)
		testkit.CloseFDs(t, w)
		testkit.Must(t, registerFD(l, r, EventRead, func(IOEvents) {
			got = read(r)
			testkit.Must(t, unregisterFD(l, r))
			testkit.CloseFDs(t, r, w2)
		}))
		write(t, w2, "new")
	})
	if got != "new" {
		t.Errorf("read %q", got)
	}
}

// The number of a descriptor that was closed belongs to another file, with a watch of its own.
func TestAStaleWatchTouchesNoOther(t *testing.T) {
	l := running(t)
	r, w := testkit.Pipe(t)
	stale, err := l.RegisterFD(r, EventRead, func(IOEvents) { t.Error("the old callback") })
	testkit.Must(t, err)
	old := w
	w = reopen(t, r)
	testkit.CloseFDs(t, old) // not before, or the old file would be ready
	got := make(chan string, 1)
	var fresh *Watch
	fresh, err = l.RegisterFD(r, 0, func(IOEvents) {
		got <- read(r)
		testkit.Must(t, fresh.Close())
	})
	testkit.Must(t, err)
	if err := stale.Modify(EventWrite); !errors.Is(err, net.ErrClosed) {
		t.Errorf("Modify of a stale watch: %v", err)
	}
	stale.Unref()
	stale.Ref()
	testkit.Must(t, stale.Close())
	testkit.Must(t, fresh.Modify(EventRead))
	write(t, w, "new")
	if text := testkit.Await(t, "the new file", got); text != "new" {
		t.Errorf("read %q", text)
	}
	testkit.Must(t, stale.Close())
	testkit.CloseFDs(t, r, w)
}

// A hang-up lasts for ever. Without a pause that holds, its callback would run in every turn.
func TestAPausedWatchReportsAHangUpOnce(t *testing.T) {
	calls := &countedCalls{Calls: netpoll.System()}
	l := New()
	l.poller.Init(calls, (*ioOwner)(l))
	result := testkit.Launch(l)
	a, b := testkit.Socketpair(t)
	events := make(chan IOEvents, 100)
	var w *Watch
	w, err := l.RegisterFD(a, 0, func(e IOEvents) {
		if e&EventRead != 0 {
			testkit.Must(t, w.Close())
		}
		events <- e
	})
	testkit.Must(t, err)
	testkit.Must(t, w.Modify(EventRead))
	testkit.Must(t, w.Modify(0))
	testkit.CloseFDs(t, b)
	if runtime.GOOS == "linux" {
		if e := testkit.Await(t, "a hang-up", events); e&^(EventHangup|EventError) != 0 {
			t.Errorf("events %v in a pause", e)
		}
	}
	testkit.Must(t, w.Modify(0)) // the same pause
	before := calls.waits.Load()
	for range 50 {
		testkit.On(t, l, func() {})
	}
	if n := calls.waits.Load() - before; n > 3 || len(events) > 0 {
		t.Errorf("in the pause the loop has looked %d times, and reported %d events", n, len(events))
	}
	testkit.Must(t, w.Modify(EventRead))
	if e := testkit.Await(t, "the end of the stream", events); e&EventRead == 0 {
		t.Errorf("events %v after the pause", e)
	}
	testkit.Must(t, w.Close())
	testkit.Must(t, l.Shutdown(testkit.Bounded(t)))
	testkit.Must(t, <-result)
	testkit.CloseFDs(t, a)
}

func TestAWatchWithoutEventsReportsNothingBeforeItHasSome(t *testing.T) {
	l := running(t)
	a, b := testkit.Socketpair(t)
	testkit.CloseFDs(t, b)
	events := make(chan IOEvents, 100)
	var w *Watch
	w, err := l.RegisterFD(a, 0, func(e IOEvents) {
		testkit.Must(t, w.Close()) // the handle is there
		events <- e
	})
	testkit.Must(t, err)
	testkit.On(t, l, func() {})
	testkit.Must(t, w.Modify(EventRead))
	if e := testkit.Await(t, "the end of the stream", events); e&EventRead == 0 {
		t.Errorf("events %v", e)
	}
	testkit.CloseFDs(t, a)
}

func TestACloseCallbackRunsInTheLastPhase(t *testing.T) {
	var j testkit.Journal
	r, w := testkit.Pipe(t)
	runMain(t, func(l *Loop) {
		testkit.Must(t, registerFD(l, r, EventRead, func(IOEvents) {
			testkit.Must(t, unregisterFD(l, r))
			testkit.CloseFDs(t, r, w)
			j.Say("io")
			testkit.Must(t, l.scheduleClose(func() {
				j.Say("close")
				testkit.Must(t, l.scheduleClose(j.Does("next close")))
				testkit.Must(t, l.ScheduleImmediate(j.Does("next immediate")))
				testkit.Must(t, l.NextTick(j.Does("tick after close")))
			}))
			testkit.Must(t, l.ScheduleImmediate(j.Does("immediate")))
			testkit.Must(t, l.Submit(j.Does("task")))
			testkit.Must(t, l.SubmitInternal(j.Does("internal")))
			_, err := l.ScheduleTimer(0, j.Does("timer"))
			testkit.Must(t, err)
			testkit.Must(t, l.ScheduleMicrotask(j.Does("microtask")))
			testkit.Must(t, l.NextTick(j.Does("tick")))
		}))
		write(t, w, "x")
	})
	j.Expect(t, "io tick microtask immediate close tick after close timer internal task next immediate next close")
}

func TestMetricsCountCallbacksOfDescriptorsAndOfTheClosePhase(t *testing.T) {
	r, w := testkit.Pipe(t)
	calls := 0
	l := runMain(t, func(l *Loop) {
		testkit.Must(t, registerFD(l, r, EventRead, func(IOEvents) {
			if calls++; calls == 300 { // level-triggered: it is not read before
				testkit.Must(t, unregisterFD(l, r))
				testkit.Must(t, l.scheduleClose(func() { testkit.CloseFDs(t, r, w) }))
			}
		}))
		write(t, w, "x")
	}, measured())
	view{l}.ReadMeter(func(s *meter.Snapshot, _ int) {
		if s.Ran[meter.External] != 1 || s.Ran[meter.IO] != 300 || s.Ran[meter.Closing] != 1 || s.RunTime.Counts().Count() != 302 {
			t.Errorf("ran %v, %d run times", s.Ran, s.RunTime.Counts().Count())
		}
	})
}

func TestAPanicInAnIOCallbackLosesNoOther(t *testing.T) {
	var h heard
	l := New(WithAutoExit(), h.option())
	const n = 10
	called := 0
	for i := range n {
		r, w := testkit.Pipe(t)
		write(t, w, "x")
		testkit.Must(t, registerFD(l, r, EventRead, func(IOEvents) {
			called++
			testkit.Must(t, unregisterFD(l, r))
			testkit.CloseFDs(t, r, w)
			if i%3 == 0 {
				panic(i)
			}
		}))
	}
	testkit.Must(t, l.Run(testkit.Bounded(t)))
	if called != n || len(h) != 4 {
		t.Errorf("%d called, %d panics", called, len(h))
	}
}
