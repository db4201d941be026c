package js_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/js"
)

const ms = time.Millisecond

// Node, perf_hooks: performance.eventLoopUtilization([utilization1[, utilization2]]).
func TestUtilizationIsTheShareOfTimeThatTheLoopDoesNotSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loop := eventloop.New(eventloop.WithAutoExit(), inspect.WithMetrics())
		env := js.New(loop)
		p := env.NewPerformance()
		check := func(when string, got js.EventLoopUtilization, idle, active time.Duration, share float64) {
			if got.Idle != idle || got.Active != active || got.Utilization != share {
				t.Errorf("%s: %+v, want idle %v, active %v, utilization %v", when, got, idle, active, share)
			}
		}
		pass(100)
		check("before Run", p.EventLoopUtilization(), 0, 0, 0)
		var first, second js.EventLoopUtilization
		_, _ = env.SetTimeout(func() {
			pass(10)
			first = p.EventLoopUtilization() // a callback in progress counts
			check("busy for 10 of 40 ms", first, 30*ms, 10*ms, 0.25)
			_, _ = env.SetTimeout(func() {
				pass(30)
				second = p.EventLoopUtilization()
				check("since the first", second.Since(first), 10*ms, 30*ms, 0.75)
				check("since itself", second.Since(second), 0, 0, 0)
			}, 10)
		}, 30)
		if err := loop.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		pass(100)
		check("after the end", p.EventLoopUtilization(), 40*ms, 40*ms, 0.5)
	})
}

func TestUtilizationSeenFromElsewhereCountsTheSleepInProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loop := eventloop.New(inspect.WithMetrics())
		p := js.New(loop).NewPerformance()
		go func() { _ = loop.Run(context.Background()) }()
		synctest.Wait()
		for range 3 {
			before := p.EventLoopUtilization()
			pass(7)
			if u := p.EventLoopUtilization().Since(before); u.Idle != 7*ms || u.Active != 0 || u.Utilization != 0 {
				t.Errorf("%+v after 7 ms of sleep", u)
			}
			_ = loop.Submit(func() {})
			synctest.Wait()
		}
		_ = loop.Shutdown(context.Background())
	})
}

func TestUtilizationOfALoopThatDoesNotMeasureIsZero(t *testing.T) {
	scripted(t, func(s *script) {
		pass(5)
		if u := s.NewPerformance().EventLoopUtilization(); u != (js.EventLoopUtilization{}) {
			s.t.Errorf("%+v", u)
		}
	})
}
