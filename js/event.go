package js

// An Event is what an [EventTarget] hands to its listeners: the interfaces Event and CustomEvent (DOM 2.2, 2.4). This
// package has no tree of targets, so events do not bubble and have no path.
//
// An event belongs to the loop. Its maker may call its methods before it is dispatched; then only callbacks of the
// loop may.
type Event struct {
	typ        string
	detail     any
	time       float64
	cancelable bool

	target, current *EventTarget
	dispatching     bool
	trusted         bool
	stopped         bool // DOM's stop propagation flag
	stoppedNow      bool // its stop immediate propagation flag
	passive         bool // its in passive listener flag
	canceled        bool
}

// An EventOption configures an [Event].
type EventOption func(*Event)

// WithCancelable lets listeners cancel the event by [Event.PreventDefault].
func WithCancelable() EventOption { return func(e *Event) { e.cancelable = true } }

// NewEvent makes an event of a type: the constructor of Event. Any goroutine may call it.
func (e *Env) NewEvent(typ string, opts ...EventOption) *Event {
	return e.NewCustomEvent(typ, nil, opts...)
}

// NewCustomEvent makes an event that carries a value: the constructor of CustomEvent. Any goroutine may call it.
func (e *Env) NewCustomEvent(typ string, detail any, opts ...EventOption) *Event {
	event := &Event{typ: typ, detail: detail, time: e.Now()}
	for _, o := range opts {
		if o != nil {
			o(event)
		}
	}
	return event
}

// An EventPhase says whether an event is being dispatched: Event.eventPhase. Without a tree an event has no capturing
// and no bubbling phase.
type EventPhase uint8

// The phases of an event.
const (
	PhaseNone     EventPhase = 0
	PhaseAtTarget EventPhase = 2
)

// Type returns the event's type.
func (e *Event) Type() string { return e.typ }

// Detail returns the value that [Env.NewCustomEvent] was given.
func (e *Event) Detail() any { return e.detail }

// Target returns the target that the event is, or was last, dispatched to; nil before that.
func (e *Event) Target() *EventTarget { return e.target }

// CurrentTarget returns the target whose listeners are being called, nil when the event is not being dispatched.
func (e *Event) CurrentTarget() *EventTarget { return e.current }

// EventPhase returns [PhaseAtTarget] while the event is being dispatched, and else [PhaseNone].
func (e *Event) EventPhase() EventPhase {
	if e.dispatching {
		return PhaseAtTarget
	}
	return PhaseNone
}

// StopPropagation keeps listeners without [WithCapture] from being called, if a listener with it calls it. At a single
// target an event propagates only to those two groups.
func (e *Event) StopPropagation() { e.stopped = true }

// StopImmediatePropagation keeps all further listeners from being called.
func (e *Event) StopImmediatePropagation() { e.stopped, e.stoppedNow = true, true }

// Cancelable reports whether [Event.PreventDefault] has an effect.
func (e *Event) Cancelable() bool { return e.cancelable }

// PreventDefault cancels the event, and [EventTarget.DispatchEvent] then reports that to its caller. It does nothing
// if the event is not cancelable, or in a passive listener.
func (e *Event) PreventDefault() {
	if e.cancelable && !e.passive {
		e.canceled = true
	}
}

// DefaultPrevented reports whether the event was cancelled.
func (e *Event) DefaultPrevented() bool { return e.canceled }

// IsTrusted reports whether the event comes from this package, such as an [AbortSignal]'s, and not from a call of
// [EventTarget.DispatchEvent].
func (e *Event) IsTrusted() bool { return e.trusted }

// TimeStamp returns when the event was made, in milliseconds since the time origin of its environment.
func (e *Event) TimeStamp() float64 { return e.time }
