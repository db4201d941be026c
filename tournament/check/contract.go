package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/eventloop-go/eventloop/tournament/contestant"
)

// SubmissionOrder is one goroutine that submits, before the loop runs and while it does.
var SubmissionOrder = Suite{
	Name:  "SubmissionOrder",
	About: "100 tasks are submitted before Run and 100 while it runs: all run, in this order",
	Run: func(t *Trial) error {
		loop, err := t.Contestant.Make()
		if err != nil {
			return fmt.Errorf("new loop: %w", err)
		}
		const tasks = 100
		var got []int
		submit := func(l contestant.Loop, from int) error {
			for i := from; i < from+tasks; i++ {
				if err := l.Submit(func() { got = append(got, i) }); err != nil {
					return fmt.Errorf("task %d was refused: %w", i, err)
				}
			}
			return nil
		}
		if err := submit(loop, 0); err != nil {
			return fmt.Errorf("before Run: %w", err)
		}
		r := t.begin(context.Background(), loop)
		if err := submit(r, tasks); err != nil {
			return err
		}
		if err := r.Round("a task behind the others"); err != nil {
			return err
		}
		if err := r.End(); err != nil {
			return err
		}
		for i, n := range got {
			if n != i {
				return fmt.Errorf("task %d ran as number %d", n, i)
			}
		}
		return conserved(2*tasks, int64(len(got)))
	},
}

// ContextEnd is a context that ends, without a Shutdown.
var ContextEnd = Suite{
	Name:  "ContextEnd",
	About: "the context of Run ends before Run, in a task, and while the loop sleeps: Run returns",
	Run: func(t *Trial) error {
		for when, begin := range map[string]func(r *Running, cancel func()) error{
			"before Run":      nil,
			"in a task":       func(r *Running, cancel func()) error { return r.Submit(cancel) },
			"while it sleeps": func(r *Running, cancel func()) error { defer cancel(); return r.Round("the first task") },
		} {
			loop, err := t.Contestant.Make()
			if err != nil {
				return fmt.Errorf("new loop: %w", err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if begin == nil {
				cancel()
			}
			r := t.begin(ctx, loop)
			if begin != nil {
				if err := begin(r, cancel); err != nil {
					return err
				}
			}
			select {
			case <-r.ended: // with nil or an error: both are good
			case <-t.Context.Done():
				return fmt.Errorf("Run goes on although its context has ended %s: %w", when, context.Cause(t.Context))
			}
		}
		return nil
	},
}

// ShutdownRefusal checks the state after Shutdown.
var ShutdownRefusal = Suite{
	Name:  "ShutdownRefusal",
	About: "when Shutdown has returned, 10,000 tasks that were accepted before have run, and further ones are refused in either lane",
	Run: func(t *Trial) error {
		r, err := t.Start()
		if err != nil {
			return err
		}
		const tasks = 10_000
		ran, late := int64(0), false
		for range tasks {
			if err := r.Submit(func() { ran++ }); err != nil {
				return err
			}
		}
		if err := r.End(); err != nil {
			return err
		}
		if err := conserved(tasks, ran); err != nil {
			return err
		}
		if err := r.Submit(func() { late = true }); err == nil {
			return errors.New("Submit accepts a task after Shutdown has returned")
		}
		if lane, ok := r.Loop.(contestant.PriorityLane); ok && lane.SubmitInternal(func() { late = true }) == nil {
			return errors.New("SubmitInternal accepts a task after Shutdown has returned")
		}
		if late {
			return errors.New("a refused task ran")
		}
		return nil
	},
}

// ShutdownGivesUp is a Shutdown with less patience than the task that runs.
var ShutdownGivesUp = Suite{
	Name:  "ShutdownGivesUp",
	About: "a task holds the loop and the context of Shutdown ends: it returns an error, and the loop ends when the task has",
	Run: func(t *Trial) error {
		r, err := t.Start()
		if err != nil {
			return err
		}
		release := make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context)
		if err := r.Submit(func() { cancel(); <-release }); err != nil {
			cancel()
			return err
		}
		var gaveUp error
		err = t.wait(func() { gaveUp = caught(func() error { return r.Shutdown(ctx) }) }, "Shutdown to notice that its context has ended")
		close(release)
		switch {
		case err != nil:
			return err
		case gaveUp == nil:
			return errors.New("nil from Shutdown while a task was running")
		}
		return r.Ended()
	},
}

// ShutdownBeforeRun shuts a loop down before it runs.
var ShutdownBeforeRun = Suite{
	Name:  "ShutdownBeforeRun",
	About: "Shutdown is called before Run: Run returns",
	Run: func(t *Trial) error {
		loop, err := t.Contestant.Make()
		if err != nil {
			return fmt.Errorf("new loop: %w", err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = loop.Shutdown(ctx) // before Run any result is right
		r := t.begin(context.Background(), loop)
		select {
		case <-r.ended:
			return nil
		case <-t.Context.Done():
			return fmt.Errorf("Run does not return after Shutdown: %w", context.Cause(t.Context))
		}
	},
}

// TimerCancel is a timer that fires and one that must not.
var TimerCancel = Suite{
	Name:  "TimerCancel",
	About: "a timer of 1 ms is cancelled at once and does not fire; two of 5 ms fire, not before their time; the loop ends with one of an hour cancelled",
	Needs: []contestant.Capability{contestant.HasTimers},
	Run: func(t *Trial) error {
		r, err := t.Start()
		if err != nil {
			return err
		}
		timers := r.Loop.(contestant.Timers)
		const delay = 5 * time.Millisecond
		began := time.Now()
		fired, wrong, late := 0, error(nil), error(nil)
		inTime := true // a busy machine may take a millisecond between the two calls
		done := make(chan struct{})
		fire := func() {
			if took := time.Since(began); took < delay {
				wrong = fmt.Errorf("a timer of %v fired after %v", delay, took)
			}
			if fired++; fired == 2 {
				close(done)
			}
		}
		for _, timer := range []struct {
			delay  time.Duration
			cancel bool
			task   func()
		}{
			{time.Hour, true, func() {}},
			{time.Millisecond, true, func() { late = errors.New("a cancelled timer fired") }},
			{delay, false, fire},
			{delay, false, fire},
		} {
			set := time.Now()
			cancel, err := timers.AfterFunc(timer.delay, timer.task)
			if err != nil {
				return fmt.Errorf("AfterFunc: %w", err)
			}
			if timer.cancel {
				cancel()
				inTime = inTime && time.Since(set) < timer.delay
			}
		}
		if err := r.Await(done, "two timers"); err != nil {
			return err
		}
		err = r.End()
		if inTime {
			wrong = errors.Join(wrong, late)
		}
		return errors.Join(err, wrong)
	},
}

// PriorityOrder checks the order of lanes.
var PriorityOrder = Suite{
	Name:  "PriorityOrder",
	About: "a task of the priority lane that was submitted later runs first; a microtask that it schedules runs next, if the loop has them",
	Needs: []contestant.Capability{contestant.HasPriorityLane},
	Run: func(t *Trial) error {
		r, err := t.Start()
		if err != nil {
			return err
		}
		microtasks, _ := r.Loop.(contestant.Microtasks)
		var order []string
		note := func(what string) func() { return func() { order = append(order, what) } }
		want := []string{"priority", "task"}
		if microtasks != nil {
			want = []string{"priority", "microtask", "task"}
		}
		var refused error
		held, release := make(chan struct{}), make(chan struct{})
		if err := r.Submit(func() { close(held); <-release }); err != nil {
			return err
		}
		if err := r.Await(held, "the task that holds the loop"); err != nil {
			return err
		}
		err = errors.Join(r.Submit(note("task")), r.Loop.(contestant.PriorityLane).SubmitInternal(func() {
			note("priority")()
			if microtasks != nil {
				refused = microtasks.ScheduleMicrotask(note("microtask"))
			}
		}))
		close(release)
		if err != nil {
			return err
		}
		if err := r.Round("a task behind the others"); err != nil {
			return err
		}
		if err := errors.Join(r.End(), refused); err != nil {
			return err
		}
		if !slices.Equal(order, want) {
			return fmt.Errorf("ran %v, want %v", order, want)
		}
		return nil
	},
}
