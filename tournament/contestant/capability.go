package contestant

import "time"

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

// A Capability is something that some loops can do and others cannot. A workload that needs one is not applicable to
// a loop that lacks it, which is another thing than being slow at it.
type Capability struct {
	// Name is what messages call it, such as "timers".
	Name string

	// In reports whether the loop has it.
	In func(Loop) bool
}

// The capabilities that workloads ask for.
var (
	HasPriorityLane = Capability{"priority lane", has[PriorityLane]}
	HasMicrotasks   = Capability{"microtasks", has[Microtasks]}
	HasTimers       = Capability{"timers", has[Timers]}
)

// Capabilities returns every known capability.
func Capabilities() []Capability {
	return []Capability{HasPriorityLane, HasMicrotasks, HasTimers}
}

func has[T any](l Loop) bool {
	_, ok := l.(T)
	return ok
}
