// Package gojanodejs enters the event loop of goja_nodejs, which Go programs with embedded JavaScript use today, as
// Baseline.
package gojanodejs

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/eventloop"

	"github.com/eventloop-go/eventloop/tournament/contestant"
)

// Contestant is Baseline.
var Contestant = contestant.Contestant{
	Name:   "Baseline",
	About:  "goja_nodejs/eventloop: a mutex around an append, the slice swapped out, a one-slot channel written on every submission; bound to a goja runtime",
	Panics: "goja_nodejs calls what RunOnLoop was given without a recover, so the panic unwinds the goroutine that runs the loop",
	New: func() (contestant.Loop, error) {
		l := &loop{
			js:     eventloop.NewEventLoop(eventloop.EnableConsole(false)),
			up:     make(chan struct{}),
			closed: make(chan struct{}),
		}
		l.js.RunOnLoop(func(runtime *goja.Runtime) { l.runtime = runtime })
		return l, nil
	},
}

// errTerminated refuses a task.
var errTerminated = errors.New("goja_nodejs: event loop terminated")

// A loop is an EventLoop of goja_nodejs with the state for stopping it once, at any time.
type loop struct {
	js     *eventloop.EventLoop
	up     chan struct{} // closed by a task of Run, on the loop
	closed chan struct{} // closed when Terminate has returned

	runtime *goja.Runtime // set by the first task; only the loop touches it

	mu      sync.Mutex
	started bool
	stopped bool
}

// Run is StartInForeground.
func (l *loop) Run(ctx context.Context) error {
	l.mu.Lock()
	if l.stopped {
		l.mu.Unlock()
		return nil
	}
	l.started = true
	l.mu.Unlock()
	l.js.RunOnLoop(func(*goja.Runtime) { close(l.up) })
	cancel := context.AfterFunc(ctx, l.stop)
	defer cancel()
	l.js.StartInForeground()
	return nil
}

// Submit is RunOnLoop, with the adapter closure that its signature demands of everyone.
func (l *loop) Submit(task func()) error {
	if !l.js.RunOnLoop(func(*goja.Runtime) { task() }) {
		return errTerminated
	}
	return nil
}

// SubmitScript is RunOnLoop as it is.
func (l *loop) SubmitScript(task func(*goja.Runtime)) error {
	if !l.js.RunOnLoop(task) {
		return errTerminated
	}
	return nil
}

// AfterFunc is SetTimeout.
func (l *loop) AfterFunc(delay time.Duration, task func()) (cancel func(), err error) {
	timer := l.js.SetTimeout(func(*goja.Runtime) { task() }, delay)
	if timer == nil {
		return nil, errTerminated
	}
	return func() { l.js.ClearTimeout(timer) }, nil
}

// Chain makes a promise of the script engine. Resolving one outside of a script runs its jobs at once.
func (l *loop) Chain(handlers int, done func()) (settle func(), err error) {
	p, resolve, _ := l.runtime.NewPromise()
	last := l.runtime.ToValue(p)
	for i := range handlers {
		handler := func(value goja.Value) goja.Value { return value }
		if i == handlers-1 {
			handler = func(value goja.Value) goja.Value { done(); return value }
		}
		then, ok := goja.AssertFunction(last.ToObject(l.runtime).Get("then"))
		if !ok {
			return nil, errors.New("goja_nodejs: a promise without then")
		}
		if last, err = then(last, l.runtime.ToValue(handler)); err != nil {
			return nil, err
		}
	}
	return func() { _ = resolve(1) }, nil
}

// Shutdown is Terminate and not Stop, which would leave accepted tasks in the queue. Terminate refuses new ones and
// runs those that are left, on the goroutine that called it.
func (l *loop) Shutdown(ctx context.Context) error {
	l.stop()
	select {
	case <-l.closed:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// stop terminates in the background, for Terminate waits for the task in progress and knows no context.
func (l *loop) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped {
		return
	}
	l.stopped = true
	started := l.started
	go func() {
		if started {
			<-l.up // before that, Terminate would not see the loop run, and StartInForeground would undo it
		}
		l.js.Terminate()
		close(l.closed)
	}()
}
