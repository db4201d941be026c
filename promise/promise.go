package promise

import "github.com/eventloop-go/eventloop"

// A Promise is a value of type T, or an error, that will be known later. It belongs to a loop, which runs what is
// attached to it.
//
// A promise is pending until it is settled: fulfilled with a value or rejected with an error, once and for good. All
// methods and functions of this package may be called from any goroutine, unless they say otherwise. Callbacks run on
// the loop.
//
// Make promises with the functions of this package; the zero Promise is of no use.
type Promise[T any] struct {
	core
	value T // written before the word says fulfilled
}

// A Result is how a promise was settled: with Value if Err is nil, otherwise with the error.
type Result[T any] struct {
	Value T
	Err   error
}

// Loop returns the loop that the promise belongs to.
func (p *Promise[T]) Loop() *eventloop.Loop { return p.loop }

// Result tells how the promise was settled; ok is false while it is pending. Asking does not count as handling a
// rejection.
func (p *Promise[T]) Result() (r Result[T], ok bool) {
	switch head := p.word.Load(); {
	case head == &fulfilled:
		return Result[T]{Value: p.value}, true
	case head == nil:
		return r, false
	default:
		if rej := head.rejection(); rej != nil {
			return Result[T]{Err: rej.err}, true
		}
		return r, false
	}
}

// reason returns the rejection of a promise that is settled, or nil if it was fulfilled.
func (p *Promise[T]) reason() *rejection {
	head := p.word.Load()
	if head == &fulfilled {
		return nil
	}
	return head.rejection()
}

// fulfil and fulfilHome settle a pending promise with a value. Whoever calls is the only one to settle it. The first
// is for any goroutine, the second for the loop's.
func (p *Promise[T]) fulfil(v T) {
	p.value = v
	p.settle(&fulfilled)
}

func (p *Promise[T]) fulfilHome(v T) {
	p.value = v
	p.settleHome(&fulfilled)
}

// copyHome settles p, on its loop, as q was settled.
func (p *Promise[T]) copyHome(q *Promise[T]) {
	if r := q.reason(); r != nil {
		p.passHome(r)
		return
	}
	p.fulfilHome(q.value)
}
