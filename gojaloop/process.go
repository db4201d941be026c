package gojaloop

import "github.com/dop251/goja"

// process is the script's process object, made when the script first asks for it: before that nobody can listen.
type process struct {
	runtime   *goja.Runtime
	obj       *goja.Object
	emit      goja.Callable
	listening goja.Callable
	exitCode  goja.Value // process.exitCode; undefined until set
	exiting   bool       // the exit event has been emitted
}

func (rt *Runtime) processObject() goja.Value {
	if rt.process == nil {
		p := &process{runtime: rt.vm, exitCode: goja.Undefined()}
		exports := rt.load("process")
		p.obj = exports.Get("process").(*goja.Object)
		p.emit, _ = goja.AssertFunction(exports.Get("emit"))
		p.listening, _ = goja.AssertFunction(exports.Get("listens"))
		rt.process = p
	}
	return rt.process.obj
}

// emit emits an event on process, and reports whether anybody listened.
func (rt *Runtime) emit(event string, args ...goja.Value) (had bool, err error) {
	if rt.process == nil {
		return false, nil
	}
	v, err := rt.process.emit(rt.process.obj, append([]goja.Value{rt.vm.ToValue(event)}, args...)...)
	return err == nil && v.ToBoolean(), err
}

// listens reports whether anybody listens for an event.
func (p *process) listens(event string) bool {
	if p == nil {
		return false
	}
	v, err := p.listening(goja.Undefined(), p.runtime.ToValue(event))
	return err == nil && v.ToBoolean()
}

func (p *process) hasCode() bool {
	return p != nil && !goja.IsUndefined(p.exitCode) && !goja.IsNull(p.exitCode)
}

// code is the exit code as the script has set it.
func (p *process) code() int {
	if !p.hasCode() {
		return 0
	}
	return int(int32(p.exitCode.ToInteger()))
}

// emitExit emits exit, once in the life of a program, and returns the code that results. An exception of a listener is
// like any other that nobody caught, but it makes no other code than what is set.
func (rt *Runtime) emitExit(code int) int {
	p := rt.process
	if p == nil || p.exiting {
		return code
	}
	p.exiting = true
	if _, err := rt.emit("exit", rt.vm.ToValue(code)); err != nil && !rt.stopped {
		rt.catch(err)
	}
	return p.code()
}

// failing emits exit because of an exception, and returns the code that results. What its listeners throw is lost: there
// is an exception to tell of already.
func (rt *Runtime) failing(code int) int {
	p := rt.process
	if p == nil {
		return code
	}
	if !p.exiting {
		p.exiting = true
		p.exitCode = rt.vm.ToValue(code)
		_, _ = rt.emit("exit", p.exitCode)
	} else if p.hasCode() {
		return p.code()
	} else {
		return code
	}
	return p.code()
}

// exit is process.reallyExit(code): no statement behind it runs.
func (rt *Runtime) exit(call goja.FunctionCall) goja.Value {
	if !rt.stopped {
		var failure error
		if code := int(int32(call.Argument(0).ToInteger())); code != 0 {
			failure = &ExitError{Code: code}
		}
		rt.stop(failure)
	}
	return goja.Undefined()
}

// processNatives are what process.js builds on that belongs to the runtime.
func (rt *Runtime) processNatives(o *goja.Object) {
	rt.asyncNatives(o)
	set := func(name string, v any) { rt.set(o, name, v) }
	set("nextTick", rt.function("nextTick", 1, rt.nextTick))
	set("exit", rt.exit)
	set("getExitCode", func(goja.FunctionCall) goja.Value { return rt.process.exitCode })
	set("setExitCode", func(call goja.FunctionCall) goja.Value {
		rt.process.exitCode = call.Argument(0)
		return goja.Undefined()
	})
	set("getExiting", func(goja.FunctionCall) goja.Value { return rt.vm.ToValue(rt.process != nil && rt.process.exiting) })
	set("setExiting", func(call goja.FunctionCall) goja.Value {
		rt.process.exiting = call.Argument(0).ToBoolean()
		return goja.Undefined()
	})
	set("emitWarning", func(call goja.FunctionCall) goja.Value {
		rt.emitWarning(call.Arguments...)
		return goja.Undefined()
	})
}
