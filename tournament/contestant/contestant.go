// Package contestant says what takes part in a tournament: an event loop behind a small interface, and what it can
// do beyond running tasks.
package contestant

import (
	"context"
	"errors"
)

// A Contestant is an event loop design that takes part in a tournament.
type Contestant struct {
	// Name is the name in tables and benchmark names, such as "Main". It has no space, slash or comma, is not "all", and
	// belongs to nobody else in the tournament, in other capital letters neither.
	Name string

	// About tells mechanism and trade-off in one line.
	About string

	// Loses is why the loop may accept a task and, when it is shut down, never run it. It is empty for a loop that
	// runs all it has accepted.
	Loses string

	// Panics is why a task that panics takes the loop down with it. It is empty for a loop that survives.
	Panics string

	// VariantOf names the contestant from which this one differs in one thing only, to show what that thing costs. It
	// is empty for a design of its own.
	VariantOf string

	// Control says that it is no design to choose but something to compare with.
	Control bool

	// OpenLoop says of a variant that open-loop categories have it also where variants are left out: what it changes
	// shows nowhere else.
	OpenLoop bool

	// Unavailable is why no such loop can be made on this system. It is empty where one can.
	Unavailable string

	// New makes a loop that is ready to accept tasks, or says why it cannot. Every measurement has a new one. It may be
	// called from any goroutine, and is given a few seconds.
	New func() (Loop, error)
}

// ErrUnavailable is what New returns where Unavailable says that it cannot make a loop.
var ErrUnavailable = errors.New("contestant: not available on this system")

// A Loop is an event loop under test. What it can do beyond this is asked for: see [Capability].
type Loop interface {
	// Run makes the calling goroutine the one that runs the tasks, one at a time, and returns when the loop has
	// ended: after Shutdown, or when ctx ends. The harness calls it once, on a goroutine of its own.
	Run(ctx context.Context) error

	// Submit hands a task to the loop, from any goroutine, before Run and while it runs. It may block while the loop
	// is full. When it returns an error, the task never runs. Tasks of one goroutine run in the order of submission.
	Submit(task func()) error

	// Shutdown ends the loop when it has run what it had accepted, and returns when it has ended or ctx has. Tasks
	// that come later are refused with an error. Any goroutine but the loop's own may call it, and more than once.
	Shutdown(ctx context.Context) error
}
