package gojaloop

import (
	"context"
	"time"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
	"github.com/eventloop-go/eventloop/gojaloop/internal/node"
	"github.com/eventloop-go/eventloop/gojaloop/internal/node/modules"
	"github.com/eventloop-go/eventloop/gojaloop/internal/node/process"
	"github.com/eventloop-go/eventloop/gojaloop/internal/node/turn"
	"github.com/eventloop-go/eventloop/gojaloop/internal/web"
)

// A host is the runtime's side of three interfaces: of packages web and node, of the engine, and of a turn.
type host struct {
	*gojavm.VM
	rt *Runtime
}

var (
	_ engine.Engine          = (*host)(nil)
	_ gojavm.Host            = (*host)(nil)
	_ turn.Host[gojavm.Tick] = (*host)(nil)
)

var library = gojavm.NewLibrary(web.Scripts, node.Scripts)

// ConsoleNatives and Natives give the library's scripts what they build on.
func (h *host) ConsoleNatives() { h.rt.console.Define(h, h.Warn) }

func (h *host) Natives() {
	o := &h.rt.opts
	h.rt.process.Define(h.rt.exit, h.rt.emitWarning)
	process.Define(h, process.Facts{Arguments: o.argv, Flags: o.flags, Environment: o.env})
	modules.Define(h, o.files)
	h.rt.moduleNatives(h)
	web.Define(h, clock{h.rt}, o.client, o.hosts, func(v engine.Value) error { return h.rt.scriptError(v.(goja.Value), nil) })
	h.rt.listenNatives(h)
}

// A clock is what performance tells the time by.
type clock struct{ *Runtime }

func (c clock) Now() float64        { return c.env.Now() }
func (c clock) TimeOrigin() float64 { return c.env.TimeOrigin() }
func (c clock) Busy() time.Duration { return c.turn.Busy() }

// These operations of package engine need the loop.

func (h *host) Report(value engine.Value) {
	fail, _ := goja.AssertFunction(h.ToValue(func(goja.FunctionCall) goja.Value { panic(value) }))
	h.rt.turn.NextTick(gojavm.Tick{Fn: fail})
}

// longestDelay is what a timer of Node's can wait, in milliseconds.
const longestDelay = 1<<31 - 1

// Later takes more than one timer for a delay that is longer than that of any timer.
func (h *host) Later(milliseconds float64, function engine.Value) {
	fn, _ := goja.AssertFunction(function.(goja.Value))
	if err := h.later(milliseconds, func() { h.rt.call(fn, goja.Undefined()) }); err != nil {
		panic(h.NewError(err))
	}
	h.Unreferenced()
}

func (h *host) later(milliseconds float64, then func()) error {
	due := then
	if milliseconds > longestDelay {
		due = func() { _ = h.later(milliseconds-longestDelay, then) } // no script is there to catch that the loop is ending
	}
	t, err := h.rt.env.NewTimeout(due, min(milliseconds, longestDelay))
	if err == nil {
		t.Unref()
	}
	return err
}

func (h *host) Soon(function engine.Value) {
	fn, _ := goja.AssertFunction(function.(goja.Value))
	if _, err := h.rt.env.NewImmediate(func() { h.rt.call(fn, goja.Undefined()) }); err != nil {
		panic(h.NewError(err))
	}
}

func (h *host) Begin() engine.Operation { return hosted{h, h.rt.begin(nil)} }
func (h *host) Work(fn func())          { h.rt.work(fn) }

// hosted is an operation as packages web and node know it.
type hosted struct {
	host *host
	op   *operation
}

func (o hosted) Promise() engine.Value { return o.op.promise }

func (o hosted) Life() (context.Context, context.CancelFunc) {
	return within(o.op.parent, o.op.caller)
}

func (o hosted) Finish(get func() (any, error)) {
	o.op.finish(func() (goja.Value, error) {
		v, err := get()
		return o.host.Make(v).(goja.Value), err
	})
}

// The engine calls these methods.

func (h *host) GoErrors() bool            { return h.rt.opts.goErrors }
func (h *host) Unreferenced()             { h.rt.unreferenced = true }
func (h *host) Entered()                  { h.rt.turn.Entered() }
func (h *host) NextTick(t gojavm.Tick)    { h.rt.turn.NextTick(t) }
func (h *host) Uncaught(v goja.Value)     { h.rt.uncaughtValue(v, nil, "uncaughtException") }
func (h *host) Warn(name, message string) { h.rt.emitWarning(message, name) }

func (h *host) RunCallback(fn goja.Callable, this goja.Value, args ...goja.Value) bool {
	return h.rt.call(fn, this, args...)
}

func (h *host) Offers(i int) bool {
	o := &h.rt.opts
	switch g := globals[i].group; g {
	case network:
		return o.client != nil
	case listening:
		return o.listen != nil
	case moduleGlobals:
		return o.modules
	default:
		return !o.left[g]
	}
}

func (h *host) MakeGlobal(i int) goja.Value { return globals[i].make(h.rt) }

// A turn calls these methods.

func (h *host) RunTick(t gojavm.Tick) bool { return h.rt.call(t.Fn, goja.Undefined(), t.Args...) }
func (h *host) ReportRejections()          { h.rt.emitRejections() }
func (h *host) Abandon(err error)          { h.rt.abandon(err) }
func (h *host) Settle()                    { h.rt.settle() }

func (h *host) Panicked(v any, stack []byte) error {
	if v == nil {
		v = eventloop.ErrGoexit
	}
	return &EngineError{Value: v, Stack: stack}
}
