package contracts_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"
	"weak"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// A captive is what a function captures. It has pointers, so that it is an object of its own.
type captive struct{ self *captive }

// capture returns a function that keeps a captive, and a weak pointer to that.
func capture(ran *int) (func(), weak.Pointer[captive]) {
	c := &captive{}
	c.self = c
	return func() {
		if *ran++; c.self == nil {
			panic("gone")
		}
	}, weak.Make(c)
}

// gone fails the test unless the captive is collected.
func gone(t *testing.T, p weak.Pointer[captive]) {
	t.Helper()
	for deadline := time.Now().Add(testkit.Patience); p.Value() != nil; runtime.Gosched() {
		if runtime.GC(); time.Now().After(deadline) {
			t.Fatal("what the function captures is kept")
		}
	}
}

// An inline call of Do is neither queued nor kept. It does not use up the limit of the queue. Its function can be collected
// while the callback goes on.
func TestDoInsideACallbackLeavesNothingInTheQueue(t *testing.T) {
	const limit = 4
	runMain(t, func(l *eventloop.Loop) {
		ran := 0
		var last weak.Pointer[captive]
		for range 10 * limit {
			fn, p := capture(&ran)
			testkit.Must(t, l.Do(context.Background(), fn))
			last = p
		}
		gone(t, last)
		for range limit {
			testkit.Must(t, l.Submit(func() { ran++ }))
		}
		if err := l.Submit(func() {}); !errors.Is(err, eventloop.ErrQueueFull) {
			t.Errorf("Submit beyond the limit: %v", err)
		}
		if ran != 10*limit {
			t.Errorf("%d calls have run, want %d", ran, 10*limit)
		}
	}, eventloop.WithQueueLimit(limit))
}

// A Do that was given up stays in the queue until the loop comes to it, without its function.
func TestADoThatWasGivenUpKeepsNothing(t *testing.T) {
	l := running(t)
	began, release := make(chan struct{}), make(chan struct{})
	testkit.Must(t, l.Submit(func() { close(began); <-release }))
	testkit.Await(t, "the callback", began)
	defer close(release)
	ran := 0
	fn, p := capture(&ran)
	ctx, cancel := context.WithCancel(context.Background())
	result := make(chan error, 1)
	queued := inside.Of(l).Load()
	go func(fn func()) { result <- l.Do(ctx, fn) }(fn)
	fn = nil
	for inside.Of(l).Load() == queued { // until Do waits
		runtime.Gosched()
	}
	cancel()
	if err := testkit.Await(t, "Do", result); !errors.Is(err, context.Canceled) {
		t.Errorf("Do: %v", err)
	}
	gone(t, p)
}

// The bound of the priority lane is exact, wherever in the backlog a priority task is accepted.
func TestAPriorityTaskWaitsForOneBatchAtMost(t *testing.T) {
	for _, at := range []int{1, 2, 500, batch - 1, batch, batch + 1, 2*batch - 1, 2 * batch, 3000} {
		for _, awake := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d/awake=%v", at, awake), func(t *testing.T) {
				const all = 5 * batch
				l := eventloop.New(eventloop.WithAutoExit())
				ran, waited := 0, -1
				task := func() {
					if ran++; ran == at {
						testkit.Must(t, l.SubmitInternal(func() { waited = ran - at }))
					}
				}
				flood := func() {
					for range all {
						testkit.Must(t, l.Submit(task))
					}
				}
				if awake {
					testkit.Must(t, l.Submit(flood)) // the backlog gathers while a task runs, which may be one that was handed over
				} else {
					flood()
				}
				testkit.Must(t, l.Run(testkit.Bounded(t)))
				if ran != all || waited < 0 || waited >= batch {
					t.Errorf("it has waited for %d of %d tasks, want less than %d", waited, ran, batch)
				}
			})
		}
	}
}

// Each queue counts among the resources that keep a loop alive.
func TestActiveResourcesListCallbacksOfAllQueues(t *testing.T) {
	for name, queue := range map[string]func(l *eventloop.Loop, fn func()) error{
		"external":  (*eventloop.Loop).Submit,
		"internal":  (*eventloop.Loop).SubmitInternal,
		"immediate": (*eventloop.Loop).ScheduleImmediate,
		"closing":   func(l *eventloop.Loop, fn func()) error { return adapter.Of(l).ScheduleClose(fn) },
		"tick":      (*eventloop.Loop).NextTick,
		"microtask": (*eventloop.Loop).ScheduleMicrotask,
		"own job":   func(l *eventloop.Loop, fn func()) error { adapter.Of(l).Enqueue(jobFunc(fn)); return nil },
		"afterward": func(l *eventloop.Loop, fn func()) error { adapter.Of(l).Afterward(jobFunc(fn)); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			ran := 0
			runMain(t, func(l *eventloop.Loop) {
				for n := range 3 {
					queued := 0
					all, err := inspect.ActiveResources(testkit.Bounded(t), l)
					testkit.Must(t, err)
					for _, r := range all {
						if r.Kind == inspect.ResourceQueue {
							queued += r.Count
						}
					}
					if queued != n {
						t.Errorf("%d callbacks wait: %v", n, all)
					}
					testkit.Must(t, queue(l, func() { ran++ }))
				}
			})
			if ran != 3 {
				t.Errorf("%d callbacks ran, want 3", ran)
			}
		})
	}
}
