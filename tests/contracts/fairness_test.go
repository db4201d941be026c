package contracts_test

import (
	"context"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// batch is how many external tasks run in a turn, as the docs say: some more when small batches have gathered.
const batch = 1024

// A flood of one kind of work holds up other work no longer than documented. It is measured in callbacks of the flood that
// run from when the other work is accepted, in the midst of the flood, until it runs.
func TestAFloodHoldsUpOtherWorkForABatchAtMost(t *testing.T) {
	const all, middle = 50_000, 20_123
	kinds := map[string]func(*eventloop.Loop, func()) error{
		"timer":     func(l *eventloop.Loop, fn func()) error { _, err := l.ScheduleTimer(0, fn); return err },
		"internal":  (*eventloop.Loop).SubmitInternal,
		"external":  (*eventloop.Loop).Submit,
		"immediate": (*eventloop.Loop).ScheduleImmediate,
		"microtask": (*eventloop.Loop).ScheduleMicrotask,
	}
	type flood struct {
		submit  func(*eventloop.Loop, func()) error
		backlog int // how much of it waits at a time
		bounds  map[string]int
	}
	turn := map[string]int{"timer": 1, "internal": 1, "external": 1, "immediate": 1, "microtask": 0}
	times := func(n int) map[string]int {
		all := map[string]int{}
		for kind, turns := range turn {
			all[kind] = turns * n
		}
		return all
	}
	floods := map[string]flood{
		// Work behind a backlog of its own lane waits for the whole backlog: first in, first out.
		"external tasks, a backlog": {kinds["external"], 10_000, map[string]int{"timer": 2 * batch, "internal": 2 * batch, "external": 10_000, "immediate": 2 * batch}},
		"external tasks, chains":    {kinds["external"], 10, times(20)},
		// Each phase runs all that was there when it began.
		"internal tasks, chains": {kinds["internal"], 10, times(20)},
		"immediates, chains":     {kinds["immediate"], 10, times(20)},
		"timers, chains":         {kinds["timer"], 10, times(20)},
		// As in JavaScript, microtasks and ticks come before everything else, and an endless chain starves it.
		"microtasks": {kinds["microtask"], 10, map[string]int{"timer": all, "internal": all, "external": all, "immediate": all, "microtask": 20}},
		"ticks":      {(*eventloop.Loop).NextTick, 10, map[string]int{"timer": all, "internal": all, "external": all, "immediate": all, "microtask": all}},
	}
	for name, f := range floods {
		for kind, probe := range kinds {
			t.Run(name+"/"+kind, func(t *testing.T) {
				l := eventloop.New(eventloop.WithAutoExit())
				ran, left, waited := 0, all, -1
				var drop func()
				drop = func() {
					ran++
					if ran == middle {
						from := ran
						testkit.Must(t, probe(l, func() { waited = ran - from }))
					}
					if left > 0 {
						left--
						testkit.Must(t, f.submit(l, drop))
					}
				}
				for range f.backlog {
					left--
					testkit.Must(t, f.submit(l, drop))
				}
				testkit.Must(t, l.Run(context.Background()))
				t.Logf("waited for %d callbacks", waited)
				if waited < 0 || waited > f.bounds[kind] || ran != all {
					t.Errorf("waited for %d callbacks of the flood, want %d at most; %d ran", waited, f.bounds[kind], ran)
				}
			})
		}
	}
}
