package nodecompat

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
	"github.com/eventloop-go/eventloop/gojaloop/internal/inside"
	"github.com/eventloop-go/eventloop/gojaloop/internal/scriptlog"
)

// A run is one of the EventLoop's, from Start or Run to the stop.
type run struct {
	// Under EventLoop.mu.
	loop      *eventloop.Loop // nil for a run without a loop
	sleeping  bool            // it waits for wake, and no goroutine sends yet
	summoned  bool            // serve has not begun, and is submitted or about to be
	stop      bool            // the run must end
	terminate bool            // and timers must be cleared
	end       *end            // nil without a waiter

	// The owner's.
	main          job // has not begun, or nil
	stay          bool
	ending, clear bool // stop and terminate, as takeBatch has last seen them
	failure       *failure
}

func (r *run) failed() bool { return r.failure != nil }

// An end is an event that goroutines wait for.
type end struct {
	done    chan struct{} // closed when the EventLoop is stopped again
	cleared bool          // timers have been cleared; set before that
}

// A failure is a panic on its way to the caller of Run.
type failure struct {
	value any
	stack []byte
}

// Error is the text that the end of a process shows for a loop in the background.
func (f *failure) Error() string {
	return fmt.Sprintf("nodecompat: a callback panicked: %v\n\n%s", f.value, f.stack)
}

// Run starts the loop on this goroutine, calls fn, and returns when nothing is left to do, or when the loop was
// stopped. It waits for timers, intervals and immediates of scripts or of Go code, and for functions of RunOnLoop. It
// may be called any number of times.
//
// If fn or another callback panics, Run panics with the same value when the loop has stopped. Callbacks that were due at
// that moment may run before. If one calls [runtime.Goexit], as the FailNow of tests does, that ends this goroutine, and
// the loop for good.
//
// Run panics if the loop is started already.
func (l *EventLoop) Run(fn func(*goja.Runtime)) {
	mustNotBeNil(fn)
	l.begin(fn, false)
	if f := l.drive(); f != nil {
		panic(f.value)
	}
}

// Start starts the loop on a goroutine of its own, where it runs until it is stopped. A panic in a callback ends the
// process, as it does on any goroutine. Start panics if the loop is started already.
func (l *EventLoop) Start() {
	l.begin(nil, true)
	go func() {
		if f := l.drive(); f != nil {
			panic(f)
		}
	}()
}

// StartInForeground starts the loop on this goroutine, and returns when it was stopped. Panics in callbacks reach the
// caller, as with [EventLoop.Run]. It panics if the loop is started already.
func (l *EventLoop) StartInForeground() {
	l.begin(nil, true)
	if f := l.drive(); f != nil {
		panic(f.value)
	}
}

// Stop stops the loop and waits until it has stopped. Earlier functions of RunOnLoop run first. All other pending
// work stays pending until the loop is started again. Stop returns the number of its timers, intervals and
// immediates. Stop does nothing to a loop that is not running. Inside a callback it does not wait.
func (l *EventLoop) Stop() int {
	if end, loop := l.requestStop(true); end != nil && !l.onOwner(loop) {
		<-end.done
	}
	return l.rt.Env().Active() + int(l.pending.Load())
}

// StopNoWait is [EventLoop.Stop] without the waiting.
func (l *EventLoop) StopNoWait() { l.requestStop(false) }

// Terminate stops the loop and clears all timers, intervals and immediates. Afterwards RunOnLoop, SetTimeout and
// SetInterval are refused, until the loop is started again. Earlier functions of RunOnLoop are run first, on this
// goroutine if the loop is not running. Inside a callback Terminate does not wait. It may be called any number of
// times.
func (l *EventLoop) Terminate() {
	for {
		end, loop, mine := l.requestEnd()
		switch {
		case mine:
			if f := l.drive(); f != nil {
				panic(f.value)
			}
			return
		case end == nil || l.onOwner(loop):
			return
		}
		if <-end.done; end.cleared {
			return
		}
		// It was ending already, without clearing timers: look again.
	}
}

// requestStop ends the run in progress, if there is one. It returns the run's end for a caller that waits, and the
// run's loop if it has one.
func (l *EventLoop) requestStop(wait bool) (end *end, loop *eventloop.Loop) {
	l.mu.Lock()
	if l.running {
		l.run.stop = true
		if wait {
			end, loop = l.awaited()
		}
	}
	s := l.summon()
	l.mu.Unlock()
	l.send(s)
	return end, loop
}

// awaited is the end of the run in progress, for a caller that waits. The caller holds mu.
func (l *EventLoop) awaited() (*end, *eventloop.Loop) {
	r := &l.run
	if r.end == nil {
		r.end = &end{done: make(chan struct{})}
	}
	return r.end, r.loop
}

// requestEnd is requestStop for Terminate. If there is no run, and functions wait, it begins one, which runs them, clears
// the timers, and ends.
func (l *EventLoop) requestEnd() (end *end, loop *eventloop.Loop, mine bool) {
	l.mu.Lock()
	if l.dead != nil {
		defer l.mu.Unlock()
		if l.running { // its timers have been cleared, or are about to be
			end, loop = l.awaited()
		}
		return end, loop, false
	}
	l.terminated = true
	if !l.running {
		defer l.mu.Unlock()
		if len(l.queue) == 0 && l.next == len(l.batch) {
			l.clear() // no other goroutine becomes the owner while mu is held
			return nil, nil, false
		}
		l.running, l.run = true, run{stop: true, terminate: true}
		return nil, nil, true
	}
	l.run.stop, l.run.terminate = true, true
	end, loop = l.awaited()
	s := l.summon()
	l.mu.Unlock()
	l.send(s)
	return end, loop, false
}

// begin makes the caller, or the goroutine that it starts, the owner. The run calls main first; if it is to stay, it ends
// only when it is stopped.
func (l *EventLoop) begin(main job, stay bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.dead != nil:
		panic(fmt.Errorf("nodecompat: this EventLoop cannot be started any more, make a new one: %w", l.dead))
	case l.running:
		panic("nodecompat: the loop is already started: use RunOnLoop, or Stop it first")
	}
	l.running, l.terminated = true, false
	l.run = run{main: main, stay: stay}
}

// drive is the run. It returns how a callback failed, if one did.
func (l *EventLoop) drive() (f *failure) {
	over := false
	defer func() { // also when a callback has ended the goroutine
		if !over {
			l.mu.Lock()
			f = l.finish()
			l.mu.Unlock()
		}
	}()
	if l.ran {
		l.loop, l.ran = l.newLoop(), false
		_ = l.rt.Move(l.loop) // it fails only with programs and asynchronous operations of gojaloop, which cannot exist here
		l.rearm(l.loop)
	}
	if f, over = l.tryInline(); over {
		return f
	}
	l.ran = true
	if l.run.stay {
		_, _ = l.loop.KeepAlive() // never released: it goes with the loop
	}
	_ = l.loop.Run(context.Background()) // how it ended is known here
	return nil
}

// finish ends the run. The caller holds mu.
func (l *EventLoop) finish() *failure {
	r := &l.run
	l.running = false
	l.owner.Store(0)
	if r.end != nil {
		r.end.cleared = r.clear
		close(r.end.done)
	}
	return r.failure
}

// call runs a function of Go's on the loop.
func (l *EventLoop) call(fn job) {
	defer l.recovered()
	l.rt.Call(fn)
}

// callBatch runs the rest of the batch. If the runtime has stopped, no function of it runs any more.
func (l *EventLoop) callBatch() {
	defer l.recovered()
	if !inside.CallAll(l.rt, l.nextCall) {
		clear(l.batch[l.next:])
		l.next = len(l.batch)
	}
}

// recovered is deferred by who calls functions of Go's: it notes their panics.
func (l *EventLoop) recovered() {
	if v := recover(); v != nil {
		l.fail(&failure{v, debug.Stack()})
	}
}

// fail ends the run in progress. The first failure counts.
func (l *EventLoop) fail(f *failure) {
	l.requestStop(false)
	if r := &l.run; !r.failed() {
		r.failure = f
	}
}

// runtimeStopped learns that the runtime is of no more use: the script has called process.exit, or something has
// panicked inside the engine.
func (l *EventLoop) runtimeStopped(cause error) {
	l.requestStop(false)
	var engine *gojaloop.EngineError
	var uncaught *gojaloop.UncaughtError
	switch {
	case errors.As(cause, &engine):
		l.fail(&failure{engine.Value, engine.Stack})
	case errors.As(cause, &uncaught):
		scriptlog.Error(cause.Error(), uncaught.Stack)
	case cause == nil:
		cause = errExit
	}
	l.die(cause)
}

var errExit = errors.New("its script has called process.exit")

// die makes the EventLoop useless for good.
func (l *EventLoop) die(cause error) {
	l.clear()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dead == nil {
		l.dead = cause
	}
}

// escaped handles panics that passed our own recover: Goexit, which leaves the engine in an unknown state.
func (l *EventLoop) escaped(e *eventloop.PanicError) {
	if e.Value == eventloop.ErrGoexit {
		l.die(e)
	} else {
		l.fail(&failure{e.Value, e.Stack})
	}
	_ = l.loop.Close()
}
