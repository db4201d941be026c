//go:build unix

package eventloop

import (
	"errors"
	"os"
	"runtime"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// pipe returns the two ends of a pipe that does not block.
func pipe(t testing.TB) (r, w int) {
	t.Helper()
	var p [2]int
	must(t, syscall.Pipe(p[:]))
	for _, fd := range p {
		must(t, syscall.SetNonblock(fd, true))
		syscall.CloseOnExec(fd)
	}
	return p[0], p[1]
}

// socketpair returns two connected stream sockets that do not block.
func socketpair(t testing.TB) (a, b int) {
	t.Helper()
	p, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	must(t, err)
	for _, fd := range p {
		must(t, syscall.SetNonblock(fd, true))
		syscall.CloseOnExec(fd)
	}
	return p[0], p[1]
}

// reopen makes the descriptor r, open or not, the reading end of a new pipe, and returns the other end.
func reopen(t testing.TB, r int) (w int) {
	t.Helper()
	other, w := pipe(t)
	if other != r {
		must(t, unix.Dup2(other, r))
		closeFDs(t, other)
	}
	return w
}

func closeFDs(t testing.TB, fds ...int) {
	t.Helper()
	for _, fd := range fds {
		must(t, syscall.Close(fd))
	}
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

func TestADescriptorIsReportedAsLongAsItIsReady(t *testing.T) {
	l := running(t)
	r, w := pipe(t)
	calls, text := 0, ""
	done := make(chan struct{})
	must(t, l.RegisterFD(r, EventRead, func(e IOEvents) {
		if e != EventRead {
			t.Errorf("events %v, want read", e)
		}
		if calls++; calls < 3 {
			return // unread: it is reported again
		}
		text = read(r)
		must(t, l.UnregisterFD(r))
		close(done)
	}))
	write(t, w, "hello")
	await(t, "readiness", done)
	if calls != 3 || text != "hello" {
		t.Errorf("%d calls, read %q", calls, text)
	}
	closeFDs(t, r, w)
}

func TestDataFromBeforeTheRegistrationIsReported(t *testing.T) {
	l := running(t)
	r, w := pipe(t)
	write(t, w, "x")
	done := make(chan struct{})
	must(t, l.RegisterFD(r, EventRead, func(IOEvents) { read(r); close(done) }))
	await(t, "readiness", done)
	must(t, l.UnregisterFD(r))
	closeFDs(t, r, w)
}

func TestModifyFDPausesAndResumes(t *testing.T) {
	l := running(t)
	a, b := socketpair(t)
	events := make(chan IOEvents, 10)
	must(t, l.RegisterFD(a, 0, func(e IOEvents) {
		must(t, l.ModifyFD(a, 0))
		events <- e
	}))
	write(t, b, "x")
	on(t, l, func() {})
	must(t, l.ModifyFD(a, EventRead))
	if e := await(t, "read", events); e != EventRead {
		t.Errorf("events %v, want read", e)
	}
	must(t, l.ModifyFD(a, EventWrite))
	if e := await(t, "write", events); e != EventWrite {
		t.Errorf("events %v, want write", e)
	}
	must(t, l.ModifyFD(a, EventRead|EventWrite))
	if e := await(t, "both", events); e != EventRead|EventWrite {
		t.Errorf("events %v, want read|write", e)
	}
	must(t, l.UnregisterFD(a))
	if len(events) > 0 {
		t.Errorf("%v reported while paused", <-events)
	}
	closeFDs(t, a, b)
}

func TestAHalfClosedConnectionIsReportedToThoseWhoAsk(t *testing.T) {
	for _, test := range []struct{ ask, want IOEvents }{{EventRead, EventRead}, {EventRead | EventHangup, EventRead | EventHangup}} {
		l := running(t)
		a, b := socketpair(t)
		events := make(chan IOEvents, 1)
		must(t, l.RegisterFD(a, test.ask, func(e IOEvents) {
			must(t, l.ModifyFD(a, 0))
			events <- e
		}))
		must(t, syscall.Shutdown(b, syscall.SHUT_WR))
		if e := await(t, "end of stream", events); e != test.want {
			t.Errorf("asked for %v: events %v, want %v", test.ask, e, test.want)
		}
		write(t, a, "still arrives")
		if got := read(b); got != "still arrives" {
			t.Errorf("the other direction has %q", got)
		}
		must(t, l.UnregisterFD(a))
		closeFDs(t, a, b)
	}
}

func TestHangUpAndErrorAreReportedWithoutBeingAskedFor(t *testing.T) {
	l := running(t)
	r, w := pipe(t)
	events := make(chan IOEvents, 1)
	must(t, l.RegisterFD(w, EventWrite, func(e IOEvents) {
		if e != EventWrite {
			must(t, l.UnregisterFD(w))
			events <- e
		}
	}))
	closeFDs(t, r)
	if e := await(t, "error", events); e&(EventError|EventHangup) == 0 {
		t.Errorf("events %v of a pipe that nobody reads", e)
	}
	closeFDs(t, w)
}

func TestARegistrationKeepsTheLoopOpenUnlessUnreferenced(t *testing.T) {
	r, w := pipe(t)
	got := ""
	runMain(t, func(l *Loop) {
		must(t, l.RegisterFD(r, EventRead, func(IOEvents) {
			got = read(r)
			must(t, l.UnregisterFD(r))
		}))
		must(t, l.UnrefFD(r))
		must(t, l.UnrefFD(r))
		must(t, l.RefFD(r))
		must(t, l.RefFD(r))
		go func() { _, _ = syscall.Write(w, []byte("late")) }()
	})
	if got != "late" {
		t.Errorf("the loop has ended with %q read", got)
	}
	runMain(t, func(l *Loop) {
		must(t, l.RegisterFD(r, EventRead, func(IOEvents) { t.Error("called") }))
		must(t, l.UnrefFD(r))
	})
	closeFDs(t, r, w)
}

func TestTheLoopMayEndBeforeItsDescriptors(t *testing.T) {
	r, w := pipe(t)
	l := New()
	must(t, l.RegisterFD(r, EventRead, func(IOEvents) { t.Error("called") }))
	must(t, l.Close())
	if err := l.UnregisterFD(r); err != ErrFDNotRegistered {
		t.Errorf("UnregisterFD after the end: %v", err)
	}
	if err := l.RegisterFD(r, EventRead, func(IOEvents) {}); err != ErrLoopTerminated {
		t.Errorf("RegisterFD after the end: %v", err)
	}
	l = New()
	result := launch(l)
	must(t, l.RegisterFD(r, EventRead, func(IOEvents) {})) // does not read
	write(t, w, "x")
	must(t, l.Shutdown(bounded(t)))
	must(t, await(t, "Run", result))
	closeFDs(t, r, w)
}

func TestBadRegistrationsAreRefused(t *testing.T) {
	l := running(t)
	r, w := pipe(t)
	defer closeFDs(t, r, w)
	nop := func(IOEvents) {}
	must(t, l.RegisterFD(r, EventRead, nop))
	file, err := os.CreateTemp(t.TempDir(), "")
	must(t, err)
	defer file.Close()
	var zero Loop
	for _, test := range []struct {
		what string
		got  error
		want error
	}{
		{"registered", l.RegisterFD(r, EventRead, nop), ErrFDRegistered},
		{"nil callback", l.RegisterFD(w, EventRead, nil), ErrNilCallback},
		{"events", l.RegisterFD(w, 1<<6, nop), ErrInvalidEvents},
		{"events of ModifyFD", l.ModifyFD(r, 1<<6), ErrInvalidEvents},
		{"negative", l.RegisterFD(-1, EventRead, nop), syscall.EBADF},
		{"not open", l.RegisterFD(1<<20, EventRead, nop), syscall.EBADF},
		{"modify", l.ModifyFD(w, EventRead), ErrFDNotRegistered},
		{"unregister", l.UnregisterFD(w), ErrFDNotRegistered},
		{"unregister, negative", l.UnregisterFD(-1), ErrFDNotRegistered},
		{"ref", l.RefFD(w), ErrFDNotRegistered},
		{"unref", l.UnrefFD(w), ErrFDNotRegistered},
		{"zero loop", zero.RegisterFD(r, EventRead, nop), ErrZeroLoop},
		{"zero loop, unregister", zero.UnregisterFD(r), ErrFDNotRegistered},
	} {
		if !errors.Is(test.got, test.want) {
			t.Errorf("%s: %v, want %v", test.what, test.got, test.want)
		}
	}
	if err := l.RegisterFD(int(file.Fd()), EventRead, nop); runtime.GOOS == "linux" && !errors.Is(err, syscall.EPERM) {
		t.Errorf("a regular file: %v, want %v", err, syscall.EPERM)
	}
	must(t, l.UnregisterFD(r))
}

func TestADescriptorClosedByAnotherGoroutineIsReportedNoMore(t *testing.T) {
	l := running(t)
	r, w := pipe(t)
	must(t, l.RegisterFD(r, EventRead, func(IOEvents) { t.Error("called for a descriptor that was closed") }))
	closeFDs(t, r)
	if err := l.ModifyFD(r, EventRead); !errors.Is(err, syscall.EBADF) {
		t.Errorf("ModifyFD: %v, want EBADF", err)
	}
	if err := l.UnregisterFD(r); err != ErrFDNotRegistered {
		t.Errorf("UnregisterFD after that: %v", err)
	}
	w2 := reopen(t, r)
	must(t, l.RegisterFD(r, EventRead, func(IOEvents) { t.Error("called") }))
	closeFDs(t, r)
	must(t, l.UnregisterFD(r))
	closeFDs(t, w, w2)
}

// A registration whose descriptor was closed makes room for the next one of the same number, and keeps the loop open no
// longer.
func TestANumberIsRegisteredAgainAfterItsFileWasClosed(t *testing.T) {
	got := ""
	runMain(t, func(l *Loop) {
		r, w := pipe(t)
		must(t, l.RegisterFD(r, EventRead, func(IOEvents) { t.Error("the old callback") }))
		write(t, w, "old")
		w2 := reopen(t, r)
		closeFDs(t, w)
		must(t, l.RegisterFD(r, EventRead, func(IOEvents) {
			got = read(r)
			must(t, l.UnregisterFD(r))
			closeFDs(t, r, w2)
		}))
		write(t, w2, "new")
	})
	if got != "new" {
		t.Errorf("read %q", got)
	}
}

func TestACloseCallbackRunsInTheLastPhase(t *testing.T) {
	var j journal
	r, w := pipe(t)
	runMain(t, func(l *Loop) {
		must(t, l.RegisterFD(r, EventRead, func(IOEvents) {
			must(t, l.UnregisterFD(r))
			closeFDs(t, r, w)
			j.say("io")
			must(t, l.ScheduleClose(func() {
				j.say("close")
				must(t, l.ScheduleClose(j.does("next close")))
				must(t, l.ScheduleImmediate(j.does("next immediate")))
				must(t, l.NextTick(j.does("tick after close")))
			}))
			must(t, l.ScheduleImmediate(j.does("immediate")))
			must(t, l.Submit(j.does("task")))
			must(t, l.SubmitInternal(j.does("internal")))
			_, err := l.ScheduleTimer(0, j.does("timer"))
			must(t, err)
			must(t, l.ScheduleMicrotask(j.does("microtask")))
			must(t, l.NextTick(j.does("tick")))
		}))
		write(t, w, "x")
	})
	j.expect(t, "io tick microtask immediate close tick after close timer internal task next immediate next close")
}

func TestMetricsCountCallbacksOfDescriptorsAndOfTheClosePhase(t *testing.T) {
	r, w := pipe(t)
	calls := 0
	l := runMain(t, func(l *Loop) {
		must(t, l.RegisterFD(r, EventRead, func(IOEvents) {
			if calls++; calls == 300 { // level-triggered: it is not read before
				must(t, l.UnregisterFD(r))
				must(t, l.ScheduleClose(func() { closeFDs(t, r, w) }))
			}
		}))
		write(t, w, "x")
	}, WithMetrics())
	if m := l.Metrics(); m.Ran != (Lanes{External: 1, IO: 300, Closing: 1}) || m.RunTime.Count != m.Ran.Total() {
		t.Errorf("ran %+v, %d run times", m.Ran, m.RunTime.Count)
	}
}

func TestAPanicInAnIOCallbackLosesNoOther(t *testing.T) {
	var h heard
	l := New(WithAutoExit(), h.option())
	const n = 10
	called := 0
	for i := range n {
		r, w := pipe(t)
		write(t, w, "x")
		must(t, l.RegisterFD(r, EventRead, func(IOEvents) {
			called++
			must(t, l.UnregisterFD(r))
			closeFDs(t, r, w)
			if i%3 == 0 {
				panic(i)
			}
		}))
	}
	must(t, l.Run(bounded(t)))
	if called != n || len(h) != 4 {
		t.Errorf("%d called, %d panics", called, len(h))
	}
}
