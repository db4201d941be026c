package gojaloop

import (
	"context"
	"sync"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
)

// A Source brings many events from goroutines into a script: messages of a connection, ticks, signals. (What happens
// once is better told by a promise: see [Runtime.Async].) It keeps the program alive until it is closed, unless Unref
// was called. Its methods may be called from any goroutine.
//
// Events run in the order in which Deliver accepted them. Each is a callback of the event loop of its own, with ticks and
// promise jobs after it.
type Source struct {
	rt    *Runtime
	life  context.Context // of the program, or of the loop
	ctx   context.Context // ends with life, or when the source is closed
	stop  context.CancelFunc
	slots chan struct{} // one for each event that waits; nil without a limit

	mu     sync.Mutex // makes Close wait for calls of Deliver that are being accepted, so that their events come first
	closed bool

	// What follows belongs to the loop's goroutine.
	alive *eventloop.KeepAlive // nil if unreferenced
	ended bool
}

// NewSource makes a source for the program that runs. It must be called on the loop: inside [Runtime.Do], or in a
// function that a script calls. At most limit events wait for the script at a time; with 0, any number may.
//
// Errors: [ErrStopped], [eventloop.ErrLoopTerminated].
func (rt *Runtime) NewSource(limit int) (*Source, error) {
	if rt.stopped {
		return nil, ErrStopped
	}
	s := &Source{rt: rt, life: rt.loop.Context()}
	if rt.program != nil {
		s.life = rt.program.life
	}
	if limit > 0 {
		s.slots = make(chan struct{}, limit)
	}
	s.ctx, s.stop = context.WithCancel(s.life)
	if err := s.ref(); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

// Done is closed when the source takes no more events, so that what produces them can end: after Close, and when the
// program has ended.
func (s *Source) Done() <-chan struct{} { return s.ctx.Done() }

// Deliver has fn run on the loop, and does not wait for it. If as many events wait as may, it waits until one has begun.
// An error that fn returns, such as the exception of a callback that it called, is one that nobody caught.
//
// An event that was accepted runs, unless the program ends before.
//
// Errors: [ErrSourceClosed]; the cause of ctx, if that ends first; [eventloop.ErrOnLoop] if it would have to wait on the
// loop, which alone can make room; [eventloop.ErrLoopTerminated].
func (s *Source) Deliver(ctx context.Context, fn func(vm *goja.Runtime) error) error {
	if err := s.reserve(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	err := ErrSourceClosed
	if !s.closed && s.life.Err() == nil {
		err = s.rt.loop.Submit(func() {
			s.free()
			s.run(fn)
		})
	}
	if err != nil {
		s.free()
	}
	return err
}

// reserve takes a slot.
func (s *Source) reserve(ctx context.Context) error {
	if s.ctx.Err() != nil {
		return ErrSourceClosed
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if s.slots == nil {
		return nil
	}
	select {
	case s.slots <- struct{}{}:
		return nil
	default:
	}
	if s.rt.loop.OnLoop() {
		return eventloop.ErrOnLoop
	}
	select {
	case s.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-s.ctx.Done():
		return ErrSourceClosed
	}
}

func (s *Source) free() {
	if s.slots != nil {
		<-s.slots
	}
}

// run runs an event.
func (s *Source) run(fn func(vm *goja.Runtime) error) {
	rt := s.rt
	if s.life.Err() != nil {
		return
	}
	rt.enter(func() {
		rt.prepareAll()
		switch err := rt.protect(fn).(type) {
		case nil:
		case *goja.Exception, *goja.InterruptedError, *goja.StackOverflowError:
			rt.catch(err)
		default:
			rt.uncaughtValue(rt.vm.NewGoError(err), nil, "uncaughtException")
		}
	})
}

// Close ends the source. Events that were accepted run; then it keeps the program alive no longer. Closing again does
// nothing.
func (s *Source) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.closed = true
	s.stop()
	s.later(s.end)
}

// Ref makes the source keep the program alive, which is the default; Unref makes it not.
func (s *Source) Ref() { s.later(func() { _ = s.ref() }) } // it fails on a loop that is ending

// Unref lets the program end while the source is open.
func (s *Source) Unref() { s.later(s.unref) }

// later runs fn on the loop, behind events that were accepted. Where the loop takes no more tasks it is still told, and
// when it is over there is nothing to tell.
func (s *Source) later(fn func()) {
	if s.rt.loop.Submit(fn) != nil {
		_ = s.rt.loop.SubmitInternal(fn)
	}
}

func (s *Source) ref() error {
	if s.ended || s.alive != nil {
		return nil
	}
	alive, err := s.rt.loop.KeepAlive()
	if err != nil {
		return err
	}
	s.alive = alive
	s.rt.pending++
	return nil
}

func (s *Source) unref() {
	if s.alive == nil {
		return
	}
	_ = s.alive.Release()
	s.alive = nil
	s.rt.pending--
	if !s.rt.inside {
		s.rt.settle()
	}
}

func (s *Source) end() {
	s.ended = true
	s.unref()
}
