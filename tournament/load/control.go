package load

import (
	"context"
	"sync"

	"github.com/eventloop-go/eventloop/tournament/contestant"
)

// Control is a contestant without a loop: submitting a task calls it. Several goroutines that submit run their tasks
// in parallel.
var Control = contestant.Contestant{
	Name:    "Direct",
	About:   "no loop: a submission calls the task on the goroutine that submits; the figures are those of the schedule, the generator and the machine",
	Panics:  "a task is called as any function is, so its panic unwinds whoever submitted it",
	Control: true,
	New:     func() (contestant.Loop, error) { return &direct{ended: make(chan struct{})}, nil },
}

type direct struct {
	end   sync.Once
	ended chan struct{}
}

// Run waits for the end.
func (d *direct) Run(ctx context.Context) error {
	select {
	case <-d.ended:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Submit calls the task.
func (d *direct) Submit(task func()) error {
	task()
	return nil
}

// Shutdown ends Run. Nothing is left to be run.
func (d *direct) Shutdown(context.Context) error {
	d.end.Do(func() { close(d.ended) })
	return nil
}
