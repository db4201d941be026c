package gojaloop

import (
	"errors"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
	"github.com/eventloop-go/eventloop/gojaloop/internal/scriptlog"
)

// uncaught deals with an exception that nobody caught: the script's handler, or else the end of the program.
func (rt *Runtime) uncaught(err error, origin string) {
	if rt.stopped {
		return
	}
	var ex *goja.Exception
	if !errors.As(err, &ex) || isUncatchable(err) {
		// The engine's own error, a stack overflow: no script can handle it.
		failure := rt.uncaughtError(err, 1)
		if e, ok := failure.(*UncaughtError); ok && rt.program == nil {
			rt.report(e)
			return
		}
		rt.fail(failure)
		return
	}
	rt.uncaughtValue(ex.Value(), ex, origin)
}

func isUncatchable(err error) bool {
	var overflow *goja.StackOverflowError
	return errors.As(err, &overflow)
}

// exitHandlerThrew is Node's exit code for an exception in a handler of uncaughtException.
const exitHandlerThrew = 7

// uncaughtValue is Node's triggerUncaughtException.
func (rt *Runtime) uncaughtValue(v goja.Value, ex *goja.Exception, origin string) {
	had, err := rt.emit("uncaughtException", v, rt.vm.ToValue(origin))
	if err != nil {
		var interrupted *goja.InterruptedError
		if errors.As(err, &interrupted) {
			rt.noteInterrupt(interrupted)
			return
		}
		if !rt.stopped {
			rt.stop(rt.uncaughtError(err, exitHandlerThrew)) // there is no exit event, as in Node
		}
		return
	}
	if rt.stopped {
		return
	}
	if had {
		// Node sets an immediate that does nothing, so that ticks get their turn. Scripts can observe it: a callback
		// that throws is followed by it, and thus by the ticks, where otherwise the next would run first.
		_, _ = rt.env.NewImmediate(func() {}) // it fails on a loop that is ending
		return
	}
	failure := rt.describe(v, ex, 1)
	if rt.program == nil {
		rt.report(failure)
		return
	}
	rt.fail(failure)
}

// report tells the embedder of an exception that ends no program, for there is none.
func (rt *Runtime) report(err *UncaughtError) {
	if rt.opts.onUncaught != nil {
		rt.opts.onUncaught(err)
		return
	}
	scriptlog.Error(err.Error(), err.Stack)
}

// uncaughtError describes what ended a callback or an entry.
func (rt *Runtime) uncaughtError(err error, code int) error {
	var overflow *goja.StackOverflowError
	if errors.As(err, &overflow) {
		return &UncaughtError{Code: code, Message: "RangeError: Maximum call stack size exceeded",
			Stack: gojavm.FirstLines(gojavm.Frames(overflow.Stack()), 10), cause: cause{err: err}}
	}
	var ex *goja.Exception
	if errors.As(err, &ex) {
		return rt.describe(ex.Value(), ex, code)
	}
	return err
}

// describe turns a value that was thrown into an error.
func (rt *Runtime) describe(v goja.Value, ex *goja.Exception, code int) *UncaughtError {
	e := rt.describeShort(v, ex)
	e.Code = code
	_ = rt.vm.Try(func() { e.Detail = rt.inspect(v) })
	if text, ok := v.(goja.String); ok {
		e.Detail = text.String()
	}
	return e
}

// describeShort leaves out the detail, which takes most of the time. It reads the value with care: its properties may
// throw.
func (rt *Runtime) describeShort(v goja.Value, ex *goja.Exception) *UncaughtError {
	e := &UncaughtError{}
	if ex != nil {
		e.exception = ex
		e.Stack = gojavm.Frames(ex.Stack())
	}
	obj, isObject := v.(*goja.Object)
	_ = rt.vm.Try(func() {
		if isObject && obj.ClassName() == "Error" {
			e.Message = obj.String()
			if e.Stack == "" {
				e.Stack = gojavm.ScriptFrames(obj.Get("stack"))
			}
			return
		}
		e.Message = rt.inspect(v)
	})
	_ = rt.vm.Try(func() { e.err = rt.goCause(v) })
	if e.Message == "" {
		e.Message = "an exception that cannot be shown"
	}
	e.explain(e.Message)
	return e
}

const unhandledRejectionCode = "ERR_UNHANDLED_REJECTION"

// rejectionReason is what an unhandled rejection throws: the reason, if it is an error, or one that tells it.
func (rt *Runtime) rejectionReason(reason goja.Value) goja.Value {
	if rt.hasStack(reason) {
		return reason
	}
	const name = "UnhandledPromiseRejection"
	err := rt.newNodeError("Error", unhandledRejectionCode, "",
		"This error originated either by throwing inside of an async function without a catch block, "+
			"or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason \""+
			plainString(reason)+"\".")
	rt.set(err, "name", name)
	stack := rt.vm.ToValue(name + ": " + gojavm.Get(err, "message").String())
	_ = err.DefineDataProperty("stack", stack, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return err
}

// hasStack reports whether a value looks like an error. It may be a proxy that throws.
func (rt *Runtime) hasStack(v goja.Value) (has bool) {
	obj, ok := v.(*goja.Object)
	if ok {
		_ = rt.vm.Try(func() { has = obj.Get("stack") != nil })
	}
	return has
}

func (rt *Runtime) rejectionError(reason goja.Value) *UncaughtError {
	return rt.describe(rt.rejectionReason(reason), nil, 1)
}
