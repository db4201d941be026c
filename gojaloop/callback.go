package gojaloop

import (
	"errors"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
	"github.com/eventloop-go/eventloop/gojaloop/internal/scriptlog"
)

// runPhase runs the timers or the immediates that are due.
func (rt *Runtime) runPhase(next func() bool) {
	rt.turn.RunPhase(next)
	if rt.alive() {
		rt.env.Hooks().RunUnreferenced() // otherwise the program is over before the check phase, as in Node
	}
}

// call calls a function of the script as a callback: its exceptions go to uncaughtException. It reports whether the
// function returned.
func (rt *Runtime) call(fn goja.Callable, this goja.Value, args ...goja.Value) bool {
	if rt.turn.Stopped {
		return false
	}
	if _, err := fn(this, args...); err != nil {
		rt.catch(err)
		return false
	}
	return true
}

// catch handles the error that ended a callback.
func (rt *Runtime) catch(err error) {
	rt.turn.Threw = true
	rt.env.Hooks().CallbackFailed()
	var interrupted *goja.InterruptedError
	if errors.As(err, &interrupted) {
		gojavm.NoteInterrupt(interrupted)
		return // the flag is still set, and ends the entry when we return to the engine
	}
	rt.uncaught(err, "uncaughtException")
}

// abandon handles the error that ended an entry as a whole: an interrupt, or a failure of the engine.
func (rt *Runtime) abandon(err error) {
	var interrupted *goja.InterruptedError
	switch {
	case rt.turn.Stopped:
		// The interrupt was our own, to leave the engine.
	case errors.As(err, &interrupted):
		gojavm.NoteInterrupt(interrupted)
		rt.interrupted()
	default:
		rt.fail(rt.uncaughtError(err, 1))
	}
	rt.vm.ClearInterrupt()
}

// stop ends everything that the script has under way. Inside the engine, no more of the script runs.
func (rt *Runtime) stop(failure error) {
	if rt.turn.Stopped {
		return
	}
	rt.turn.Stopped, rt.failure = true, failure
	close(rt.ended)
	rt.env.Close()
	rt.turn.Drop()
	if rt.turn.Inside() {
		rt.vm.Interrupt(ErrStopped)
	}
	if rt.opts.onStop != nil {
		rt.opts.onStop(failure)
	}
}

// exit is process.reallyExit(code): no statement behind it runs.
func (rt *Runtime) exit(code int) {
	if rt.turn.Stopped {
		return
	}
	var failure error
	if code != 0 {
		failure = &ExitError{Code: code}
	}
	rt.stop(failure)
}

// processObject is the global process.
func (rt *Runtime) processObject() goja.Value { return rt.process.Object().(goja.Value) }

// consoleObject is the global console.
func (rt *Runtime) consoleObject() goja.Value { return rt.console.Object(&rt.host).(goja.Value) }

// emitWarning is process.emitWarning.
func (rt *Runtime) emitWarning(args ...any) {
	if rt.opts.left[Process] {
		return
	}
	if err := rt.process.Warn(args...); err != nil {
		panic(err)
	}
}

// uncaught handles an uncaught exception: it calls the script's handler, or else ends the program.
func (rt *Runtime) uncaught(err error, origin string) {
	if rt.turn.Stopped {
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
	had, err := rt.process.Emit("uncaughtException", v, origin)
	if err != nil {
		var interrupted *goja.InterruptedError
		if errors.As(err, &interrupted) {
			gojavm.NoteInterrupt(interrupted)
			return
		}
		if !rt.turn.Stopped {
			rt.stop(rt.uncaughtError(err, exitHandlerThrew)) // there is no exit event, as in Node
		}
		return
	}
	if rt.turn.Stopped {
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

// report reports an exception to the embedder when no program is running that it could end.
func (rt *Runtime) report(err *UncaughtError) {
	if rt.opts.onUncaught != nil {
		rt.opts.onUncaught(err)
		return
	}
	scriptlog.Error(err.Error(), err.Stack)
}
