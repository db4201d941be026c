package contracts_test

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

func TestSubmitIsRefusedWhenAsManyTasksWaitAsMay(t *testing.T) {
	l := eventloop.New(eventloop.WithQueueLimit(2))
	var log testkit.Journal
	testkit.Must(t, l.Submit(log.Does("one")))
	testkit.Must(t, l.Submit(func() {
		log.Say("two")
		testkit.Must(t, l.Submit(log.Does("four"))) // the first two have begun
		testkit.Must(t, l.Submit(log.Does("five")))
		if err := l.Submit(log.Does("refused")); !errors.Is(err, eventloop.ErrQueueFull) {
			t.Errorf("Submit from inside: %v", err)
		}
		testkit.Must(t, l.Do(t.Context(), log.Does("three"))) // inline
		_ = l.Shutdown(testkit.Ended())                       // begins it; the tasks that were accepted run
	}))
	for range 3 {
		if err := l.Submit(log.Does("refused")); !errors.Is(err, eventloop.ErrQueueFull) {
			t.Errorf("Submit: %v", err)
		}
	}
	if err := l.Do(t.Context(), log.Does("refused")); !errors.Is(err, eventloop.ErrQueueFull) {
		t.Errorf("Do: %v", err)
	}
	testkit.Must(t, l.Run(t.Context()))
	log.Expect(t, "one two three four five")
	if err := l.Submit(func() {}); !errors.Is(err, eventloop.ErrLoopTerminated) {
		t.Errorf("after the end: %v", err)
	}
}

func TestWorkOfTheLoopItselfIsNotBounded(t *testing.T) {
	l := eventloop.New(eventloop.WithQueueLimit(1), eventloop.WithAutoExit())
	ran := 0
	count := func() { ran++ }
	testkit.Must(t, l.Submit(count))
	for range 5 {
		testkit.Must(t, l.SubmitInternal(count))
		testkit.Must(t, l.ScheduleImmediate(count))
		testkit.Must(t, l.ScheduleMicrotask(count))
		testkit.Must(t, l.NextTick(count))
		testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(0, count))
	}
	testkit.Must(t, l.Run(testkit.Bounded(t)))
	if ran != 26 {
		t.Errorf("%d callbacks ran, want 26", ran)
	}
}

func TestTaskThatEndsBadlyMakesRoom(t *testing.T) {
	for _, e := range endings {
		t.Run(e.name, func(t *testing.T) {
			var errs heard
			l := eventloop.New(eventloop.WithQueueLimit(1), errs.option())
			result := testkit.Launch(l)
			for range 10 {
				for errors.Is(l.Submit(e.end), eventloop.ErrQueueFull) {
					runtime.Gosched()
				}
			}
			if n := testkit.Room(t, l, eventloop.ErrQueueFull); n != 1 {
				t.Errorf("there is room for %d tasks", n)
			}
			testkit.Must(t, l.Shutdown(testkit.Bounded(t)))
			testkit.Await(t, "Run", result)
		})
	}
}

// Accepted tasks run once and in order. Refused tasks do not run. The limit holds at every moment.
func TestBoundedQueueUnderManyProducers(t *testing.T) {
	for _, limit := range []int{1, 7, 2000} {
		l := eventloop.New(eventloop.WithQueueLimit(limit))
		result := testkit.Launch(l)
		const producers, tasks = 8, 2000
		accepted, ran := [producers]int{}, [producers]int{}
		var counted atomic.Int64
		begun := int64(0)
		var group sync.WaitGroup
		for p := range producers {
			group.Go(func() {
				for range tasks {
					next := accepted[p]
					err := l.Submit(func() {
						if ran[p] != next {
							t.Errorf("task %d of producer %d ran as number %d", next, p, ran[p])
						}
						ran[p]++
						begun++
						if n := counted.Load() - begun; n > int64(limit) { // accepted tasks are counted a little later
							t.Errorf("%d tasks wait, the limit is %d", n, limit)
						}
					})
					switch {
					case err == nil:
						accepted[p]++
						counted.Add(1)
					case errors.Is(err, eventloop.ErrQueueFull):
						runtime.Gosched()
					default:
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
		if n := testkit.Room(t, l, eventloop.ErrQueueFull); n != limit {
			t.Errorf("there is room for %d tasks, the limit is %d", n, limit)
		}
		testkit.Must(t, l.Shutdown(testkit.Bounded(t)))
		testkit.Await(t, "Run", result)
		if accepted != ran {
			t.Errorf("accepted %v, ran %v", accepted, ran)
		}
	}
}

func TestQueueLimitBelowOneIsNone(t *testing.T) {
	for _, n := range []int{0, -1} {
		l := eventloop.New(eventloop.WithQueueLimit(1), eventloop.WithQueueLimit(n))
		for range 2000 {
			testkit.Must(t, l.Submit(func() {}))
		}
		testkit.Must(t, l.Close())
		if l.Dropped().External != 2000 {
			t.Errorf("limit %d: accepted %d", n, l.Dropped().External)
		}
	}
}
