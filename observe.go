package eventloop

import (
	"reflect"
	"runtime"
	"time"
)

// An EventType says what an [Event] tells.
type EventType uint8

// What an observer is told. The first four are in pairs that nest: a phase has callbacks.
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

// An Event is a step of a loop. It must not be kept: what is needed of it is to be copied.
type Event struct {
	Type  EventType
	Phase Phase         // not of LoopSleeps and LoopWakes
	At    time.Duration // since the loop was made, on its monotonic clock
	Took  time.Duration // of PhaseEnded and CallbackEnded
	Jobs  uint64        // nextTick callbacks and microtasks that ran in it; of CallbackEnded

	// Checkpoint is set for nextTick callbacks and microtasks that follow no callback. They are one callback to observers.
	Checkpoint bool

	fn   any // the callback
	site site
}

// Function returns the name of the callback's function, as the runtime has it, or "" if there is none. It takes a
// microsecond.
func (e Event) Function() string {
	if e.fn == nil {
		return ""
	}
	if f := runtime.FuncForPC(reflect.ValueOf(e.fn).Pointer()); f != nil {
		return f.Name()
	}
	return ""
}

// Submitted tells where the callback was submitted, or its timer made: the innermost calls outside of this module, as in
// "main.work main.go:12 < main.main main.go:7". It is "" without [WithTraceCreation], and for checkpoints.
func (e Event) Submitted() string { return e.site.String() }

// Events says which events an observer is told.
type Events uint8

// The sets of events. They can be combined by |.
const (
	ObservePhases    Events = 1 << iota // phases, and when the loop sleeps and wakes
	ObserveCallbacks                    // callbacks
)

// Observe has the loop tell fn of the events asked for, from the next turn on and, before Run, from the first. The function
// that it returns ends that, from the next turn on. Both may be called from any goroutine, at any time.
//
// fn is called on the loop, outside of callbacks, and must be quick; it must not block, panic, or wait for the loop. Several
// observers are called in the order in which they came.
//
// Phases cost two readings of the clock for each, callbacks one for each, and what fn takes. A callback that serves
// several others, as the timers of JavaScript and the events of a [Source] are served, ends for observers when the first
// of these begins. A loop that nobody observes pays for two tests in each phase.
func (l *Loop) Observe(what Events, fn func(Event)) (stop func()) {
	if fn == nil || what == 0 || l.done == nil {
		return func() {}
	}
	o := &observer{what, fn}
	l.changeObservers(func(all []*observer) []*observer { return append(all, o) })
	return func() {
		l.changeObservers(func(all []*observer) []*observer {
			var others []*observer
			for _, other := range all {
				if other != o {
					others = append(others, other)
				}
			}
			return others
		})
	}
}

type observer struct {
	what Events
	fn   func(Event)
}
