// Package gojaloop runs JavaScript on the event loop, with the engine goja. Timers, promises, nextTick and microtasks
// run in exactly Node's order. Go functions become promises, and a script cannot escape its limits.
//
//	rt := gojaloop.New(eventloop.New())
//	err := rt.Run(ctx, `setTimeout(() => console.log("hello"), 10)`)
//
// A [Runtime] belongs to a loop. Its goja runtime must be touched only on that loop: inside [Runtime.Do], or in
// functions that scripts call.
package gojaloop

import (
	"context"
	"os"
	"time"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
	"github.com/eventloop-go/eventloop/gojaloop/internal/inside"
	"github.com/eventloop-go/eventloop/gojaloop/internal/node/console"
	"github.com/eventloop-go/eventloop/gojaloop/internal/node/process"
	"github.com/eventloop-go/eventloop/gojaloop/internal/node/turn"
	"github.com/eventloop-go/eventloop/js"
)

// A Runtime is a goja runtime that lives on a loop. Its methods may be called from any goroutine, unless they say
// otherwise.
type Runtime struct {
	loop *eventloop.Loop
	env  *js.Env
	opts options
	host host // the runtime as the packages below know it

	// The loop's goroutine owns the fields below.
	vm           gojavm.VM
	turn         turn.Turn[gojavm.Tick, *goja.Promise]
	process      process.Process
	console      console.Console
	pending      int  // asynchronous operations under way
	unreferenced bool // there may be more, and timers, that keep nothing alive
	operations   map[*operation]struct{}
	servers      map[*server]struct{} // that listen; nil until the first
	entrant      entrant              // is about to be entered
	entrance     func()               // enters it; nil until somebody needs it
	program      *program             // what Run runs, or nil
	caller       context.Context      // of the call that the script runs for, if that can end
	failure      error                // why the runtime has stopped
	ended        chan struct{}        // closed when it stops; failure does not change after that
}

func init() {
	inside.WithCompatible = func(c inside.Compatible) any { return Option(func(o *options) { o.compatible = &c }) }
	inside.CallAll = func(rt any, next func() bool) bool { return rt.(*Runtime).callAll(next) }
}

// New makes a runtime on a loop. It may be called from any goroutine, and needs no closing: what is pending ends with
// the loop.
func New(loop *eventloop.Loop, opts ...Option) *Runtime {
	o := options{stdout: os.Stdout, stderr: os.Stderr, maxStack: defaultStack}
	for _, option := range opts {
		if option != nil {
			option(&o)
		}
	}
	rt := &Runtime{loop: loop, opts: o, operations: make(map[*operation]struct{}), ended: make(chan struct{})}
	rt.host = host{&rt.vm, rt}
	rt.env = js.New(loop, append(o.jsOpts, js.WithHost(rt.runPhase))...)
	rt.vm.Init(&rt.host, library, rt.env, len(o.jsOpts) != 0)
	rt.turn.Init(&rt.host, rt.env)
	rt.process.Init(&rt.host)
	rt.console.Init(o.stdout, o.stderr)
	if clock := adapter.Of(loop).Clock(); clock != nil {
		rt.vm.SetTimeSource(clock)
	}
	rt.vm.SetMaxCallStackSize(o.maxStack)
	rt.vm.SetPromiseRejectionTracker(rt.trackRejection)
	rt.vm.SetUpGlobals(globalTable, o.left[CodeGeneration], func() {
		if o.modules {
			rt.setUpModules()
		}
	})
	if o.hardened {
		rt.vm.Harden(func() bool { return rt.turn.Stopped || rt.vm.Interrupting() })
		rt.vm.KeepPrimordials()
	}
	return rt
}

// Loop returns the loop that the runtime lives on.
func (rt *Runtime) Loop() *eventloop.Loop { return rt.loop }

// Env returns the scheduling API that the script's timers are made with, for Go code that wants its callbacks in one
// order with them.
func (rt *Runtime) Env() *js.Env { return rt.env }

// Move takes the runtime to another loop, when the one it was on has ended: a loop runs once, a runtime may live longer.
// Timers and immediates that are pending go with it; see [js.Hooks.Move].
//
// It must be called in a callback of the new loop, or before that runs, while no other goroutine uses the runtime.
//
// Errors: [ErrRunning] while a program of Run, or an asynchronous operation, is under way: those belong to the loop that
// they began on.
func (rt *Runtime) Move(loop *eventloop.Loop) error {
	if rt.program != nil || rt.pending > 0 {
		return ErrRunning
	}
	rt.loop = loop
	rt.env.Hooks().Move(loop)
	return nil
}

// Stats counts what a runtime has done.
type Stats struct {
	Callbacks uint64        // of the loop: the main script, timers, immediates, completions
	Ticks     uint64        // process.nextTick callbacks
	Busy      time.Duration // spent in callbacks
	Longest   time.Duration // the longest callback with its ticks and promise jobs
}

// Stats returns the counts. It must be called on the loop, or when that has ended.
func (rt *Runtime) Stats() Stats { return Stats(rt.turn.Stats) }

// Failure returns why the runtime has stopped, or nil. It must be called on the loop, or when a call has returned
// [ErrStopped].
func (rt *Runtime) Failure() error { return rt.failure }

// Inspect shows a value as console.log would. It must be called on the loop.
func (rt *Runtime) Inspect(v goja.Value) string { return rt.vm.Inspect(v) }
