package workload

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/guard"
)

// A LossError says that the number of accepted tasks and the number of tasks that ran differ.
type LossError struct {
	Submitted, Ran int64
}

// Error describes the difference.
func (e *LossError) Error() string {
	if e.Ran > e.Submitted {
		return fmt.Sprintf("%d tasks were accepted and %d ran: tasks ran more than once", e.Submitted, e.Ran)
	}
	return fmt.Sprintf("%d tasks were accepted and %d ran: tasks were lost", e.Submitted, e.Ran)
}

// ErrHangs says that the loop, or the workload on it, did not end in time.
var ErrHangs = errors.New("not done in time")

// try runs the workload once. It returns within a few times patience, whether the loop ends or not. If the loop
// hangs, its goroutines are left behind.
func (w *Workload) try(c contestant.Contestant, n int, patience time.Duration, clk clock, slice bool) (*Trial, error) {
	fail := func(err error) (*Trial, error) {
		return nil, fmt.Errorf("%s on %s: %w", w.Name, c.Name, err)
	}
	loop, err := c.Make()
	if err != nil {
		return fail(fmt.Errorf("new loop: %w", err))
	}
	t := &Trial{N: n, Loop: loop, Contestant: c.Name, clock: clk, slice: slice}
	t.empty = func() { t.emptyRan++ }
	ended := runLoop(loop)
	if err := t.warm(ended, patience); err != nil {
		return fail(err)
	}
	var before guard.Heap
	watched := n >= guard.MinOps && !slice
	if watched {
		before = guard.Alive()
	}
	if err := t.perform(w, ended, patience); err != nil {
		return fail(err)
	}
	if err := t.settle(ended, patience); err != nil {
		return fail(err)
	}
	var grown error
	if watched {
		grown = before.Grown(n) // before the loop's end, while it may still hold memory that it should have released
	}
	if err := end(loop, ended, patience); err != nil {
		return fail(err)
	}
	if grown != nil {
		return fail(grown)
	}
	if done := t.submitted.Load(); done < int64(n) {
		return fail(fmt.Errorf("performed %d of %d operations: a fault of the workload", done, n))
	}
	return t, nil
}

// runLoop runs the loop on a goroutine of its own. The channel gets the outcome and is closed.
func runLoop(loop contestant.Loop) <-chan error {
	ended := make(chan error, 1)
	go func() {
		defer close(ended)
		defer func() {
			if v := recover(); v != nil {
				ended <- fmt.Errorf("a panic came out of Run: %v", v)
			}
		}()
		if err := loop.Run(context.Background()); err != nil {
			ended <- err
		}
	}()
	return ended
}

// warm runs one task.
func (t *Trial) warm(ended <-chan error, patience time.Duration) error {
	ran := make(chan struct{}, 1)
	submitted := make(chan error, 1)
	go func() {
		submitted <- caught(func() error { return t.Loop.Submit(func() { ran <- struct{}{} }) })
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case err := <-submitted:
		if err != nil {
			return fmt.Errorf("first Submit: %w", err)
		}
	case <-timer.C:
		return fmt.Errorf("the first Submit does not return: %w (%v)", ErrHangs, patience)
	}
	select {
	case <-ran:
		return nil
	case err := <-ended:
		return early(err)
	case <-timer.C:
		return fmt.Errorf("the first task did not run: %w (%v)", ErrHangs, patience)
	}
}

// perform calls the workload on a goroutine that can be given up.
func (t *Trial) perform(w *Workload, ended <-chan error, patience time.Duration) error {
	outcome := make(chan error, 1)
	go func() { outcome <- caught(func() error { return w.Run(t) }) }()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case err := <-outcome:
		return err
	case err := <-ended:
		t.abandoned.Store(true)
		return early(err)
	case <-timer.C:
		t.abandoned.Store(true)
		return fmt.Errorf("%w (%v): %d operations, a task was lost or the loop hangs", ErrHangs, patience, t.N)
	}
}

// caught calls fn and makes an error of its panic, in a method of the loop or in the workload. For example, a task
// that runs twice makes the next user of a WaitGroup panic.
func caught(fn func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("a panic in the workload or in a method of the loop, as when a task runs more than once: %v", v)
		}
	}()
	return fn()
}

func early(err error) error {
	if err == nil {
		err = errors.New("without an error")
	}
	return fmt.Errorf("the loop ended before its Shutdown: %w", err)
}

// end shuts the loop down.
func end(loop contestant.Loop, ended <-chan error, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	shut := make(chan error, 1)
	go func() { shut <- caught(func() error { return loop.Shutdown(ctx) }) }()
	late := time.NewTimer(patience + grace) // for a Shutdown that does not look at its context
	defer late.Stop()
	select {
	case err := <-shut:
		if err != nil {
			return fmt.Errorf("shut down: %w", err)
		}
	case <-late.C:
		return fmt.Errorf("no return from Shutdown although its context has ended: %w (%v)", ErrHangs, patience)
	}
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return fmt.Errorf("the loop runs on after Shutdown: %w (%v)", ErrHangs, patience)
	}
}

// grace is the time for Shutdown to notice that its context has ended.
const grace = time.Second
