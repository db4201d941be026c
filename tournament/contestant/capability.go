package contestant

import (
	"time"

	"github.com/dop251/goja"
)

// A PriorityLane runs some tasks ahead of others.
type PriorityLane interface {
	// SubmitInternal is Submit for tasks that run before those that Submit has queued.
	SubmitInternal(task func()) error
}

// Microtasks run between tasks.
type Microtasks interface {
	// ScheduleMicrotask queues a callback to run as soon as the task in progress has returned.
	ScheduleMicrotask(callback func()) error
}

// Timers run tasks later.
type Timers interface {
	// AfterFunc arranges for the task to run on the loop when delay has passed, unless cancel is called before.
	// Cancel may be called from any goroutine; whether it came in time it does not say.
	AfterFunc(delay time.Duration, task func()) (cancel func(), err error)
}

// Promises are settled on the loop, and their handlers run as microtasks.
type Promises interface {
	// Chain makes a pending promise with that many handlers in a chain, which pass the value on; the last calls done.
	// Settle fulfils the promise. Both are called on the loop.
	Chain(handlers int, done func()) (settle func(), err error)
}

// Descriptors are watched along with everything else the loop waits for.
type Descriptors interface {
	// WatchReadable calls ready on the loop, turn after turn, while the descriptor can be read without blocking, until
	// stop is called. Stop must be called before the descriptor is closed. Any goroutine may call either; a call of
	// ready that has begun may still be running when stop returns.
	WatchReadable(fd int, ready func()) (stop func() error, err error)
}

// JavaScript belongs to a loop that is bound to a script engine of its own.
type JavaScript interface {
	// SubmitScript is Submit for a task that uses the loop's runtime, which has setTimeout and setImmediate.
	SubmitScript(task func(*goja.Runtime)) error
}

// A Capability is a feature that only some loops have. A workload that needs one is not applicable to a loop without
// it. That is different from being slow at it.
type Capability struct {
	// Name is the name in messages, such as "timers".
	Name string

	// In reports whether the loop has it.
	In func(Loop) bool
}

// The capabilities that workloads ask for.
var (
	HasPriorityLane = Capability{"priority lane", has[PriorityLane]}
	HasMicrotasks   = Capability{"microtasks", has[Microtasks]}
	HasTimers       = Capability{"timers", has[Timers]}
	HasPromises     = Capability{"promises", has[Promises]}
	HasDescriptors  = Capability{"descriptor readiness", has[Descriptors]}
	HasJavaScript   = Capability{"a JavaScript runtime of its own", has[JavaScript]}
)

// Capabilities returns every known capability.
func Capabilities() []Capability {
	return []Capability{HasPriorityLane, HasMicrotasks, HasTimers, HasPromises, HasDescriptors, HasJavaScript}
}

func has[T any](l Loop) bool {
	_, ok := l.(T)
	return ok
}
