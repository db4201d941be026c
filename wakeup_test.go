package eventloop

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// A million submissions, each into a loop that has gone to sleep, each acknowledged before the next. Under -race a
// quarter, with -short a tenth.
func TestSubmissionIntoASleepingLoopWakesIt(t *testing.T) {
	l := running(t)
	ran := 0
	acknowledged := make(chan struct{}, 1)
	task := func() { ran++; acknowledged <- struct{}{} }
	n := scale(1_000_000)
	watch := watchdog(t, "a submission into a sleeping loop")
	for range n {
		untilParking(l)
		if err := l.Submit(task); err != nil {
			t.Fatal(err)
		}
		<-acknowledged
		watch.kick()
	}
	watch.stop()
	on(t, l, func() {
		if ran != n {
			t.Errorf("%d tasks ran, want %d", ran, n)
		}
	})
}

// Every reason to wake, in any order, meets a loop in whatever state it is: asleep, about to be, or awake.
func TestMixedReasonsToWakeAreNeverLost(t *testing.T) {
	l := running(t)
	acknowledged := make(chan struct{}, 1)
	ack := func() { acknowledged <- struct{}{} }
	random := rand.New(rand.NewPCG(3, 4))
	watch := watchdog(t, "one of many reasons to wake")
	var spare Timer
	for range scale(50_000) {
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
			l.nudge()
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
		watch.kick()
	}
	watch.stop()
}

// untilParking waits, without a deadline of its own, until the loop has decided to sleep.
func untilParking(l *Loop) {
	for !asleep(l) {
		runtime.Gosched()
	}
}

// A dog panics, which shows all stacks, when nothing has kicked it for patience. It is for loops too tight to make a
// timer for each wait.
type dog struct {
	kicks atomic.Int64
	timer *time.Timer
}

func watchdog(t *testing.T, what string) *dog {
	d := new(dog)
	var seen int64
	d.timer = time.AfterFunc(patience, func() {
		kicks := d.kicks.Load()
		if kicks == seen {
			panic("hangs: " + t.Name() + ": " + what)
		}
		seen = kicks
		d.timer.Reset(patience)
	})
	return d
}

func (d *dog) kick() { d.kicks.Add(1) }
func (d *dog) stop() { d.timer.Stop() }
