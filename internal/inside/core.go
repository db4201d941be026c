package inside

import (
	"github.com/eventloop-go/eventloop/internal/coroutine"
	"github.com/eventloop-go/eventloop/internal/queue"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// A Job is a microtask without a closure: a pointer to its data, with a Run method. The type is an alias, so that a
// named type of another package can be assigned to it directly.
type Job = interface{ Run() }

// The bits of [Core.Attention]: why the owner must look into the ingress before it runs the next callback.
const (
	AttendJobs   uint32 = 1 << iota // nextTick callbacks or microtasks wait in the ingress
	AttendClose                     // Close was called
	AttendStop                      // a shutdown has begun: the owner refuses timers
	AttendTimers                    // timers wait in the ingress; the owner adopts them before it adds its own
	AttendNew                       // nobody runs the loop yet: any goroutine may end it, so what skips the lock takes it
)

// A Core is the part of a loop that this module's packages use without an interface between, because they do so for every
// promise: the queues of microtasks. It lies in the loop. All but Attention, and what the methods say, is the owner's.
type Core struct {
	Attention sched.Uint32 // read after every callback, hardly ever written; any goroutine's

	Micros     queue.FIFO[Job]
	Afterward  queue.FIFO[Job]
	Coroutines coroutine.Group // they can be started while the loop runs; when it has run its last callback, they are unwound

	Waiters Waiters // any goroutine's

	// Set when the loop is made, read-only afterwards.
	Loop   Loop // the rest of the loop
	Public any  // the *eventloop.Loop
}

// CoreOf returns the core of an *eventloop.Loop, nil for none. Package eventloop sets it.
var CoreOf func(loop any) *Core

// Enqueue queues a microtask, on the loop, without its lock. The order of microtasks is one: those that EnqueueJob has
// queued before run earlier.
func (c *Core) Enqueue(job Job) {
	if a := c.Attention.Load(); a&(AttendJobs|AttendNew) != 0 {
		if a&AttendNew != 0 {
			_ = c.Loop.EnqueueJob(job) // refused by a loop that was closed before it ran: its queues are dropped
			return
		}
		c.Loop.FetchJobs()
	}
	c.Micros.Push(job)
}

// EnqueueJob queues a microtask from any goroutine, as Loop.enqueue does (microtask.go). It is refused when the loop has
// ended.
func (c *Core) EnqueueJob(job Job) error { return c.Loop.EnqueueJob(job) }

// Closing reports whether Close was called, on the loop.
func (c *Core) Closing() bool { return c.Attention.Load()&AttendClose != 0 }
