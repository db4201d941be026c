package eventloop

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop/internal/sched"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

func TestBusyPollingEndsAtWorkAtItsLimitAndAtTheNextTimer(t *testing.T) {
	l := New(WithBusyPolling(time.Millisecond))
	l.parallel = true
	for _, c := range []struct {
		name   string
		until  int64
		submit bool
		misses int // by this attempt
	}{
		{"nothing comes in", never, false, 1},
		{"nothing comes in again", never, false, 1},
		{"a timer is due first", l.now() + 1000, false, 0},
		{"a task has come in", never, true, -2},
	} {
		if c.submit {
			l.busy.misses = 2
			testkit.Must(t, l.Submit(func() {}))
		}
		before := l.busy.misses
		l.busy.skip = 0
		l.busyPoll(c.until)
		want := c.misses
		if l.busy.skip > 0 { // others needed the processor: the attempt ended early, and decided nothing
			want = 0
		}
		if got := l.busy.misses - before; got != want {
			t.Errorf("%s: %d misses, want %d", c.name, got, want)
		}
	}
}

func TestBusyPollingThatDoesNotPayIsTriedLessOften(t *testing.T) {
	l := New(WithBusyPolling(time.Microsecond))
	l.parallel = true
	attempts := 0
	for range 1000 {
		if l.busy.skip == 0 {
			attempts++
		}
		l.busyPoll(never)
	}
	if attempts > 30 {
		t.Errorf("%d attempts in 1,000 parks, though nothing ever came in", attempts)
	}
	l.busy.skip, l.busy.limit = 0, int64(time.Minute) // a microsecond may be over before the first look
	testkit.Must(t, l.Submit(func() {}))
	if l.busyPoll(never); l.busy.misses != 0 {
		t.Error("an attempt that found work did not restore the option")
	}
}

func TestBusyPollingDoesNothingOnOneProcessor(t *testing.T) {
	l := New(WithBusyPolling(time.Hour))
	if l.busyPoll(never); l.busy.misses != 0 {
		t.Error("it looked, though nobody can run meanwhile")
	}
}

// In a bubble the clock stands still while the loop polls, but the loop still parks.
func TestALoopThatPollsBusilyStillParks(t *testing.T) {
	if sched.Processors() == 1 {
		t.Skip("on one processor a loop does not poll busily")
	}
	synctest.Test(t, func(t *testing.T) {
		l := running(t, WithBusyPolling(10*time.Microsecond))
		for i := range 10 {
			synctest.Wait() // returns when the loop is parked
			ran := false
			if i%2 == 0 {
				testkit.Must(t, l.Submit(func() { ran = true }))
			} else {
				testkit.Scheduled[Timer](t)(l.ScheduleTimer(time.Second, func() { ran = true }))
				time.Sleep(time.Second)
			}
			if synctest.Wait(); !ran {
				t.Fatalf("round %d: did not run", i)
			}
		}
	})
}
