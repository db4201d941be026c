package js

import "github.com/eventloop-go/eventloop"

// An AbortController aborts a signal: the interface AbortController (DOM 3.1). Its methods may be called from any
// goroutine.
type AbortController struct{ signal *AbortSignal }

// NewAbortController makes a controller with a signal of its own. Any goroutine may call it.
func (e *Env) NewAbortController() *AbortController { return &AbortController{e.newSignal()} }

// Signal returns the controller's signal, always the same one.
func (c *AbortController) Signal() *AbortSignal { return c.signal }

// Abort aborts the signal, and those made from it by [Env.AbortSignalAny], with a reason; nil means [ErrAbort]. A
// signal aborts once: nothing happens if it has already.
//
// When Abort returns, all these signals are aborted, their contexts have ended, and listeners that they remove are
// removed, on any goroutine. If the caller is on the loop, the listeners for "abort" have been called as well, as the
// standard requires. Elsewhere, and before Run, Abort submits their calls to the priority lane of the loop, and does
// not wait. With listeners, the check for the loop costs a few microseconds. A call that finds the signal aborted
// already does not wait for the call that aborts it.
//
// Errors: [eventloop.ErrLoopTerminated] if there are listeners that cannot be called because the loop has ended. The
// signal is aborted nevertheless.
func (c *AbortController) Abort(reason error) error { return c.signal.abort(reasonOr(reason)) }

// reasonOr replaces a nil reason by the default.
func reasonOr(reason error) error {
	if reason == nil {
		return ErrAbort
	}
	return reason
}

// abort is the standard's "signal abort". First it marks all signals, so that later code finds them aborted. Then it
// runs the algorithms of each and calls its listeners, in the order in which the signals were made.
func (s *AbortSignal) abort(reason error) error {
	a := &abortion{reason}
	dependents, ok := s.mark(a)
	if !ok {
		return nil
	}
	d := delivery{signals: []*AbortSignal{s}}
	for _, dependent := range dependents {
		if _, ok := dependent.mark(a); ok {
			d.signals = append(d.signals, dependent)
		}
	}
	exhaust(d.step)
	return d.err
}

// A delivery notifies signals that were marked, one by one. They may belong to several loops.
type delivery struct {
	signals []*AbortSignal
	loop    *eventloop.Loop // that on is about
	on      bool            // the caller is on it
	err     error
}

func (d *delivery) step() (more bool) {
	if len(d.signals) == 0 {
		return false
	}
	s := d.signals[0]
	d.signals = d.signals[1:]
	s.runAlgorithms()
	if !s.listens(abortEvent) {
		return true
	}
	if loop := s.env.loop; loop != d.loop {
		d.loop, d.on = loop, s.env.hooks.OnLoop()
	}
	if d.on {
		s.fire()
	} else if err := d.loop.SubmitInternal(s.fire); err != nil && d.err == nil {
		d.err = err
	}
	return true
}

// fire calls the listeners of an aborted signal. It runs on the loop.
func (s *AbortSignal) fire() {
	e := s.env.NewEvent(abortEvent)
	e.trusted = true
	s.dispatch(e)
}

const abortEvent = "abort"
