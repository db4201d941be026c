package contracts_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/looptest"
)

// words writes events as words, and fails where they do not nest.
type words struct {
	t        testing.TB
	out      []string
	phase    bool
	callback bool
}

func (w *words) observe(e inspect.Event) {
	nests := false
	switch e.Type {
	case inspect.PhaseBegan:
		nests, w.phase = !w.phase, true
		w.out = append(w.out, e.Phase.String()+"(")
	case inspect.PhaseEnded:
		nests, w.phase = w.phase && !w.callback, false
		w.out = append(w.out, ")")
	case inspect.CallbackBegan:
		nests, w.callback = !w.callback, true
	case inspect.CallbackEnded:
		nests, w.callback = w.callback, false
		word := fmt.Sprint(e.Took)
		if e.Jobs > 0 {
			word += fmt.Sprintf("+%d", e.Jobs)
		}
		if e.Checkpoint {
			word += "c"
		}
		w.out = append(w.out, word)
	case inspect.LoopSleeps:
		nests = !w.phase && !w.callback
		w.out = append(w.out, "sleeps")
	case inspect.LoopWakes:
		nests = true
		w.out = append(w.out, "wakes")
	}
	if !nests {
		w.t.Errorf("%+v after %v", e, w.out)
	}
}

func (w *words) expect(want string) {
	w.t.Helper()
	if got := strings.Join(w.out, " "); got != want {
		w.t.Errorf("events\n%s\nwant\n%s", got, want)
	}
}

const everything = inspect.Phases | inspect.Callbacks

func TestAnObserverIsToldOfPhasesAndCallbacks(t *testing.T) {
	w := &words{t: t}
	looptest.Run(t, func(l *looptest.Loop) {
		inspect.Observe(l.Loop, everything, w.observe)
		_ = l.ScheduleMicrotask(func() {})
		_ = l.SubmitInternal(func() { l.Spend(time.Second) })
		_ = l.ScheduleImmediate(func() {
			_ = l.NextTick(func() { l.Spend(3 * time.Second) })
			_ = l.ScheduleMicrotask(func() {})
		})
		_, _ = l.ScheduleTimer(time.Minute, func() { l.Spend(2 * time.Second) })
	})
	// The loop under test does not sleep: its clock jumps.
	w.expect("check( 3s+2 ) internal( 1s ) timers( 2s )")
}

func TestObserversSeeMicrotasksThatFollowNoCallback(t *testing.T) {
	w := &words{t: t}
	l := looptest.New(t)
	inspect.Observe(l.Loop, everything, w.observe)
	l.WaitIdle()
	_ = l.ScheduleMicrotask(func() { l.Spend(time.Second) })
	l.WaitIdle()
	_ = l.Shutdown(context.Background())
	if got := strings.Join(w.out, " "); !strings.Contains(got, "sleeps wakes timers( 1s+1c ) sleeps wakes") {
		t.Error(got)
	}
}

func TestObserversSeeWhatPanicsAndWhatCallsGoexit(t *testing.T) {
	w := &words{t: t}
	l := eventloop.New(eventloop.WithAutoExit(), eventloop.WithPanicHandler(func(*eventloop.PanicError) {}))
	stop := inspect.Observe(l, everything, w.observe)
	for i := range 6 {
		_ = l.Submit(func() {
			_ = l.ScheduleMicrotask(func() {})
			switch i {
			case 1, 2:
				panic("expected")
			case 4:
				runtime.Goexit()
			}
		})
	}
	go func() { _ = l.Run(context.Background()) }()
	<-l.Done()
	stop()
	// 6 callbacks, each with its microtask. The rest of the one that called Goexit runs in the next phase.
	callbacks, jobs := 0, 0
	for _, word := range w.out {
		if strings.Contains(word, "s") && !strings.Contains(word, "(") && word != "sleeps" && word != "wakes" {
			callbacks++
		}
		jobs += strings.Count(word, "+1")
	}
	if callbacks != 7 || jobs != 6 {
		t.Errorf("%d callbacks, %d of them with a microtask: %v", callbacks, jobs, w.out)
	}
}

func TestAnObserverThatHasStoppedIsToldNothing(t *testing.T) {
	l := looptest.New(t)
	var first, second int
	stop := inspect.Observe(l.Loop, inspect.Callbacks, func(inspect.Event) { first++ })
	stopSecond := inspect.Observe(l.Loop, inspect.Callbacks, func(inspect.Event) { second++ })
	l.WaitIdle()
	_ = l.Submit(func() {})
	l.WaitIdle()
	stop()
	stop()
	l.WaitIdle()
	_ = l.Submit(func() {})
	l.WaitIdle()
	stopSecond()
	l.WaitIdle()
	_ = l.Submit(func() {})
	l.WaitIdle()
	_ = l.Do(context.Background(), func() {
		if first != 2 || second != 4 {
			t.Errorf("%d and %d events, want 2 and 4", first, second)
		}
	})
}

func named() {}

func TestAnObserverLearnsTheNameOfTheFunction(t *testing.T) {
	for _, c := range looptest.Run(t, func(l *looptest.Loop) { _ = l.Submit(named) })[1:] {
		if c.Function != "github.com/eventloop-go/eventloop/tests/contracts_test.named" {
			t.Error(c.Function)
		}
	}
}

func TestMetricsAreTheSameUnderObservation(t *testing.T) {
	var got []inspect.Metrics
	for _, observed := range []bool{false, true} {
		l := eventloop.New(eventloop.WithAutoExit(), inspect.WithMetrics(), eventloop.WithQueueLimit(5000))
		if observed {
			inspect.Observe(l, everything, func(inspect.Event) {})
		}
		for i := range 4000 {
			_ = l.Submit(func() {
				if i%10 == 0 {
					_ = l.ScheduleImmediate(func() {})
					_ = l.SubmitInternal(func() {})
				}
				_ = l.ScheduleMicrotask(func() {})
			})
			_, _ = l.ScheduleTimer(0, func() {})
		}
		if err := l.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		got = append(got, inspect.ReadMetrics(l))
	}
	if got[0].Ran != got[1].Ran || got[0].Jobs != got[1].Jobs || got[0].RunTime.Count != got[1].RunTime.Count || got[0].Lateness.Count != got[1].Lateness.Count {
		t.Errorf("%+v\n%+v", got[0], got[1])
	}
}
