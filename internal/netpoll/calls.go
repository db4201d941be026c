package netpoll

import "io"

// Events are the events for which a descriptor is ready.
type Events uint8

// The events.
const (
	Read   Events = 1 << iota // a read does not block; at end of stream too
	Write                     // a write does not block
	Error                     // an error is pending; reported without being asked for
	Hangup                    // both directions are closed; if asked for, also when the other side has closed its own

	All = Read | Write | Error | Hangup

	// The other side has closed its direction. Calls report it; callbacks get Hangup instead, if they have asked.
	halfClosed Events = 1 << 4
)

// An Event is the kernel's report of one descriptor.
type Event struct {
	FD         int32
	Generation uint32 // of the registration, or 0 if the kernel does not keep it
	Events     Events
}

// An Op is a change of the kernel's set.
type Op uint8

// The changes.
const (
	Add Op = iota
	Modify
	Delete
)

// A Change is an operation on one descriptor of the set.
type Change struct {
	Op         Op
	FD         int
	Generation uint32
	Events     Events // from now on
	Before     Events // until now, for Modify and Delete
}

// A Notifier reports to the owner that a set may have something new.
type Notifier interface {
	// Disable stops the reports until Enable. Ready may still be called.
	Disable()

	// Enable ends that. Ready is called if the set has something to report.
	Enable() error

	// Close closes the set.
	Close() error
}

// alwaysEnabled is a notifier that cannot be disabled.
type alwaysEnabled struct{ io.Closer }

func (alwaysEnabled) Disable() {}

func (alwaysEnabled) Enable() error { return nil }

// Calls are the system calls below a poller. Errors are those of the system. Wait is the owner's; the others may be called
// from any goroutine.
type Calls interface {
	// Create makes a set.
	Create() (set int, err error)

	// Notify arranges that ready is called, from a goroutine of its own, whenever the set may have something new to
	// report. Closing the notifier closes the set; ready may be called once more after that. If Notify fails, it has
	// closed the set.
	Notify(set int, ready func()) (Notifier, error)

	// Control changes the set. A descriptor in it is reported as long as it is ready; one without events at most once,
	// for an error or a hang-up.
	Control(set int, c Change) error

	// Wait fills events with the ready descriptors, without waiting for more.
	Wait(set int, events []Event) (n int, err error)
}
