package check

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/eventloop-go/eventloop/tournament/contestant"
)

// ErrHangs says that a suite was not done in time.
var ErrHangs = errors.New("not done in time")

// A LossError says that the number of accepted tasks and the number of tasks that ran differ.
type LossError struct{ Accepted, Ran int64 }

// Error describes the loss.
func (e *LossError) Error() string {
	if e.Ran > e.Accepted {
		return fmt.Sprintf("%d tasks were accepted and %d ran: %d ran more than once", e.Accepted, e.Ran, e.Ran-e.Accepted)
	}
	return fmt.Sprintf("%d tasks were accepted and %d ran: %d were lost", e.Accepted, e.Ran, e.Accepted-e.Ran)
}

// conserved compares the number of accepted tasks with the number that ran.
func conserved(accepted, ran int64) error {
	if accepted != ran {
		return &LossError{accepted, ran}
	}
	return nil
}

// An EndError says that a loop ended before it was asked to.
type EndError struct{ Cause string }

// Error gives the cause.
func (e *EndError) Error() string { return "the loop ended before its Shutdown: " + e.Cause }

// A Trial is one run of a suite on one contestant.
type Trial struct {
	// Contestant makes the loops.
	Contestant contestant.Contestant

	// Context ends when the suite has taken too long.
	Context context.Context

	note string

	mu       sync.Mutex
	started  []*Running
	panicked error // the first panic that came out of Submit
}

// Note leaves a line about the observations.
func (t *Trial) Note(format string, args ...any) { t.note = fmt.Sprintf(format, args...) }

// perform runs the suite in this process.
func (s *Suite) perform(ctx context.Context, c contestant.Contestant, patience time.Duration) (note string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("%w (%v)", ErrHangs, patience))
	defer cancel()
	t := &Trial{Contestant: c, Context: ctx}
	defer t.leave()
	outcome := make(chan error, 1)
	go func() {
		err := caught(func() error { return s.Run(t) })
		if fault := t.fault(); fault != nil {
			err = fault
		}
		outcome <- err
	}()
	select {
	case err := <-outcome:
		return t.note, err
	case <-ctx.Done():
	}
	// The suite sees the same end. It has a moment to report its state, and is then left behind.
	grace := time.NewTimer(time.Second)
	defer grace.Stop()
	select {
	case err := <-outcome:
		return t.note, err
	case <-grace.C:
		return "", context.Cause(ctx)
	}
}

// leave asks loops that a failure has left running to end. Whether they do is up to them.
func (t *Trial) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.started {
		select {
		case <-r.ended:
			continue
		default:
		}
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			_ = caught(func() error { return r.Shutdown(ctx) })
		}()
	}
}

// caught makes an error of a panic.
func caught(fn func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("a panic in the suite or in a method of the loop: %v", v)
		}
	}()
	return fn()
}

// A Running is a loop that runs on a goroutine of its own.
type Running struct {
	contestant.Loop
	trial *Trial
	ended chan struct{}
	err   error // of Run, once ended is closed
}

// Start makes a loop, runs it, and waits until it has run a first task.
func (t *Trial) Start() (*Running, error) {
	loop, err := t.Contestant.Make()
	if err != nil {
		return nil, fmt.Errorf("new loop: %w", err)
	}
	r := t.begin(context.Background(), loop)
	ctx, cancel := context.WithTimeoutCause(t.Context, firstPatience, fmt.Errorf("%w (%v)", ErrHangs, firstPatience))
	defer cancel()
	var refused error
	submitted, up := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(submitted)
		refused = r.Submit(func() { close(up) })
	}()
	if err := r.await(ctx, submitted, "the first Submit to return"); err != nil {
		return nil, err
	}
	if refused != nil {
		return nil, fmt.Errorf("first Submit: %w", refused)
	}
	if err := r.await(ctx, up, "the first task"); err != nil {
		return nil, err
	}
	return r, nil
}

// firstPatience is how long the first task of a loop may take. It is shorter than a suite's patience: a loop that
// runs nothing would exhaust it in each of them.
const firstPatience = 10 * time.Second

// begin runs a loop.
func (t *Trial) begin(ctx context.Context, loop contestant.Loop) *Running {
	r := &Running{Loop: loop, trial: t, ended: make(chan struct{})}
	t.mu.Lock()
	t.started = append(t.started, r)
	t.mu.Unlock()
	go func() {
		defer close(r.ended)
		defer func() {
			if v := recover(); v != nil {
				r.err = fmt.Errorf("a panic came out of Run: %v", v)
			}
		}()
		r.err = loop.Run(ctx)
	}()
	return r
}

// Submit is the loop's, except that its panic is a refusal and fails the suite. Otherwise the panic would happen on
// goroutines without recovery.
func (r *Running) Submit(task func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("a panic came out of Submit: %v", v)
			r.trial.mu.Lock()
			defer r.trial.mu.Unlock()
			if r.trial.panicked == nil {
				r.trial.panicked = err
			}
		}
	}()
	return r.Loop.Submit(task)
}

// fault is the panic that came out of Submit, if one did.
func (t *Trial) fault() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.panicked
}

// Await waits for an event, on a loop that is not meant to end meanwhile.
func (r *Running) Await(happened <-chan struct{}, what string) error {
	return r.await(r.trial.Context, happened, what)
}

func (r *Running) await(ctx context.Context, happened <-chan struct{}, what string) error {
	select {
	case <-happened:
		return nil
	default:
	}
	select {
	case <-happened:
		return nil
	case <-r.ended:
		select {
		case <-happened:
			return nil
		default:
		}
		cause := "Run returned nil"
		if r.err != nil {
			cause = r.err.Error()
		}
		return &EndError{cause}
	case <-ctx.Done():
		return fmt.Errorf("waiting for %s: %w", what, context.Cause(ctx))
	}
}

// Round runs a task and waits for it.
func (r *Running) Round(what string) error {
	ran := make(chan struct{})
	if err := r.Submit(func() { close(ran) }); err != nil {
		return fmt.Errorf("%s was refused: %w", what, err)
	}
	return r.Await(ran, what)
}

// End shuts the loop down and waits until Run has returned.
func (r *Running) End() error {
	if err := r.Shutdown(r.trial.Context); err != nil {
		return fmt.Errorf("shutdown: %w", err)
	}
	return r.Ended()
}

// Ended waits until Run has returned; the caller has requested that before.
func (r *Running) Ended() error {
	select {
	case <-r.ended:
		return r.err
	case <-r.trial.Context.Done():
		return fmt.Errorf("the loop runs on after Shutdown: %w", context.Cause(r.trial.Context))
	}
}

// wait is a WaitGroup's Wait, or any other, that gives up with the trial.
func (t *Trial) wait(wait func(), what string) error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		wait()
	}()
	select {
	case <-done:
		return nil
	case <-t.Context.Done():
		return fmt.Errorf("waiting for %s: %w", what, context.Cause(t.Context))
	}
}
