package inside

import (
	"github.com/eventloop-go/eventloop/internal/coroutine"
	"github.com/eventloop-go/eventloop/internal/queue"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// A Job is a microtask that needs no closure of its own: a pointer to what it works on, with a Run method. The type has no
// name of its own, so that a named one of another package is assigned to it as it is.
type Job = interface{ Run() }

// The bits of [Core.Attention]: why the owner must look into the ingress before it runs the next callback.
const (
	AttendJobs   uint32 = 1 << iota // nextTick callbacks or microtasks wait in the ingress
	AttendClose                     // Close was called
	AttendStop                      // a shutdown has begun: the owner refuses timers
	AttendTimers                    // timers wait in the ingress; the owner adopts them before it adds its own
)

// A Core is the part of a loop that this module's packages use without an interface between, because they do so for every
// promise: the queues of microtasks. It lies in the loop. All but Attention, and what the methods say, is the owner's.
type Core struct {
	Attention sched.Uint32 // read after every callback, hardly ever written; any goroutine's

	Micros     queue.FIFO[Job]
	Afterward  queue.FIFO[Job]
	Coroutines coroutine.Group // they can be started while the loop runs; when it has run its last callback, they are unwound

	// Set when the loop is made, read-only afterwards.
	Loop   Loop // the rest of the loop
	Public any  // the *eventloop.Loop
}

// CoreOf returns the core of an *eventloop.Loop, nil for none. Package eventloop sets it.
var CoreOf func(loop any) *Core

// Enqueue queues a microtask, on the loop, without its lock. The order of microtasks is one: those that EnqueueJob has
// queued before run earlier.
func (c *Core) Enqueue(job Job) {
	if c.Attention.Load()&AttendJobs != 0 {
		c.Loop.FetchJobs()
	}
	c.Micros.Push(job)
}

// EnqueueJob queues a microtask from any goroutine. It is refused when the loop has ended.
func (c *Core) EnqueueJob(job Job) error { return c.Loop.EnqueueJob(job) }

// Closing reports whether Close was called, on the loop.
func (c *Core) Closing() bool { return c.Attention.Load()&AttendClose != 0 }
