package promise

import (
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// A rejection is what the word of a rejected promise points to. Rejections are the rare case: they cost an allocation,
// so that a fulfilled promise has no room for an error.
//
// A promise that has reactions when it rejects may share the rejection of the promise it has it from, which is
// handled, as its own is: so a rejection travels down a chain without allocating.
type rejection struct {
	marker
	err   error
	loop  *eventloop.Loop
	trace *trace
	// state goes up only: unhandled → reported → handled, or unhandled → handled. Whoever attaches sets handled, the
	// loop sets reported.
	state  sched.Uint32
	report *Rejection // set before the state is reported
}

const (
	unhandled uint32 = iota
	reported
	handled
)

func newRejection(loop *eventloop.Loop, err error) *rejection {
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
	if r.watch(p.settle(&r.node)) {
		_ = p.loop.EnqueueJob((*arrival)(r))
	}
}

// rejectHome is reject for the loop's own goroutine.
func (p *Promise[T]) rejectHome(err error) {
	r := newRejection(p.loop, err)
	if r.watch(p.settleHome(&r.node)) {
		p.loop.Owner().Afterward((*check)(r))
	}
}

// passHome rejects p, on its loop, with a rejection that is handled, because p had been attached to its promise.
func (p *Promise[T]) passHome(r *rejection) {
	if bottom(p.word.Load()) {
		p.rejectHome(r.err)
		return
	}
	p.settleHome(&r.node)
}

// watch looks at the list that a rejection replaced, and reports whether nobody handles it so far.
func (r *rejection) watch(list *node) bool {
	if list == nil {
		return true
	}
	if t, ok := list.job.(*trace); ok {
		r.trace = t
		return true
	}
	r.state.Store(handled)
	return false
}

// handle notes that somebody has attached to the rejected promise.
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

func (r *arrival) Run() { r.loop.Owner().Afterward((*check)(r)) }

// A check runs at the end of the microtask checkpoint, and reports a rejection that is still not handled.
type check rejection

func (r *check) Run() {
	if r.state.Load() != unhandled {
		return
	}
	r.report = &Rejection{Err: r.err, trace: r.trace}
	if r.state.CompareAndSwap(unhandled, reported) {
		handler(r.loop, unhandledKey{}, logUnhandled)(r.report)
	}
}

// A late runs when a rejection was handled after it had been reported.
type late rejection

func (r *late) Run() { handler(r.loop, handledLaterKey{}, logHandledLater)(r.report) }
