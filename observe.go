package eventloop

import (
	"reflect"
	"runtime"
	"time"

	"github.com/eventloop-go/eventloop/internal/meter"
	"github.com/eventloop-go/eventloop/internal/queue"
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

	fn func()
}

// Function returns the name of the callback's function, as the runtime has it, or "" if there is none. It takes a
// microsecond.
func (e Event) Function() string {
	name, _ := e.function()
	return name
}

func (e Event) function() (name string, pc uintptr) {
	if e.fn == nil {
		return "", 0
	}
	pc = reflect.ValueOf(e.fn).Pointer()
	if f := runtime.FuncForPC(pc); f != nil {
		name = f.Name()
	}
	return name, pc
}

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

// An observation is what a loop tells its observers. The ingress lock guards the one in the ingress, which is never changed
// but replaced; the owner takes it over with work.
type observation struct {
	loop      *Loop
	what      Events // of any
	observers []*observer

	// The owner's.
	phase   Phase
	inPhase bool
	entered int64 // when the phase began
	current Event // the callback in progress; its type is 0 if there is none
	jobs    uint64
	read    int64 // when the clock was last read in this phase
}

func (l *Loop) changeObservers(change func([]*observer) []*observer) {
	in := &l.in
	in.mu.lock()
	var all []*observer
	if in.observed != nil {
		all = append(all, in.observed.observers...)
	}
	if all = change(all); len(all) == 0 {
		in.observed = nil
	} else {
		in.observed = &observation{loop: l, observers: all}
		for _, o := range all {
			in.observed.what |= o.what
		}
	}
	in.mu.unlock()
	l.nudge()
}

// callbacks reports whether anybody observes callbacks.
func (o *observation) callbacks() bool { return o != nil && o.what&ObserveCallbacks != 0 }

func (o *observation) tell(set Events, e Event) {
	for _, to := range o.observers {
		if to.what&set != 0 {
			to.fn(e)
		}
	}
}

var publicPhases = [...]Phase{
	phaseTimers:     PhaseTimers,
	phaseInternal:   PhaseInternal,
	phaseExternal:   PhaseExternal,
	phaseImmediates: PhaseCheck,
}

// guard is the loop's for a phase that is observed. It ends the phase if a callback calls Goexit.
func (o *observation) guard(p phase) {
	o.phaseBegan(p)
	defer o.phaseEnded()
	o.loop.guard(p)
}

func (o *observation) phaseBegan(p phase) {
	now := o.loop.now()
	o.phase, o.inPhase, o.entered, o.read = publicPhases[p], true, now, now
	if o.what&ObservePhases != 0 {
		o.tell(ObservePhases, Event{Type: PhaseBegan, Phase: o.phase, At: time.Duration(now)})
	}
}

func (o *observation) phaseEnded() {
	o.callbackEnded() // the last one panicked, or called Goexit
	o.inPhase = false
	if o.what&ObservePhases != 0 {
		now := o.loop.now()
		o.tell(ObservePhases, Event{Type: PhaseEnded, Phase: o.phase, At: time.Duration(now), Took: time.Duration(now - o.entered)})
	}
}

// slept and woke tell when the loop goes to sleep, and that it no longer does.
func (o *observation) slept(t EventType) {
	if o.what&ObservePhases != 0 {
		o.tell(ObservePhases, Event{Type: t, At: time.Duration(o.loop.now())})
	}
}

// callbackBegan tells that a callback begins, or, if fn is nil, a checkpoint that follows none. It ends the one in
// progress: that has panicked, or serves several.
func (o *observation) callbackBegan(fn func()) {
	if o.current.Type != 0 {
		o.callbackEnded()
	}
	o.current = Event{Type: CallbackBegan, Phase: o.phase, At: time.Duration(o.read), Checkpoint: fn == nil, fn: fn}
	o.jobs = o.loop.jobs
	o.tell(ObserveCallbacks, o.current)
}

func (o *observation) callbackEnded() {
	e := &o.current
	if e.Type == 0 {
		return
	}
	o.read = o.loop.now()
	began := e.At
	e.Type, e.At, e.Took, e.Jobs = CallbackEnded, time.Duration(o.read), time.Duration(o.read)-began, o.loop.jobs-o.jobs
	o.tell(ObserveCallbacks, *e)
	*e = Event{}
}

// checkpoint is the one that a phase begins with, or goes on with after a panic, whose callback it then belongs to.
func (o *observation) checkpoint() (open bool) {
	if o.callbacks() && o.current.Type == 0 && o.loop.jobsWaiting() {
		o.callbackBegan(nil)
	}
	open = o.loop.checkpoint()
	o.callbackEnded()
	return open
}

// next takes the next callback of a phase out, or returns nil at the phase's end. The number of those that the batches have
// which it has begun is n.
func (l *Loop) next(p phase, n *int) func() {
	b := &l.external
	switch p {
	case phaseTimers:
		fn, when := l.timers.Fire()
		if fn != nil && l.meter != nil {
			l.meter.Due(when)
		}
		return fn
	case phaseImmediates:
		if l.checks == 0 || !l.immediates.Next() {
			return nil
		}
		l.checks--
		return l.immediates.Pop()
	case phaseInternal:
		b = &l.internal
	}
	if *n == 0 || b.Ready() == 0 {
		if *n >= queue.BatchSize || !b.Next() {
			return nil
		}
		*n += b.Ready()
	}
	if p == phaseExternal && l.bound != nil {
		l.bound.waiting.Add(-1)
	}
	return b.Pop()
}

// runObserved is what resume runs for a phase whose callbacks are observed.
func (l *Loop) runObserved(p phase) {
	o, m := l.observed, l.meter
	for n := 0; ; {
		fn := l.next(p, &n)
		if fn == nil {
			return
		}
		o.callbackBegan(fn)
		fn()
		open := !l.jobsWaiting() || l.checkpoint()
		if m != nil && l.measured(p) {
			m.RanAt(l.now())
		}
		o.callbackEnded()
		if !open {
			return
		}
	}
}

func (l *Loop) measured(p phase) bool {
	if lanes[p] == meter.Timers {
		return l.meter.RanTimer()
	}
	return l.meter.Ran()
}
