// Package channel enters the loop that a Go programmer writes by hand: a goroutine that receives functions from a
// buffered channel.
package channel

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/eventloop-go/eventloop/tournament/contestant"
)

// Contestant is Channel.
var Contestant = contestant.Contestant{
	Name:   "Channel",
	About:  "a goroutine that receives from a buffered chan func() of 1,024, written by hand; a full channel blocks the submitter",
	Loses:  "between its look at the stopped flag and its send, Submit may be overtaken by the end of the loop; to close that gap every send would have to select on a second channel",
	Panics: "a loop written by hand receives and calls, with no recover around the call: the panic unwinds its goroutine",
	New: func() (contestant.Loop, error) {
		return &loop{tasks: make(chan func(), capacity), done: make(chan struct{})}, nil
	},
}

// capacity is the channel's capacity.
const capacity = 1024

// errStopped refuses a task.
var errStopped = errors.New("channel: loop stopped")

// A loop passes every task through one channel.
//
// The choice concerns Submit. A send inside a select with a done channel can always be refused, but is slower.
// Closing the channel makes a late send panic. A lock around both is slower still. This design is the fastest one in
// which a late Submit is refused and does not panic or block for ever. It is a plain send, after reading a flag that
// only Shutdown writes. Loses states its weakness. Without submissions during the shutdown it is exact.
type loop struct {
	tasks   chan func() // a nil task is the request to end
	stopped atomic.Bool
	done    chan struct{}
}

// Run receives tasks until it receives the request to end, and then the rest of the channel.
func (l *loop) Run(ctx context.Context) error {
	defer close(l.done)
	cancel := context.AfterFunc(ctx, l.stop)
	defer cancel()
	for task := range l.tasks {
		if task == nil {
			break
		}
		task()
	}
	for {
		select {
		case task := <-l.tasks:
			task()
		default:
			return nil
		}
	}
}

// Submit sends the task. It blocks while the channel is full.
func (l *loop) Submit(task func()) error {
	if l.stopped.Load() {
		return errStopped
	}
	l.tasks <- task
	return nil
}

// Shutdown asks the loop to end behind the tasks that it has accepted.
func (l *loop) Shutdown(ctx context.Context) error {
	l.stop()
	select {
	case <-l.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (l *loop) stop() {
	if l.stopped.Swap(true) {
		return
	}
	select {
	case l.tasks <- nil:
	default:
		go func() { l.tasks <- nil }() // full: do not make the caller wait without regard to its context
	}
}
