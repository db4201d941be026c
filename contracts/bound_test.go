package contracts_test

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/eventloop-go/eventloop"
)

func TestSubmitIsRefusedWhenAsManyTasksWaitAsMay(t *testing.T) {
	l := eventloop.New(eventloop.WithQueueLimit(2))
	var log journal
	must(t, l.Submit(log.does("one")))
	must(t, l.Submit(func() {
		log.say("two")
		must(t, l.Submit(log.does("four"))) // the first two have begun
		must(t, l.Submit(log.does("five")))
		if err := l.Submit(log.does("refused")); !errors.Is(err, eventloop.ErrQueueFull) {
			t.Errorf("Submit from inside: %v", err)
		}
		must(t, l.Do(t.Context(), log.does("three"))) // inline
		_ = l.Shutdown(ended())                       // begins it; the tasks that were accepted run
	}))
	for range 3 {
		if err := l.Submit(log.does("refused")); !errors.Is(err, eventloop.ErrQueueFull) {
			t.Errorf("Submit: %v", err)
		}
	}
	if err := l.Do(t.Context(), log.does("refused")); !errors.Is(err, eventloop.ErrQueueFull) {
		t.Errorf("Do: %v", err)
	}
	must(t, l.Run(t.Context()))
	log.expect(t, "one two three four five")
	if err := l.Submit(func() {}); !errors.Is(err, eventloop.ErrLoopTerminated) {
		t.Errorf("after the end: %v", err)
	}
}

func TestWorkOfTheLoopItselfIsNotBounded(t *testing.T) {
	l := eventloop.New(eventloop.WithQueueLimit(1), eventloop.WithAutoExit())
	ran := 0
	count := func() { ran++ }
	must(t, l.Submit(count))
	for range 5 {
		must(t, l.SubmitInternal(count))
		must(t, l.ScheduleImmediate(count))
		must(t, l.ScheduleMicrotask(count))
		must(t, l.NextTick(count))
		scheduled(t)(l.ScheduleTimer(0, count))
	}
	must(t, l.Run(bounded(t)))
	if ran != 26 {
		t.Errorf("%d callbacks ran, want 26", ran)
	}
}

func TestTaskThatEndsBadlyMakesRoom(t *testing.T) {
	for _, e := range endings {
		t.Run(e.name, func(t *testing.T) {
			var errs heard
			l := eventloop.New(eventloop.WithQueueLimit(1), errs.option())
			result := launch(l)
			for range 10 {
				for errors.Is(l.Submit(e.end), eventloop.ErrQueueFull) {
					runtime.Gosched()
				}
			}
			if n := room(t, l); n != 1 {
				t.Errorf("there is room for %d tasks", n)
			}
			must(t, l.Shutdown(bounded(t)))
			await(t, "Run", result)
		})
	}
}

// room tells how many tasks a loop with nothing to do accepts in a row.
func room(t *testing.T, l *eventloop.Loop) (tasks int) {
	t.Helper()
	idle := func() { // Do waits its turn in the same queue
		for errors.Is(l.Do(bounded(t), func() {}), eventloop.ErrQueueFull) {
			runtime.Gosched()
		}
	}
	idle()
	counted := make(chan struct{})
	must(t, l.SubmitInternal(func() {
		for l.Submit(func() {}) == nil {
			tasks++
		}
		close(counted)
	}))
	await(t, "the count", counted)
	idle()
	return tasks
}

// What was accepted runs, once, and in order; what was refused does not; the limit holds at every moment.
func TestBoundedQueueUnderManyProducers(t *testing.T) {
	for _, limit := range []int{1, 7, 2000} {
		l := eventloop.New(eventloop.WithQueueLimit(limit))
		result := launch(l)
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
						if n := counted.Load() - begun; n > int64(limit) { // what was accepted is counted a little later
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
		if n := room(t, l); n != limit {
			t.Errorf("there is room for %d tasks, the limit is %d", n, limit)
		}
		must(t, l.Shutdown(bounded(t)))
		await(t, "Run", result)
		if accepted != ran {
			t.Errorf("accepted %v, ran %v", accepted, ran)
		}
	}
}

func TestQueueLimitBelowOneIsNone(t *testing.T) {
	for _, n := range []int{0, -1} {
		l := eventloop.New(eventloop.WithQueueLimit(1), eventloop.WithQueueLimit(n))
		for range 2000 {
			must(t, l.Submit(func() {}))
		}
		must(t, l.Close())
		if l.Dropped().External != 2000 {
			t.Errorf("limit %d: accepted %d", n, l.Dropped().External)
		}
	}
}
