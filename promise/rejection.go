package promise

import (
	"github.com/eventloop-go/eventloop/internal/meter"
	"log/slog"

	"github.com/eventloop-go/eventloop/internal/sched"
)

// A rejection is why a promise was rejected. Rejections are the rare case: they cost an allocation, so that a
// fulfilled promise has no room for an error.
//
// A promise that has reactions when it rejects is handled, and so is its source. It may then share the source's
// rejection. So a rejection travels down a chain without allocating.
//
// As a job it runs at the end of the microtask checkpoint, and is reported if it is still not handled.
type rejection struct {
	node
	err   error
	loop  *core
	trace *trace
	// state only goes up: unhandled → reported → handled, or unhandled → handled. Attaching sets handled; the loop
	// sets reported.
	state  sched.Uint32
	report *Rejection // set before the state is reported
}

const (
	unhandled uint32 = iota
	reported
	handled
)

func newRejection(loop *core, err error) *rejection {
	if err == nil {
		err = ErrNilReason
	}
	r := &rejection{err: err, loop: loop}
	r.job = r
	return r
}

// reject settles a pending promise with an error, from any goroutine. The caller is the only one to settle it.
func (p *Promise[T]) reject(err error) {
	r := newRejection(p.loop, err)
	if r.found(p.settle(&r.node)) {
		_ = p.loop.EnqueueJob((*arrival)(r))
	}
}

// rejectOnLoop is reject for the loop's own goroutine.
func (p *Promise[T]) rejectOnLoop(err error) {
	r := newRejection(p.loop, err)
	if r.found(p.settleOnLoop(&r.node)) {
		p.loop.Afterward.Push(r)
	}
}

// passOnLoop rejects p, on its loop, with a rejection that is handled, because p had been attached to its promise.
func (p *Promise[T]) passOnLoop(r *rejection) {
	if attached, _ := found(p.word.Load()); !attached {
		p.rejectOnLoop(r.err)
		return
	}
	p.settleOnLoop(&r.node)
}

// found takes the result of settle, and reports whether the rejection is unhandled so far.
func (r *rejection) found(attached bool, t *trace) bool {
	if attached {
		r.state.Store(handled)
		return false
	}
	r.trace = t
	return true
}

// handle notes that a reaction was attached to the rejected promise.
func (r *rejection) handle() {
	if r.state.Load() == handled {
		return
	}
	if r.state.Swap(handled) == reported {
		_ = r.loop.EnqueueJob((*late)(r))
	}
}

// An arrival is the microtask that brings a rejection from another goroutine to the loop.
type arrival rejection

func (r *arrival) Run() { r.loop.Afterward.Push((*rejection)(r)) }

func (r *rejection) Run() {
	if r.state.Load() != unhandled {
		return
	}
	r.report = &Rejection{Err: r.err, loop: r.loop, trace: r.trace}
	if !r.state.CompareAndSwap(unhandled, reported) {
		return
	}
	r.loop.Loop.Count(meter.Rejected)
	if handle := handler(r.loop); handle != nil {
		handle(r.report)
	} else {
		r.report.Log()
	}
}

// A late runs when a rejection was handled after it had been reported. It is logged where the report was.
type late rejection

func (r *late) Run() {
	if handler(r.loop) == nil {
		r.report.log(slog.LevelWarn, "promise: rejection handled after it was reported")
	}
}
