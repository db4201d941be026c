package eventloop

import (
	"time"

	"github.com/eventloop-go/eventloop/internal/meter"
	"github.com/eventloop-go/eventloop/internal/queue"
)

// An observation is what a loop tells its observers. The ingress lock guards the one in the ingress, which is never changed
// but replaced; the owner takes it over with work, between phases.
type observation struct {
	loop      *Loop
	what      Events // of any
	observers []*observer

	// The owner's.
	phase   Phase
	entered int64 // when the phase began
	current Event // the callback in progress; its type is 0 if there is none
	untold  bool  // that it has begun: see traced
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
	phaseIO:         PhasePoll,
	phaseImmediates: PhaseCheck,
	phaseClosing:    PhaseClose,
}

func (o *observation) phaseBegan(p Phase) {
	now := o.loop.now()
	o.phase, o.entered, o.read = p, now, now
	if o.what&ObservePhases != 0 {
		o.tell(ObservePhases, Event{Type: PhaseBegan, Phase: p, At: time.Duration(now)})
	}
}

func (o *observation) phaseEnded() {
	o.callbackEnded() // the last one panicked, or called Goexit
	if o.what&ObservePhases != 0 {
		now := o.loop.now()
		o.tell(ObservePhases, Event{Type: PhaseEnded, Phase: o.phase, At: time.Duration(now), Took: time.Duration(now - o.entered)})
	}
}

// slept tells that the loop goes to sleep, or that it no longer does.
func (o *observation) slept(t EventType) {
	if o.what&ObservePhases != 0 {
		o.tell(ObservePhases, Event{Type: t, At: time.Duration(o.loop.now())})
	}
}

// callbackBegan tells that a callback begins, or, if fn is nil, a checkpoint that follows none. It ends the one in
// progress: that has panicked, or serves several.
func (o *observation) callbackBegan(fn any) {
	o.callbackEnded()
	o.current = Event{Type: CallbackBegan, Phase: o.phase, At: time.Duration(o.read), Checkpoint: fn == nil, fn: fn}
	o.jobs = o.loop.jobs
	if o.untold = o.loop.creations != nil && fn != nil; !o.untold {
		o.tell(ObserveCallbacks, o.current)
	}
}

// traced tells which callback it is that begins, and where it was made.
func (o *observation) traced(fn any, at site) {
	if o.untold {
		o.untold = false
		o.current.fn, o.current.site = fn, at
		o.tell(ObserveCallbacks, o.current)
	}
}

func (o *observation) callbackEnded() {
	e := &o.current
	if e.Type == 0 {
		return
	}
	if o.untold { // it was not traced
		o.untold = false
		o.tell(ObserveCallbacks, *e)
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

// runObserved is what resume runs for a phase whose callbacks are observed.
func (l *Loop) runObserved(p phase) {
	o, m := l.observed, l.meter
	for n := 0; ; {
		run, fn := l.next(p, &n)
		if run == nil {
			return
		}
		o.callbackBegan(fn)
		run()
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

// next takes the next callback of a phase out, or returns nil at the phase's end: what to call, and what is called in the
// end. The number of those that the batches have which it has begun is n.
func (l *Loop) next(p phase, n *int) (run func(), fn any) {
	var b *queue.Backlog
	switch p {
	case phaseTimers:
		f, when := l.timers.Fire()
		if f != nil && l.meter != nil {
			l.meter.Due(when)
		}
		return f, f
	case phaseIO:
		callback, events, released := l.poller.Next()
		if events == 0 {
			return nil, nil
		}
		if released {
			l.release()
		}
		return func() { callback(IOEvents(events)) }, callback
	case phaseImmediates:
		if l.checks == 0 || !l.immediates.Next() {
			return nil, nil
		}
		l.checks--
		f := l.immediates.Pop()
		return f, f
	case phaseInternal:
		b = &l.internal
	case phaseClosing:
		b = &l.closing
	default:
		b = &l.external
	}
	if *n == 0 || b.Ready() == 0 {
		if *n >= queue.BatchSize || !b.Next() {
			return nil, nil
		}
		*n += b.Ready()
	}
	if p == phaseExternal && l.bound != nil {
		l.bound.waiting.Add(-1)
	}
	f := b.Pop()
	return f, f
}

func (l *Loop) measured(p phase) bool {
	if lanes[p] == meter.Timers {
		return l.meter.RanTimer()
	}
	return l.meter.Ran()
}
