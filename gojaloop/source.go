package gojaloop

import (
	"context"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/loopsource"
)

// A Source brings many events from goroutines into a script: messages of a connection, ticks, signals. (For a single
// event use a promise: see [Runtime.Async].) It keeps the program alive until it is closed, unless Unref was called.
// Its methods may be called from any goroutine.
//
// Events run in the order in which Deliver accepted them. Each is a callback of the event loop of its own, with ticks and
// promise jobs after it.
type Source struct {
	rt     *Runtime
	life   context.Context // of the program, or of the loop
	events *loopsource.Source[func(vm *goja.Runtime) error]
	forget func() bool // the end of life

	// The fields below belong to the loop's goroutine.
	alive func() // keeps the loop open; nil if unreferenced
	ended bool
}

// NewSource makes a source for the program that runs. It must be called on the loop: inside [Runtime.Do], or in a
// function that a script calls. At most limit events wait for the script at a time; with 0, any number may.
//
// Errors: [ErrStopped], [eventloop.ErrLoopTerminated].
func (rt *Runtime) NewSource(limit int) (*Source, error) {
	if rt.turn.Stopped {
		return nil, ErrStopped
	}
	s := &Source{rt: rt, life: adapter.Of(rt.loop).Context()}
	if rt.program != nil {
		s.life = rt.program.life
	}
	if err := s.ref(); err != nil {
		return nil, err
	}
	var err error
	if s.events, err = loopsource.New(rt.loop, limit, loopsource.Wait, s.run); err != nil {
		s.unref()
		return nil, err
	}
	s.events.Unref() // ref has its own hold on the program
	s.forget = context.AfterFunc(s.life, s.events.Close)
	return s, nil
}

// Done is closed when the source takes no more events, after Close or when the program has ended. Producers can then
// stop.
func (s *Source) Done() <-chan struct{} { return s.events.Done() }

// Deliver has fn run on the loop, and does not wait for it. If the source is full, it waits until an event has begun.
// An error of fn, such as the exception of a callback that it called, counts as an uncaught exception.
//
// An event that was accepted runs, unless the program ends before.
//
// Deliver returns [ErrSourceClosed] or [eventloop.ErrLoopTerminated]. If ctx ends first, it returns an error that matches the
// error of ctx and its cause. [eventloop.ErrOnLoop] means that Deliver would have to wait on the loop, and only the loop can make room.
func (s *Source) Deliver(ctx context.Context, fn func(vm *goja.Runtime) error) error {
	if s.life.Err() != nil {
		return ErrSourceClosed
	}
	return s.events.Send(ctx, fn)
}

// Stats counts the events so far.
func (s *Source) Stats() loopsource.Stats { return s.events.Stats() }

// run runs an event.
func (s *Source) run(fn func(vm *goja.Runtime) error) {
	rt := s.rt
	defer s.endWhenDone()
	if s.life.Err() != nil {
		return
	}
	rt.turn.Enter(func() {
		rt.vm.PrepareAll()
		switch err := rt.protect(fn).(type) {
		case nil:
		case *goja.Exception, *goja.InterruptedError, *goja.StackOverflowError:
			rt.catch(err)
		default:
			rt.uncaughtValue(rt.vm.NewError(err), nil, "uncaughtException")
		}
	})
}

// Close ends the source. Events that were accepted run; then it keeps the program alive no longer. Closing again does
// nothing.
func (s *Source) Close() {
	s.forget()
	s.events.Close()
	s.later(s.endWhenDone)
}

// Ref makes the source keep the program alive, which is the default; Unref makes it not.
func (s *Source) Ref() { s.later(func() { _ = s.ref() }) } // it fails on a loop that is ending

// Unref lets the program end while the source is open.
func (s *Source) Unref() {
	s.later(func() {
		s.rt.unreferenced = true
		s.unref()
	})
}

// later runs fn on the loop. A loop that takes no more tasks still takes it as an internal task, and an ended loop
// needs no call.
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
	s.alive()
	s.alive = nil
	s.rt.pending--
	if !s.rt.turn.Inside() {
		s.rt.settle()
	}
}

// endWhenDone ends a source that was closed when its last event has run.
func (s *Source) endWhenDone() {
	select {
	case <-s.events.Done():
		if s.events.Stats().Queued == 0 {
			s.ended = true
			s.unref()
		}
	default:
	}
}
