// Package script runs JavaScript on an event loop under test, through nothing but the contestant interface.
package script

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/dop251/goja"

	"github.com/eventloop-go/eventloop/tournament/contestant"
)

// An Engine is a goja runtime on a loop. Only the loop touches it, once Start has been called.
//
// Scripts have the functions setTimeout, setInterval and setImmediate with their counterparts, queueMicrotask, now (a
// monotonic time in milliseconds), and done(text), which ends the script with its outcome. Promise jobs and microtasks
// run whenever the outermost JavaScript function returns, as goja has it.
type Engine struct {
	loop    contestant.Loop
	timers  contestant.Timers // nil if the loop lacks timers
	vm      *goja.Runtime
	began   time.Time
	lastID  int64
	waiting map[int64]*callback
	cleared map[int64]bool
	outcome chan Outcome // capacity 1: the first counts
}

// An Outcome is how a script ended: with the value it passed to done, or with an uncaught error.
type Outcome struct {
	Text string
	Err  error
}

// A callback is the target of a timer or an immediate.
type callback struct {
	fn     goja.Callable
	args   []goja.Value
	cancel func()
	every  time.Duration // of an interval
}

// New makes an engine on a loop that runs, or will.
func New(loop contestant.Loop) *Engine {
	e := &Engine{
		loop:    loop,
		began:   time.Now(),
		waiting: make(map[int64]*callback),
		cleared: make(map[int64]bool),
		outcome: make(chan Outcome, 1),
	}
	e.timers, _ = loop.(contestant.Timers)
	return e
}

// About says where runtime and timers come from.
func (e *Engine) About() string {
	switch {
	case contestant.HasJavaScript.In(e.loop):
		return "the loop's own runtime and timers"
	case e.timers != nil:
		return "the loop's timers"
	default:
		return "time.AfterFunc and Submit for timers"
	}
}

// Start submits a script. The channel gets its outcome.
func (e *Engine) Start(name, source string) (<-chan Outcome, error) {
	program, err := goja.Compile(name, source, true)
	if err != nil {
		return nil, err
	}
	if own, ok := e.loop.(contestant.JavaScript); ok {
		return e.outcome, own.SubmitScript(func(vm *goja.Runtime) {
			e.vm = vm
			e.run(program, map[string]any{})
		})
	}
	return e.outcome, e.loop.Submit(func() {
		e.vm = goja.New()
		e.run(program, map[string]any{
			"setTimeout":     func(call goja.FunctionCall) goja.Value { return e.schedule(call, false) },
			"setInterval":    func(call goja.FunctionCall) goja.Value { return e.schedule(call, true) },
			"setImmediate":   e.setImmediate,
			"clearTimeout":   e.clear,
			"clearInterval":  e.clear,
			"clearImmediate": e.clear,
		})
	})
}

// run sets the globals that the runtime lacks, and runs the program.
func (e *Engine) run(program *goja.Program, globals map[string]any) {
	globals["now"] = func() float64 { return float64(time.Since(e.began)) / float64(time.Millisecond) }
	globals["done"] = func(text string) { e.end(Outcome{Text: text}) }
	for name, value := range globals {
		if err := e.vm.Set(name, value); err != nil {
			e.end(Outcome{Err: err})
			return
		}
	}
	e.vm.SetPromiseRejectionTracker(func(p *goja.Promise, operation goja.PromiseRejectionOperation) {
		if operation == goja.PromiseRejectionReject {
			// A handler may still be attached before the current job ends; our scripts attach theirs at once.
			e.end(Outcome{Err: fmt.Errorf("a promise was rejected: %v", p.Result())})
		}
	})
	_, err := e.vm.RunString(`var queueMicrotask = globalThis.queueMicrotask || (f => { Promise.resolve().then(() => f()) })`)
	if err == nil {
		_, err = e.vm.RunProgram(program)
	}
	if err != nil {
		e.end(Outcome{Err: err})
	}
}

// end reports the outcome, if it is the first.
func (e *Engine) end(o Outcome) {
	select {
	case e.outcome <- o:
	default:
	}
}

// schedule is setTimeout and setInterval, with Node's rule that a delay is a millisecond or more.
func (e *Engine) schedule(call goja.FunctionCall, repeats bool) goja.Value {
	c := e.callback(call, 2)
	delay := max(1, time.Duration(call.Argument(1).ToInteger())) * time.Millisecond
	if repeats {
		c.every = delay
	}
	return e.vm.ToValue(e.await(c, delay))
}

// setImmediate is a submission.
func (e *Engine) setImmediate(call goja.FunctionCall) goja.Value {
	c := e.callback(call, 1)
	e.lastID++
	id := e.lastID
	e.waiting[id] = c
	if err := e.loop.Submit(func() { e.fire(id) }); err != nil {
		panic(e.vm.NewGoError(err))
	}
	return e.vm.ToValue(id)
}

// callback takes the function and the arguments after the first skip ones. The arguments lie on goja's stack, where
// the next call overwrites them.
func (e *Engine) callback(call goja.FunctionCall, skip int) *callback {
	fn, ok := goja.AssertFunction(call.Argument(0))
	if !ok {
		panic(e.vm.NewTypeError("the first argument is not a function"))
	}
	return &callback{fn: fn, args: slices.Clone(call.Arguments[min(skip, len(call.Arguments)):])}
}

// await arranges for a callback to fire after a delay.
func (e *Engine) await(c *callback, delay time.Duration) (id int64) {
	e.lastID++
	id = e.lastID
	e.waiting[id] = c
	e.arm(id, c, delay)
	return id
}

func (e *Engine) arm(id int64, c *callback, delay time.Duration) {
	fire := func() { e.fire(id) }
	if e.timers == nil {
		timer := time.AfterFunc(delay, func() { _ = e.loop.Submit(fire) })
		c.cancel = func() { timer.Stop() }
		return
	}
	cancel, err := e.timers.AfterFunc(delay, fire)
	if err != nil {
		panic(e.vm.NewGoError(err))
	}
	c.cancel = cancel
}

// fire calls a callback, unless it was cleared. Any other reason why it is not there is a fault of the loop.
func (e *Engine) fire(id int64) {
	c := e.waiting[id]
	if c == nil {
		if !e.cleared[id] {
			e.end(Outcome{Err: fmt.Errorf("the loop ran callback %d twice", id)})
		}
		return
	}
	if c.every == 0 {
		delete(e.waiting, id)
	}
	if _, err := c.fn(goja.Undefined(), c.args...); err != nil {
		e.end(Outcome{Err: err})
	}
	if c.every > 0 && e.waiting[id] != nil {
		e.arm(id, c, c.every)
	}
}

// clear is clearTimeout, clearInterval and clearImmediate.
func (e *Engine) clear(call goja.FunctionCall) goja.Value {
	id := call.Argument(0).ToInteger()
	if c := e.waiting[id]; c != nil {
		delete(e.waiting, id)
		e.cleared[id] = true
		if c.cancel != nil {
			c.cancel()
		}
	}
	return goja.Undefined()
}

// ErrOutcome says that a script ended with another text than it should have.
var ErrOutcome = errors.New("the script came to another result")
