package loopview

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/promise"
)

func TestNothingIsObservedWhileNobodyLooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := running(t, inspect.WithMetrics())
		v := viewed(t, l)
		look := func() (looking bool) {
			v.mu.Lock()
			defer v.mu.Unlock()
			if (v.loops[0].recorder != nil) != v.looking || (v.answers != nil) != v.looking {
				t.Error("what is kept does not fit")
			}
			return v.looking
		}
		for range 3 {
			get(v, "/")
			if look() {
				t.Error("the page alone counts as somebody who looks")
			}
			get(v, "/state")
			for range 4 {
				time.Sleep(2 * time.Second)
				if !look() {
					t.Error("nobody looks though somebody asked 2 s ago")
				}
				get(v, "/state")
			}
			var r *recorder
			locked(v, func() { r = v.loops[0].recorder })
			time.Sleep(lease + 2*interval)
			if look() {
				t.Error("somebody looks 4 s after the last request")
			}
			count := func() int {
				r.mu.Lock()
				defer r.mu.Unlock()
				return r.recorded
			}
			recorded := count()
			_ = l.Do(t.Context(), func() {})
			if count() != recorded {
				t.Error("the loop is still observed")
			}
		}
	})
}

func work() { time.Sleep(20 * time.Millisecond) }

func TestThePageIsToldWhatALoopDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := running(t, inspect.WithMetrics(), eventloop.WithName("orders"), inspect.WithTraceCreation())
		v := viewed(t, l)
		_, _ = l.ScheduleTimer(time.Hour, func() {})
		first := asked(t, v, 0)
		for range 10 {
			_ = l.Submit(work)
		}
		_ = l.ScheduleImmediate(func() { _ = l.ScheduleMicrotask(func() {}) })
		time.Sleep(2*interval + time.Millisecond)
		s := asked(t, v, first.Tick)
		if len(s.Loops) != 1 || s.Tick != 2 || s.Boot != first.Boot {
			t.Fatalf("%+v", s)
		}
		o := s.Loops[0]
		if o.Name != "orders" || o.Ended || !o.Metrics || !o.Asleep || len(o.Samples) != 2 {
			t.Errorf("%+v", o)
		}
		phases, _ := spansOf(o, spanPhase)
		callbacks, named := spansOf(o, spanCallback)
		if phases < 2 || callbacks < 11 || named != callbacks {
			t.Errorf("%d phases, %d callbacks, %d of them named", phases, callbacks, named)
		}
		if names := strings.Join(o.Names, " "); !strings.Contains(names, "loopview.work") || !strings.Contains(names, "view_test.go") {
			t.Error(names)
		}
		var longest time.Duration
		for _, p := range o.Spans {
			if p[0] == int64(spanCallback) {
				longest = max(longest, time.Duration(p[3]))
			}
		}
		if longest != 20*time.Millisecond {
			t.Errorf("the longest callback took %v", longest)
		}
		var ran, delayed uint64
		for _, one := range o.Samples {
			for i := range one.Run {
				ran += one.Run[i]
				delayed += one.Delay[i]
			}
			if one.Utilization < 0 || one.Utilization > 1 || one.Queued[4] != 1 {
				t.Errorf("%+v", one)
			}
		}
		if ran < 11 || delayed == 0 {
			t.Errorf("the heat maps have %d callbacks and %d delays", ran, delayed)
		}
		if r := o.Resources.Resources; len(r) == 0 || r[0].Kind != inspect.ResourceTimer || r[0].Due <= 0 || !strings.Contains(r[0].Made, "view_test.go") {
			t.Errorf("%+v", o.Resources)
		}
		if len(s.Slow) != 10 || !strings.HasSuffix(s.Slow[0].Function, ".work") || s.Slow[0].Loop != "orders" || s.Slow[0].Took != 20*time.Millisecond {
			t.Errorf("%+v", s.Slow)
		}
		if again := asked(t, v, s.Tick).Loops[0]; len(again.Samples)+len(again.Spans) != 0 {
			t.Errorf("told again: %+v", again)
		}
	})
}

func TestThePageIsToldOfACallbackThatDoesNotReturn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := viewed(t)
		l := running(t, eventloop.WithName("stuck"), inspect.WithWatchdog(100*time.Millisecond, v.SlowCallback))
		v.Add(l)
		asked(t, v, 0)
		synctest.Wait()
		release := make(chan struct{})
		_ = l.Submit(func() { <-release })
		time.Sleep(5 * interval)
		s := asked(t, v, 0)
		if o := s.Loops[0]; o.Running < 4*interval || !strings.Contains(o.Function, "DoesNotReturn") {
			t.Errorf("%v %q", o.Running, o.Function)
		}
		if len(s.Slow) != 1 || !s.Slow[0].Running || !strings.Contains(s.Slow[0].Stack, "DoesNotReturn") {
			t.Errorf("%+v", s.Slow)
		}
		close(release)
	})
}

func TestABusyLoopIsObservedInPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := running(t)
		v := viewed(t, l)
		asked(t, v, 0)
		synctest.Wait()
		for range 5 {
			for range 5000 {
				_ = l.Submit(func() {})
			}
			time.Sleep(interval)
		}
		time.Sleep(interval)
		o := asked(t, v, 0).Loops[0]
		callbacks, _ := spansOf(o, spanCallback)
		unseen, _ := spansOf(o, spanUnseen)
		if unseen < 3 || callbacks == 0 || callbacks > 6*eventsPerTick/2 {
			t.Errorf("%d callbacks and %d gaps", callbacks, unseen)
		}
		if o.Metrics || len(o.Samples) > 0 {
			t.Error("a loop without metrics has samples")
		}
	})
}

func TestWhatIsKeptIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := running(t, inspect.WithMetrics())
		v := viewed(t, l)
		var tick uint64
		for range history + 5 {
			tick = asked(t, v, tick).Tick
			for range 50 {
				_ = l.Submit(func() {})
			}
			time.Sleep(interval)
		}
		locked(v, func() {
			w := v.loops[0]
			spans := w.recorder.between(0, v.tick+1)
			if len(w.samples) != history || len(spans) != maxSpans {
				t.Errorf("%d samples, %d spans", len(w.samples), len(spans))
			}
			for i := 1; i < len(spans); i++ {
				if spans[i].at+spans[i].took < spans[i-1].at+spans[i-1].took {
					t.Fatalf("span %d ends before the one before it", i)
				}
			}
		})
		if s := asked(t, v, 0); len(s.Loops[0].Spans) != maxSent {
			t.Errorf("%d spans are sent", len(s.Loops[0].Spans))
		}
		for range 3 * maxReports {
			v.reports.add(inspect.SlowCallback{Stack: make([]byte, 2*maxStack)}, true)
		}
		if len(v.reports.slow) != maxReports || len(v.reports.slow[0].Stack) > maxStack+10 {
			t.Errorf("%d reports, %d bytes", len(v.reports.slow), len(v.reports.slow[0].Stack))
		}
		for i := range 2 * maxAnswers {
			asked(t, v, tick-uint64(i))
		}
		locked(v, func() {
			if len(v.answers) > maxAnswers {
				t.Errorf("%d answers are kept", len(v.answers))
			}
		})
	})
}

func TestEndedLoopsMakeRoom(t *testing.T) {
	v := New(nil)
	var loops []*eventloop.Loop
	for i := range maxLoops {
		l := eventloop.New(eventloop.WithName(fmt.Sprint(i)))
		loops = append(loops, l)
		v.Add(l)
		v.Add(l)
	}
	names := func() (s string) {
		for _, w := range v.loops {
			s += w.loop.Name() + " "
		}
		return s
	}
	if len(v.loops) != maxLoops {
		t.Fatal(names())
	}
	_ = loops[5].Close()
	v.Add(eventloop.New(eventloop.WithName("a")))
	v.Add(eventloop.New(eventloop.WithName("b")))
	if got := names(); strings.Contains(got, " 5 ") || strings.HasPrefix(got, "0 ") || !strings.HasSuffix(got, " 31 a b ") || len(v.loops) != maxLoops {
		t.Error(got)
	}
}

func TestALoopThatEndsOrNeverRunsIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never, zero := eventloop.New(), new(eventloop.Loop)
		ends := running(t, inspect.WithMetrics())
		v := viewed(t, never, zero, ends)
		asked(t, v, 0)
		time.Sleep(interval)
		if err := ends.Shutdown(context.Background()); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			time.Sleep(interval)
			asked(t, v, 0)
		}
		s := asked(t, v, 0)
		if s.Loops[0].Ended || s.Loops[1].Ended || !s.Loops[2].Ended {
			t.Errorf("%+v", s.Loops)
		}
		if err := never.Close(); err != nil {
			t.Fatal(err)
		}
		if n := never.Dropped().Internal; n != 1 {
			t.Errorf("%d questions waited in the queue of a loop that never ran", n)
		}
	})
}

func TestALoopThatIsDrivenIsShownAsleepBetweenItsTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := eventloop.New()
		d, err := adapter.Drive(l)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.Close() })
		v := viewed(t, l)
		asked(t, v, 0)
		for range 3 {
			_ = l.Submit(work)
			for more := true; more; {
				if more, err = d.RunReady(); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(2 * interval)
			if s := asked(t, v, 0); !s.Loops[0].Asleep {
				t.Error("it is not asleep after its turn")
			}
		}
		s := asked(t, v, 0).Loops[0]
		sleeps, _ := spansOf(s, spanSleep)
		callbacks, _ := spansOf(s, spanCallback)
		if sleeps < 2 || callbacks < 3 {
			t.Errorf("%d sleeps, %d callbacks", sleeps, callbacks)
		}
	})
}

func TestALoopWithManyTimersIsNotAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := running(t, inspect.WithMetrics())
		for range manyTimers + 1 {
			_, _ = l.ScheduleTimer(time.Hour, func() {})
		}
		v := viewed(t, l)
		asked(t, v, 0)
		time.Sleep(3 * interval)
		if r := asked(t, v, 0).Loops[0].Resources; r.Note != "2001 timers are too many to list." || len(r.Resources) > 0 {
			t.Errorf("%+v", r)
		}
	})
}

func TestSlowCallbacksAndRejectionsAreKeptWhileNobodyLooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := viewed(t)
		l := running(t, eventloop.WithName("orders"), inspect.WithSlowCallbacks(time.Millisecond, v.SlowCallback), promise.WithUnhandledRejection(v.Rejection))
		v.Add(l)
		_ = l.Submit(work)
		_ = l.Submit(func() { promise.Reject[int](l, hostileError{}) })
		asked(t, v, 0)
		time.Sleep(time.Second)
		s := asked(t, v, 0)
		if len(s.Slow) != 1 || len(s.Rejections) != 1 || s.Rejections[0].Loop != "orders" || s.Rejections[0].Error != "a loopview.hostileError, whose Error panics" {
			t.Errorf("%+v %+v", s.Slow, s.Rejections)
		}
		_ = l.Submit(work) // seen by an observer and by the hook
		time.Sleep(time.Second)
		if s := asked(t, v, 0); len(s.Slow) != 2 {
			t.Errorf("%d slow callbacks, want one more", len(s.Slow))
		}
	})
}

type hostileError struct{}

func (hostileError) Error() string { panic("hostile") }

func TestTenViewersShareAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := viewed(t, running(t, inspect.WithMetrics()))
		for range 5 {
			for range 10 {
				asked(t, v, 0)
			}
			locked(v, func() {
				if len(v.answers) != 1 {
					t.Errorf("%d answers were made", len(v.answers))
				}
			})
			time.Sleep(interval)
			synctest.Wait()
		}
	})
}
