//go:build explore

package inside

import "github.com/eventloop-go/eventloop/internal/netpoll"

// A Probe shows explored tests the internals of a loop. Its methods take no lock: one goroutine runs at a time.
type Probe interface {
	// SetKernel has a loop that has not begun use a simulated kernel.
	SetKernel(calls netpoll.Calls)

	// Asleep judges a loop that sleeps with nothing to run, while so many tokens keep it open: its queues are empty, and its
	// counts match its contents.
	Asleep(tokens int64) error

	// Ended judges a loop that has ended: it holds on to nothing.
	Ended() error

	// Live counts the resources that keep an auto-exit loop open.
	Live() int64

	// Bounded counts the external tasks that have not begun, of a loop with a limit.
	Bounded() int64
}

// ProbeOf returns the probe of an *eventloop.Loop. Package eventloop sets it.
var ProbeOf func(loop any) Probe
