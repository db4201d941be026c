// Package contestant defines a participant of a tournament: an event loop behind a small interface, and its abilities
// beyond running tasks.
package contestant

import (
	"context"
	"errors"
)

// A Contestant is an event loop design that takes part in a tournament.
type Contestant struct {
	// Name is the name in tables and benchmark names, such as "Main". It has no space, slash or comma, and is not
	// "all". It must be unique in the tournament, also without regard to capital letters.
	Name string

	// About describes mechanism and trade-off in one line.
	About string

	// Loses is why the loop may accept a task and, when it is shut down, never run it. It is empty for a loop that
	// runs all it has accepted.
	Loses string

	// Panics is why a task that panics takes the loop down with it. It is empty for a loop that survives.
	Panics string

	// VariantOf names the contestant from which this one differs in one respect only. The difference of their results
	// is the cost of that respect. It is empty for a design of its own.
	VariantOf string

	// Family names the default member of the contestant's family. Families are ranked by their default members. The
	// others have a table of their own, beside the default member of which they are variants. It is empty for a
	// default member.
	Family string

	// Control says that the contestant is a baseline, not a design to choose.
	Control bool

	// OpenLoop makes open-loop categories include a variant even when variants are left out, because its difference
	// shows only there.
	OpenLoop bool

	// Unavailable is the reason why this system cannot have such a loop. It is empty if it can.
	Unavailable string

	// New makes a loop that is ready to accept tasks, or says why it cannot. Every measurement has a new one. It may be
	// called from any goroutine, and is given a few seconds.
	New func() (Loop, error)
}

// ErrUnavailable is the error of New on systems for which Unavailable has a reason.
var ErrUnavailable = errors.New("contestant: not available on this system")

// A Loop is an event loop under test. Further abilities are optional interfaces: see [Capability].
type Loop interface {
	// Run makes the calling goroutine the one that runs the tasks, one at a time, and returns when the loop has
	// ended: after Shutdown, or when ctx ends. The harness calls it once, on a goroutine of its own.
	Run(ctx context.Context) error

	// Submit hands a task to the loop, from any goroutine, before Run and while it runs. It may block while the loop
	// is full. When it returns an error, the task never runs. Tasks of one goroutine run in the order of submission.
	Submit(task func()) error

	// Shutdown ends the loop when all accepted tasks have run, and returns when it has ended or ctx has. Tasks that
	// come later are refused with an error. Any goroutine but the loop's own may call it, and more than once.
	Shutdown(ctx context.Context) error
}
