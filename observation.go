package eventloop

import (
	"time"

	"github.com/eventloop-go/eventloop/internal/inside"
)

// An observation has a loop's observers and the events for them. The ingress lock guards the one in the ingress,
// which is never changed but replaced; the owner takes it over with work, between phases.
type observation struct {
	loop      *Loop
	what      inside.Events // of any
	observers []*observer

	// The owner's.
	phase   uint8
	entered int64        // when the phase began
	current inside.Event // the callback in progress; its type is 0 without one
	untold  bool         // that it has begun: see traced
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
	l.wake()
}

// callbacks reports whether anybody observes callbacks.
func (o *observation) callbacks() bool { return o != nil && o.what&inside.ObserveCallbacks != 0 }

func (o *observation) tell(set inside.Events, e inside.Event) {
	for _, to := range o.observers {
		if to.what&set != 0 {
			o.call(to, e)
		}
	}
}

// call isolates an observer. Its panic goes to the panic handler, and it stays.
func (o *observation) call(to *observer, e inside.Event) {
	defer o.loop.catch()
	to.fn(e)
}

var publicPhases = [...]uint8{
	phaseTimers:     inside.PhaseTimers,
	phaseInternal:   inside.PhaseInternal,
	phaseExternal:   inside.PhaseExternal,
	phaseIO:         inside.PhasePoll,
	phaseImmediates: inside.PhaseCheck,
	phaseClosing:    inside.PhaseClose,
}

func (o *observation) phaseBegan(p uint8) {
	now := o.loop.now()
	o.phase, o.entered, o.read = p, now, now
	if o.what&inside.ObservePhases != 0 {
		o.tell(inside.ObservePhases, inside.Event{Type: inside.PhaseBegan, Phase: p, At: time.Duration(now)})
	}
}

func (o *observation) phaseEnded() {
	o.callbackEnded() // the last one panicked, or called Goexit
	if o.what&inside.ObservePhases != 0 {
		now := o.loop.now()
		o.tell(inside.ObservePhases, inside.Event{Type: inside.PhaseEnded, Phase: o.phase, At: time.Duration(now), Took: time.Duration(now - o.entered)})
	}
}

// slept reports to observers that the loop goes to sleep, or that it no longer sleeps.
//
// If an observer calls Goexit, own goes on with the next turn. The loop must not sleep then, because producers rely
// on it.
func (o *observation) slept(t uint8) {
	told := t != inside.LoopSleeps || o.loop.driven // the driver takes a loop over whether it sleeps or not
	defer func() {
		if !told {
			o.loop.stayAwake()
		}
	}()
	if o.what&inside.ObservePhases != 0 {
		o.tell(inside.ObservePhases, inside.Event{Type: t, At: time.Duration(o.loop.now())})
	}
	told = true
}

// callbackBegan reports the begin of a callback or, if fn is nil, of a checkpoint that follows none. It ends the one
// in progress, which has panicked or serves several.
func (o *observation) callbackBegan(fn any) {
	o.callbackEnded()
	o.current = inside.Event{Type: inside.CallbackBegan, Phase: o.phase, At: time.Duration(o.read), Checkpoint: fn == nil, Fn: fn}
	o.jobs = o.loop.jobs
	if o.untold = o.loop.creations != nil && fn != nil; !o.untold {
		o.tell(inside.ObserveCallbacks, o.current)
	}
}

// traced reports the callback that begins, and where it was made.
func (o *observation) traced(fn any, at inside.Site) {
	if o.untold {
		o.untold = false
		o.current.Fn, o.current.Site = fn, at
		o.tell(inside.ObserveCallbacks, o.current)
	}
}

func (o *observation) callbackEnded() {
	e := &o.current
	if e.Type == 0 {
		return
	}
	if o.untold { // it was not traced
		o.untold = false
		o.tell(inside.ObserveCallbacks, *e)
	}
	o.read = o.loop.now()
	began := e.At
	e.Type, e.At, e.Took, e.Jobs = inside.CallbackEnded, time.Duration(o.read), time.Duration(o.read)-began, o.loop.jobs-o.jobs
	ended := *e
	*e = inside.Event{} // first: an observer may call Goexit
	o.tell(inside.ObserveCallbacks, ended)
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

// runCallback reports that a callback begins, and runs it, also if an observer calls Goexit: it has been taken out.
func (o *observation) runCallback(c callback) {
	told := false
	defer func() {
		if !told {
			c.run()
		}
	}()
	o.callbackBegan(c.function())
	told = true
	c.run()
}

// Observe is inspect.Observe.
func (v view) Observe(what inside.Events, fn func(inside.Event)) (stop func()) {
	if what == 0 || v.done == nil {
		return func() {}
	}
	o := &observer{what, fn}
	v.changeObservers(func(all []*observer) []*observer { return append(all, o) })
	return func() {
		v.changeObservers(func(all []*observer) []*observer {
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
	what inside.Events
	fn   func(inside.Event)
}
