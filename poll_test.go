package eventloop

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop/internal/testkit"
)

// An idle loop takes no turns in a year of virtual time. Every check for work records the size of the work found. A
// mark put in that place while the loop is parked is still there unless the loop was woken.
func TestIdleLoopTakesNoTurn(t *testing.T) {
	const mark = -12345
	for name, prepare := range map[string]func(l *Loop){
		"nothing at all":     func(*Loop) {},
		"a timer far ahead":  func(l *Loop) { _, _ = l.ScheduleTimer(2*365*24*time.Hour, func() {}) },
		"a timer that never": func(l *Loop) { _, _ = l.ScheduleTimer(1<<63-1, func() {}) },
		"a token":            func(l *Loop) { _, _ = l.KeepAlive() },
		"after some work": func(l *Loop) {
			for range 100 {
				_ = l.Submit(func() {})
				h, _ := l.ScheduleTimer(time.Second, func() {})
				h.Stop()
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := New()
				result := testkit.Launch(l)
				prepare(l)
				time.Sleep(time.Hour) // the alarm of a stopped timer may ring, once
				synctest.Wait()
				l.in.taken = mark
				time.Sleep(365 * 24 * time.Hour)
				synctest.Wait()
				if l.in.taken != mark || !asleep(l) {
					t.Error("an idle loop was woken")
				}
				// The mark is no rubber stamp: work does replace it.
				testkit.Must(t, l.Submit(func() {}))
				synctest.Wait()
				if l.in.taken == mark {
					t.Error("the loop has looked for work without a trace: this test is blind")
				}
				testkit.Must(t, l.Shutdown(context.Background()))
				testkit.Must(t, <-result)
			})
		})
	}
}

// A million submissions, each into a loop that has gone to sleep, each acknowledged before the next. Under -race a
// quarter, with -short a tenth.
func TestSubmissionIntoASleepingLoopWakesIt(t *testing.T) {
	l := running(t)
	ran := 0
	acknowledged := make(chan struct{}, 1)
	task := func() { ran++; acknowledged <- struct{}{} }
	n := testkit.Scale(1_000_000)
	watch := testkit.Watchdog(t, "a submission into a sleeping loop")
	for range n {
		untilParking(l)
		if err := l.Submit(task); err != nil {
			t.Fatal(err)
		}
		<-acknowledged
		watch.Kick()
	}
	watch.Stop()
	testkit.On(t, l, func() {
		if ran != n {
			t.Errorf("%d tasks ran, want %d", ran, n)
		}
	})
}

// Every reason to wake, in any order, meets a loop in any state: asleep, about to be, or awake.
func TestMixedReasonsToWakeAreNeverLost(t *testing.T) {
	l := running(t)
	acknowledged := make(chan struct{}, 1)
	ack := func() { acknowledged <- struct{}{} }
	random := rand.New(rand.NewPCG(3, 4))
	watch := testkit.Watchdog(t, "one of many reasons to wake")
	var spare Timer
	for range testkit.Scale(50_000) {
		if random.IntN(3) == 0 {
			untilParking(l)
		}
		var err error
		switch random.IntN(10) {
		case 0:
			err = l.Submit(ack)
		case 1:
			err = l.SubmitInternal(ack)
		case 2:
			err = l.ScheduleImmediate(ack)
		case 3:
			err = l.ScheduleMicrotask(ack)
		case 4:
			err = l.NextTick(ack)
		case 5:
			_, err = l.ScheduleTimer(0, ack)
		case 6:
			_, err = l.ScheduleTimer(time.Duration(random.IntN(2000)), ack)
		case 7: // a timer made earlier
			spare, err = l.ScheduleTimer(time.Hour, ack)
			if err == nil {
				err = spare.Reset(time.Duration(random.IntN(2000)))
			}
		case 8: // an alarm that rings for nothing meanwhile
			h, _ := l.ScheduleTimer(time.Duration(random.IntN(2000)), func() {})
			l.CancelTimer(h)
			l.wake()
			err = l.Submit(ack)
		case 9: // an earlier timer than the one the alarm is set for
			h, _ := l.ScheduleTimer(time.Millisecond, func() {})
			_, err = l.ScheduleTimer(time.Duration(random.IntN(2000)), ack)
			h.Stop()
		}
		if err != nil {
			t.Fatal(err)
		}
		<-acknowledged
		watch.Kick()
	}
	watch.Stop()
}

// untilParking waits, without a deadline of its own, until the loop has decided to sleep.
func untilParking(l *Loop) {
	for !asleep(l) {
		runtime.Gosched()
	}
}
