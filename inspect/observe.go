package inspect

import (
	"reflect"
	"runtime"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
)

// An EventType is the kind of an [Event].
type EventType uint8

// The types of events. The first four come in pairs that nest: a phase has callbacks.
const (
	PhaseBegan EventType = iota + 1
	PhaseEnded
	CallbackBegan
	CallbackEnded // its nextTick callbacks and microtasks have run, too
	LoopSleeps
	LoopWakes
)

// A Phase is a part of the turn.
type Phase uint8

// The phases, in the order of the turn.
const (
	PhaseTimers Phase = iota
	PhaseInternal
	PhaseExternal
	PhasePoll
	PhaseCheck
	PhaseClose
)

var phaseNames = [...]string{"timers", "internal", "external", "poll", "check", "close"}

// String returns the phase's name, such as "timers".
func (p Phase) String() string {
	if int(p) < len(phaseNames) {
		return phaseNames[p]
	}
	return "unknown"
}

// An Event is a step of a loop. An observer must not keep it; it copies the fields it needs.
type Event struct {
	Type  EventType
	Phase Phase         // not of LoopSleeps and LoopWakes
	At    time.Duration // since the loop was made, on its monotonic clock
	Took  time.Duration // of PhaseEnded and CallbackEnded
	Jobs  uint64        // nextTick callbacks and microtasks that ran in it; of CallbackEnded

	// Checkpoint is set for nextTick callbacks and microtasks that follow no callback. They are one callback to observers.
	Checkpoint bool

	fn   any // the callback
	site inside.Site
}

// Function returns the name of the callback's function, as the runtime has it, or "" for an event without a callback.
// It takes a microsecond.
func (e Event) Function() string {
	if e.fn == nil {
		return ""
	}
	if f := runtime.FuncForPC(reflect.ValueOf(e.fn).Pointer()); f != nil {
		return f.Name()
	}
	return ""
}

// Submitted returns the place where the callback was submitted, or its timer made. It has the innermost calls outside
// of this module, as in "main.work main.go:12 < main.main main.go:7". It is "" without [WithTraceCreation], and for
// checkpoints.
func (e Event) Submitted() string { return place(e.site) }

// Events says which events an observer receives.
type Events uint8

// The sets of events. They can be combined by |.
const (
	Phases    Events = 1 << iota // phases, and when the loop sleeps and wakes
	Callbacks                    // callbacks
)

// Observe has the loop report the requested events to fn, from the next turn on and, before Run, from the first.
// Calling stop ends the reports, from the next turn on. Both may be called from any goroutine, at any time.
//
// fn is called on the loop, outside of callbacks, and must be quick; it must not block, or wait for the loop. Several
// observers are called in the order in which they came. A panic of fn goes to the panic handler; fn stays an observer, and
// the loop loses nothing.
//
// Observing phases costs two readings of the clock for each, observing callbacks one for each, plus the time of fn. A
// callback may serve several others, as with JavaScript's timers and the events of package loopsource. For observers
// it then ends when the first of the others begins. A loop without observers pays for two tests in each phase.
func Observe(loop *eventloop.Loop, what Events, fn func(Event)) (stop func()) {
	return observe(diagnosis(loop), what, fn)
}

func observe(d inside.Diagnosis, what Events, fn func(Event)) (stop func()) {
	if fn == nil {
		return func() {}
	}
	return d.Observe(inside.Events(what), func(e inside.Event) {
		fn(Event{
			Type: EventType(e.Type), Phase: Phase(e.Phase), At: e.At, Took: e.Took, Jobs: e.Jobs, Checkpoint: e.Checkpoint,
			fn: e.Fn, site: e.Site,
		})
	})
}
