package js_test

import (
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop/js"
)

func TestTimersOfOneDelayRunInOrderOfSetting(t *testing.T) {
	scripted(t, func(s *script) {
		for i := range 3 {
			s.timeout(s.say(fmt.Sprint(i)), 3)
		}
	}, "0", "1", "2")
}

func TestDelaysThatNodeDoesNotTakeAreOneMillisecond(t *testing.T) {
	for _, ms := range []float64{0, -5, 0.5, math.NaN(), math.Inf(1), math.Inf(-1), 1 << 31, 1e300} {
		synctest.Test(t, func(t *testing.T) {
			var fired float64
			onLoop(t, func(s *script) { s.timeout(func() { fired = s.after() }, ms) })
			if fired != 1 {
				t.Errorf("setTimeout(f, %v) fired after %v ms, want 1", ms, fired)
			}
		})
	}
}

func TestFractionsOfMillisecondsAreCutOff(t *testing.T) {
	scripted(t, func(s *script) {
		s.timeout(func() { s.say(fmt.Sprint(s.after()))() }, 7.9)
	}, "7")
}

func TestLateTimersRunListByListOldestListFirst(t *testing.T) {
	// As Node: both lists are due, the 1 ms list first, with all its timers, although c was due after b.
	scripted(t, func(s *script) {
		s.timeout(s.say("a"), 1)
		s.timeout(s.say("b"), 2)
		time.Sleep(5 * time.Millisecond) // virtual: the callback keeps the loop busy
		s.timeout(s.say("c"), 1)
		time.Sleep(15 * time.Millisecond)
	}, "a", "c", "b")
}

func TestTimersDueInTheSameMillisecondRunInOrderOfTheirLists(t *testing.T) {
	scripted(t, func(s *script) {
		s.timeout(s.say("two"), 2)
		s.timeout(func() {}, 1)
		time.Sleep(time.Millisecond)
		s.timeout(s.say("one"), 1) // joins a list that was made after the other
	}, "two", "one")
}

func TestTimersNeverFireEarly(t *testing.T) {
	scripted(t, func(s *script) {
		time.Sleep(900 * time.Microsecond)
		began := time.Now()
		s.timeout(func() {
			if waited := time.Since(began); waited < time.Millisecond {
				t.Errorf("a timer of 1 ms fired after %v", waited)
			}
		}, 1)
	})
}

func TestMicrotasksAndTicksRunBetweenTimersOfOnePhase(t *testing.T) {
	scripted(t, func(s *script) {
		for _, name := range []string{"a", "b"} {
			s.timeout(func() {
				s.say(name)()
				_ = s.QueueMicrotask(s.say(name + " micro"))
				_ = s.NextTick(s.say(name + " tick"))
			}, 1)
		}
	}, "a", "a tick", "a micro", "b", "b tick", "b micro")
}

func TestTimerThatPanicsLosesNoOther(t *testing.T) {
	scripted(t, func(s *script) {
		n := 0
		var i *js.Timeout
		i, _ = s.NewInterval(func() {
			if n++; n == 2 {
				i.Close()
			}
			s.say(fmt.Sprint("interval ", n))()
			panic("once more")
		}, 2)
		s.timeout(func() { panic("timer") }, 1)
		s.timeout(s.say("other"), 1)
	}, "other", "interval 1", "interval 2")
}

func TestTimerClearedByAnEarlierOneOrByItsMicrotaskDoesNotRun(t *testing.T) {
	scripted(t, func(s *script) {
		var b, c *js.Timeout
		s.timeout(func() {
			s.say("a")()
			b.Close()
			_ = s.QueueMicrotask(func() { c.Close() })
		}, 1)
		b = s.timeout(s.say("b"), 1)
		c = s.timeout(s.say("c"), 1)
		s.timeout(s.say("d"), 1)
	}, "a", "d")
}

func TestIntervalKeepsItsRhythmWhenItIsLateByLessThanAPeriod(t *testing.T) {
	scripted(t, func(s *script) {
		n := 0
		var i *js.Timeout
		i, _ = s.NewInterval(func() {
			s.say(fmt.Sprint(s.after()))()
			if n++; n == 4 {
				i.Close()
			}
			if n == 1 {
				time.Sleep(15 * time.Millisecond)
			}
		}, 10)
	}, "10", "25", "30", "40")
}

func TestIntervalOfALoopThatIsWokenLateLeavesBeatsOutAndKeepsItsRhythm(t *testing.T) {
	scripted(t, func(s *script) {
		n := 0
		var i *js.Timeout
		i, _ = s.NewInterval(func() {
			s.say(fmt.Sprint(s.after()))()
			if n++; n == 4 {
				i.Close()
			}
		}, 2)
		// A callback that wakes the loop just before the second beat, and delays its look at the clock, simulates a
		// slow machine.
		time.AfterFunc(3900*time.Microsecond, func() { _ = s.Loop().ScheduleImmediate(func() { time.Sleep(5600 * time.Microsecond) }) })
	}, "2", "9.5", "10", "12")
}

func TestIntervalHeldUpByItsOwnCallbackBeginsAnew(t *testing.T) {
	scripted(t, func(s *script) {
		n := 0
		var i *js.Timeout
		i, _ = s.NewInterval(func() {
			s.say(fmt.Sprint(s.after()))()
			if n++; n == 3 {
				i.Close()
			}
			time.Sleep(4500 * time.Microsecond)
		}, 2)
	}, "2", "6.5", "11")
}

func TestIntervalThatMissedAPeriodStartsItsRhythmAnew(t *testing.T) {
	scripted(t, func(s *script) {
		n := 0
		var i *js.Timeout
		i, _ = s.NewInterval(func() {
			s.say(fmt.Sprint(s.after()))()
			if n++; n == 4 {
				i.Close()
			}
			if n == 1 {
				time.Sleep(35 * time.Millisecond)
			}
		}, 10)
	}, "10", "45", "55", "65")
}

func TestUnreferencedTimerDoesNotKeepTheLoopOpen(t *testing.T) {
	scripted(t, func(s *script) {
		timer := s.timeout(s.say("never"), 1000)
		timer.Unref()
		if timer.HasRef() {
			t.Error("HasRef after Unref")
		}
		s.timeout(s.say("runs"), 5)
		early := s.timeout(s.say("runs too"), 2)
		early.Unref()
	}, "runs too", "runs")
}

func TestReferencedAgainATimerKeepsTheLoopOpen(t *testing.T) {
	scripted(t, func(s *script) {
		timer := s.timeout(s.say("runs"), 50)
		timer.Unref()
		timer.Ref()
	}, "runs")
}

func TestRefreshPutsATimerOffAndWakesOneThatHasFired(t *testing.T) {
	scripted(t, func(s *script) {
		n := 0
		var timer *js.Timeout
		timer = s.timeout(func() {
			s.say(fmt.Sprint("fired ", s.after()))()
			if n++; n == 1 {
				s.timeout(func() { _ = timer.Refresh() }, 5)
			}
		}, 10)
		s.timeout(func() { _ = timer.Refresh() }, 6)
	}, "fired 16", "fired 31")
}

func TestRefreshOfAClearedTimerDoesNothing(t *testing.T) {
	scripted(t, func(s *script) {
		timer := s.timeout(s.say("never"), 2)
		timer.Close()
		if err := timer.Refresh(); err != nil {
			t.Error(err)
		}
	})
}

func TestTimersOfOneMillisecondRunInOnePhaseAndNoneEarly(t *testing.T) {
	scripted(t, func(s *script) {
		say := func(name string) func() {
			return func() {
				s.say(fmt.Sprint(name, " ", s.after()))()
				_, _ = s.SetImmediate(s.say(name + " immediate"))
			}
		}
		s.timeout(say("a"), 3)
		time.Sleep(400 * time.Microsecond)
		s.timeout(say("b"), 3)
		s.timeout(say("c"), 2)
		time.Sleep(500 * time.Microsecond)
		s.timeout(say("d"), 3)
		time.Sleep(200 * time.Microsecond)
		s.timeout(say("e"), 3) // of the next millisecond
	}, "c 2.4", "c immediate", "a 3.9", "b 3.9", "d 3.9", "a immediate", "b immediate", "d immediate", "e 4.1", "e immediate")
}

func TestTimerThatIsLateDoesNotWaitForTheMillisecondInProgress(t *testing.T) {
	for _, delay := range []float64{1, 2} { // in the list of the late timer, and in another
		scripted(t, func(s *script) {
			say := func(name string) func() { return func() { s.say(fmt.Sprint(name, " ", s.after()))() } }
			s.timeout(say("late"), 1)
			time.Sleep(3700 * time.Microsecond)
			s.timeout(say("due soon"), delay)
			s.immediate(func() { // the timers phase comes between this and the next
				time.Sleep(time.Duration(delay)*time.Millisecond - 500*time.Microsecond)
				s.immediate(say("immediate"))
			})
		}, fmt.Sprint("late ", 3.2+delay), fmt.Sprint("immediate ", 3.2+delay), fmt.Sprint("due soon ", 3.7+delay))
	}
}

func TestIntervalThatWasLateIsWaitedForLikeOthers(t *testing.T) {
	scripted(t, func(s *script) {
		var i *js.Timeout
		n := 0
		i, _ = s.NewInterval(func() {
			s.say(fmt.Sprint("interval ", s.after()))()
			if n++; n == 1 {
				time.Sleep(700 * time.Microsecond)
				s.timeout(func() { s.say(fmt.Sprint("timeout ", s.after()))() }, 2) // starts after the interval's beat, and before it in the list
			} else {
				i.Close()
			}
		}, 2)
	}, "interval 2", "timeout 4.7", "interval 4.7")
}

// As Node: the next timer of a list is chosen before the microtasks of the one before, the first of a list behind them.
func TestTimerThatAMicrotaskRefreshesIsPutOffUnlessItIsNextInItsList(t *testing.T) {
	for _, c := range []struct {
		delay float64
		want  []string
	}{{3, []string{"a", "b", "c"}}, {4, []string{"a", "c", "b"}}} {
		scripted(t, func(s *script) {
			var b *js.Timeout
			s.timeout(func() {
				s.say("a")()
				_ = s.QueueMicrotask(func() { _ = b.Refresh() })
			}, 3)
			b = s.timeout(s.say("b"), c.delay)
			s.timeout(s.say("c"), c.delay)
			time.Sleep(10 * time.Millisecond)
		}, c.want...)
	}
}

func TestIntervalThatIsLateDoesNotRunItsNextBeatEarly(t *testing.T) {
	scripted(t, func(s *script) {
		time.Sleep(500 * time.Microsecond)
		n := 0
		var i *js.Timeout
		i, _ = s.NewInterval(func() {
			s.say(fmt.Sprint(s.after()))()
			if n++; n == 4 {
				i.Close()
			}
		}, 1)
		time.Sleep(1500 * time.Microsecond)
	}, "2", "2.5", "3.5", "4.5")
}
