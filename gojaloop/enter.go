package gojaloop

import (
	"errors"
	"runtime/debug"
	"time"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
)

// entry is the JavaScript frame that every callback is run from. goja runs promise jobs when the outermost JavaScript
// frame returns. A function called straight from Go is that frame itself, so its jobs would run before the nextTick
// queue had its turn. Inside this frame we run the callback, then the ticks; then it returns.
//
// It is a program and not a function, and it reads a property instead of calling something, because that is less than
// half the work for the engine, and this is done for every callback. The name is a constant of the global scope: it is
// no property of the global object, and no script can put something else in its place.
var (
	entrySetUp = goja.MustCompile(gojavm.OwnSource+"entry", `const gojaloop_entry__ = { __proto__: null }; gojaloop_entry__`, true)
	entry      = goja.MustCompile(gojavm.OwnSource+"entry", `gojaloop_entry__.run`, true)
)

func (rt *Runtime) setUpEntry() {
	v, err := rt.vm.RunProgram(entrySetUp)
	if err != nil {
		panic(err) // only an engine that is broken fails here
	}
	run := rt.vm.ToValue(rt.runBody)
	if err := v.(*goja.Object).DefineAccessorProperty("run", run, nil, goja.FLAG_FALSE, goja.FLAG_FALSE); err != nil {
		panic(err)
	}
}

// enter runs body as a callback of the event loop, and everything that Node runs before the next: ticks, promise jobs
// and rejections, until nothing is left. It is called on the loop. Inside a callback it just runs body.
func (rt *Runtime) enter(body func()) {
	if rt.inside {
		body()
		return
	}
	if rt.stopped {
		return
	}
	rt.body = body
	rt.began = time.Since(rt.origin)
	for {
		if err := rt.cycle(); err != nil {
			rt.abandon(err)
			break
		}
		if rt.stopped || rt.ticks.empty() && !rt.rejections.waiting() {
			break
		}
	}
	rt.lap()
	rt.settle()
}

// lap counts the callback that is over. The next may begin at once.
func (rt *Runtime) lap() {
	now := time.Since(rt.origin)
	took := now - rt.began
	rt.began = now
	rt.stats.Callbacks++
	rt.stats.Busy += took
	rt.stats.Longest = max(rt.stats.Longest, took)
}

// cycle enters the engine once.
func (rt *Runtime) cycle() (err error) {
	rt.inside = true
	finished := false
	defer func() {
		rt.inside = false
		if finished {
			return
		}
		v := recover()
		if v == nil { // a Go function has ended the goroutine: nothing behind this runs any more
			rt.abandon(&EngineError{Value: eventloop.ErrGoexit, Stack: debug.Stack()})
			rt.settle()
			return
		}
		err = &EngineError{Value: v, Stack: debug.Stack()}
	}()
	rt.entering = true
	_, err = rt.vm.RunProgram(entry)
	finished = true
	return err
}

// runBody is what the entry reads: inside it nothing drains promise jobs, and after it everything does.
func (rt *Runtime) runBody(goja.FunctionCall) goja.Value {
	if !rt.entering {
		return goja.Undefined() // a script that knows the name
	}
	rt.entering = false
	if body := rt.body; body != nil {
		rt.body = nil
		body()
	} else if rt.ticks.empty() {
		rt.emitRejections()
	}
	rt.drainTicks()
	return goja.Undefined()
}

// runPhase runs the timers or the immediates that are due. After one that threw, the next runs without ticks and
// promise jobs in between, as in Node, where the exception skips them; so it does after a tick that threw. And so it does
// after one that has left nothing to run in between: to leave the engine and enter it again would be half the work.
func (rt *Runtime) runPhase(next func() bool) {
	more := true
	step := func() (ran bool) {
		for more && !rt.stopped {
			rt.threw, ran = false, true
			if more = next(); rt.threw {
				continue
			}
			if !more || !rt.quiet() {
				break
			}
			rt.lap()
		}
		return ran
	}
	body := func() { step() }
	for more && !rt.stopped {
		rt.phase = step
		rt.enter(body)
	}
	rt.phase = nil
	if rt.alive() {
		rt.env.Hooks().RunUnreferenced() // otherwise the program is over before the check phase, as in Node
	}
}

// quiet reports whether the callback in progress has left nothing to run before the next.
func (rt *Runtime) quiet() bool {
	return rt.ticks.empty() && !rt.rejections.waiting() && !rt.jobs.Waiting()
}

// call calls a function of the script as a callback: what it throws goes to uncaughtException. It reports whether the
// function returned.
func (rt *Runtime) call(fn goja.Callable, this goja.Value, args ...goja.Value) bool {
	if rt.stopped {
		return false
	}
	if _, err := fn(this, args...); err != nil {
		rt.catch(err)
		return false
	}
	return true
}

// catch deals with what ended a callback.
func (rt *Runtime) catch(err error) {
	rt.threw = true
	rt.env.Hooks().CallbackFailed()
	var interrupted *goja.InterruptedError
	if errors.As(err, &interrupted) {
		rt.noteInterrupt(interrupted)
		return // the flag is still set, and ends the entry when we return to the engine
	}
	rt.uncaught(err, "uncaughtException")
}

// abandon deals with what ended an entry as a whole: an interrupt, or a failure of the engine.
func (rt *Runtime) abandon(err error) {
	var interrupted *goja.InterruptedError
	switch {
	case rt.stopped:
		// The interrupt was our own, to leave the engine.
	case errors.As(err, &interrupted):
		rt.noteInterrupt(interrupted)
		rt.interrupted()
	default:
		rt.fail(rt.uncaughtError(err, 1))
	}
	rt.body = nil
	rt.vm.ClearInterrupt()
}

// stop ends everything that the script has under way. Inside the engine, no more of the script runs.
func (rt *Runtime) stop(failure error) {
	if rt.stopped {
		return
	}
	rt.stopped, rt.failure = true, failure
	close(rt.ended)
	rt.env.Close()
	rt.ticks = tickQueue{}
	rt.rejections = rejections{}
	if rt.inside {
		rt.vm.Interrupt(ErrStopped)
	}
	if rt.opts.onStop != nil {
		rt.opts.onStop(failure)
	}
}
