package contracts_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// A million live timers with random delays, from outside and from the loop, run in the exact order of deadline and
// sequence, none early. A virtual clock makes the deadlines known exactly.
func TestMillionTimersRunInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := testkit.Scale(1_000_000)
		type key struct {
			when time.Duration
			seq  int
		}
		var last key
		fired := 0
		start := time.Now()
		random := rand.New(rand.NewPCG(5, 6))
		l := eventloop.New(eventloop.WithAutoExit())
		owner := adapter.Of(l)
		schedule := func(seq int) {
			// Few distinct deadlines, so that many are equal.
			delay := time.Duration(random.IntN(n/4)) * time.Microsecond
			mine := key{delay, seq}
			fn := func() {
				fired++
				if now := time.Since(start); now < mine.when {
					t.Errorf("timer %d fired at %v, due at %v", mine.seq, now, mine.when)
				}
				if mine.when < last.when || mine.when == last.when && mine.seq < last.seq {
					t.Errorf("timer %d due at %v ran after timer %d due at %v", mine.seq, mine.when, last.seq, last.when)
				}
				last = mine
			}
			if seq%2 == 0 {
				_, _ = owner.ScheduleTimer(delay, fn)
			} else {
				_, _ = l.ScheduleTimer(delay, fn)
			}
		}
		testkit.Must(t, l.Submit(func() {
			for i := range n {
				schedule(i)
			}
		}))
		testkit.Must(t, l.Run(context.Background()))
		if fired != n {
			t.Errorf("%d timers fired, want %d", fired, n)
		}
		if took := time.Since(start); took != last.when {
			t.Errorf("the loop ended %v after the start, the last timer was due at %v", took, last.when)
		}
	})
}

func TestTimerNeverFiresEarlyInRealTime(t *testing.T) {
	l := running(t)
	random := rand.New(rand.NewPCG(7, 8))
	done := make(chan struct{})
	left := 2000
	testkit.On(t, l, func() {
		for range left {
			delay := time.Duration(random.IntN(20_000_000))
			at := time.Now()
			testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(delay, func() {
				if took := time.Since(at); took < delay {
					t.Errorf("a timer of %v fired after %v", delay, took)
				}
				if left--; left == 0 {
					close(done)
				}
			}))
		}
	})
	testkit.Await(t, "2000 timers of at most 20 ms", done)
}

func TestReset(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const ms = time.Millisecond
		start := time.Now()
		var log testkit.Journal
		runMain(t, func(l *eventloop.Loop) {
			at := func(name string) func() {
				return func() { log.Say(fmt.Sprintf("%s@%d", name, time.Since(start)/ms)) }
			}
			later := testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(1*ms, at("later")))
			sooner := testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(9*ms, at("sooner")))
			stopped := testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(5*ms, at("stopped")))
			refreshed := testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(4*ms, at("refreshed")))
			again := 2
			var fired eventloop.Timer
			fired = testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(3*ms, func() {
				at("fired")()
				if again--; again > 0 {
					testkit.Must(t, fired.Reset(3*ms))
				} else if again == 0 {
					testkit.Must(t, fired.Reset(10*ms))
				}
			}))
			testkit.Must(t, later.Reset(8*ms))
			testkit.Must(t, sooner.Reset(2*ms))
			stopped.Stop()
			testkit.Must(t, stopped.Reset(7*ms))
			testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(2*ms, func() { testkit.Must(t, refreshed.Reset(4*ms)) }))
		})
		log.Expect(t, "sooner@2 fired@3 refreshed@6 fired@6 stopped@7 later@8 fired@16")
	})
}

func TestResetInTheShutdownIsRefusedAndLeavesTheTimer(t *testing.T) {
	l := eventloop.New()
	h := testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(time.Hour, func() {}))
	if err := l.Shutdown(context.Background()); !errors.Is(err, eventloop.ErrLoopNotRunning) {
		t.Fatal(err)
	}
	if err := h.Reset(0); !errors.Is(err, eventloop.ErrLoopTerminated) {
		t.Errorf("Reset: %v", err)
	}
	testkit.Must(t, l.Run(testkit.Bounded(t)))
	if d, want := l.Dropped(), (eventloop.Dropped{Timers: 1}); d != want {
		t.Errorf("dropped %+v, want %+v", d, want)
	}
}

// Shutdown runs all accepted work, and a timer that is due is accepted work. Its timers phase may not have come yet,
// either way may have scheduled it, and the loop may be doing anything.
func TestShutdownRunsTheTimersThatAreDue(t *testing.T) {
	for _, via := range []string{"Loop", "Owner"} {
		for _, before := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/before Run=%v", via, before), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var log testkit.Journal
					l := eventloop.New()
					main := func() {
						s := script{&log, t, l, via == "Owner"}
						s.timer(time.Second, s.Does("due-in-a-second"))
						s.timer(2*time.Second, s.Does("late"))
						time.Sleep(time.Second)
						s.timer(0, s.Does("due"))
						testkit.Must(t, l.NewTicker(eventloop.CatchUpMissed, s.Does("repeats")).Reset(1))
						time.Sleep(2 * time.Nanosecond)
						_ = l.Shutdown(testkit.Ended())
					}
					if before {
						main()
					} else {
						testkit.Must(t, l.Submit(main))
					}
					testkit.Must(t, l.Run(context.Background()))
					log.Expect(t, "due-in-a-second due repeats repeats")
					if d, want := l.Dropped(), (eventloop.Dropped{Timers: 2}); d != want {
						t.Errorf("dropped %+v, want %+v: the late timer and the one that repeats", d, want)
					}
				})
			})
		}
	}
}

// A loop knows in each phase whether it was asleep before.
