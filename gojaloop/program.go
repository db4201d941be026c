package gojaloop

import (
	"context"
	"errors"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
)

// A program is one call of Run: a main script, and all its asynchronous consequences.
type program struct {
	rt       *Runtime
	main     func() error
	ctx      context.Context    // of Run
	life     context.Context    // ends with ctx, or with the program
	die      context.CancelFunc // ends life
	watch    *gojavm.Watch      // nil for a context that does not end
	alive    func()             // keeps an auto-exit loop open meanwhile
	checking bool               // a check whether it is over waits in the check phase
	runner   runner             // knows whether Run runs the loop
	err      error
	done     chan struct{}
}

// A runner is the context of the loop's Run. It never ends. When Run takes a loop over, before it runs anything, it
// registers for the context's end through the method that package context uses for that. So we know whether the loop
// is ours to end. Cancelling a context would need a goroutine to notify the loop, which would take longer than the
// rest of a short script.
type runner struct {
	context.Context
	runs bool // the loop's goroutine alone uses it
}

var neverEnds = make(chan struct{})

func (r *runner) Done() <-chan struct{} { return neverEnds }

func (r *runner) Err() error { return nil }

// AfterFunc is called by [context.AfterFunc].
func (r *runner) AfterFunc(func()) (stop func() bool) {
	r.runs = true
	return func() bool { return true }
}

// ended is a context that has ended.
var ended = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// Run runs a script as the main program. It returns when that and all its asynchronous work have ended: timers,
// immediates, promises of Go functions. If the loop is not running, Run runs it, on this goroutine, and shuts it down
// at the end; otherwise it waits.
//
// Errors: *[ExitError], *[UncaughtError], *[InterruptError] when ctx ends first, *[EngineError]. They mean that the
// runtime has stopped, and [ExitCode] makes a process's exit code of them. Others are [ErrStopped], [ErrRunning], and
// the loop's own errors.
func (rt *Runtime) Run(ctx context.Context, src string) error {
	return rt.RunScript(ctx, "script.js", src)
}

// RunScript is [Runtime.Run] for a script with a name, which stacks show.
//
// A source of more than 4 KB is compiled on a goroutine of its own. When ctx ends meanwhile, RunScript returns, and the
// goroutine ends when the compiler has done its work.
func (rt *Runtime) RunScript(ctx context.Context, name, src string) error {
	return rt.runMain(ctx, func() error {
		s, err := compileUnder(ctx, name, src)
		switch {
		case err == nil:
			_, err = s.run(rt)
		case ctx.Err() != nil:
			err = new(goja.InterruptedError) // as if the script had run
		}
		return err
	})
}

// RunMain is [Runtime.Run] for a main program that is a Go function. Its error counts as an uncaught exception.
func (rt *Runtime) RunMain(ctx context.Context, main func(vm *goja.Runtime) error) error {
	return rt.runMain(ctx, func() error {
		rt.vm.PrepareAll()
		return main(rt.vm.Runtime)
	})
}

func (rt *Runtime) runMain(ctx context.Context, main func() error) error {
	p := &program{rt: rt, main: main, ctx: ctx, done: make(chan struct{}), runner: runner{Context: context.Background()}}
	p.life, p.die = context.WithCancel(ctx)
	defer p.die()
	alive, err := rt.loop.KeepAlive()
	if err != nil {
		return err
	}
	p.alive = alive
	defer alive() // a second release does nothing
	if ctx.Done() != nil {
		stop := context.AfterFunc(ctx, func() { _ = rt.loop.SubmitInternal(p.interrupt) })
		defer stop()
	}
	// The main script runs in a check phase: as in Node, the timers that are due by its end come next, and its immediates
	// after them.
	if err := rt.loop.ScheduleImmediate(p.start); err != nil {
		return err
	}
	switch err := rt.loop.Run(&p.runner); {
	case errors.Is(err, eventloop.ErrLoopRunning):
		select {
		case <-p.done:
			return p.err
		case <-rt.loop.Done():
		}
	case err != nil && !errors.Is(err, eventloop.ErrLoopTerminated):
		return err
	}
	select {
	case <-p.done:
		return p.err
	default:
		return eventloop.ErrLoopTerminated
	}
}

func (p *program) start() {
	rt := p.rt
	switch {
	case rt.turn.Stopped:
		p.finish(ErrStopped)
	case rt.program != nil:
		p.finish(ErrRunning)
	case p.ctx.Err() != nil:
		p.finish(&InterruptError{Cause: context.Cause(p.ctx)})
	default:
		if p.ctx.Done() != nil {
			p.watch = rt.vm.Watch(p.ctx)
		}
		rt.program = p
		rt.turn.Main = true
		rt.turn.Enter(func() {
			if err := p.main(); err != nil {
				rt.catchMain(err)
			}
		})
		rt.turn.Main = false
		p.main = nil
	}
}

// catchMain deals with an error of the main program: one of Go's, or a syntax error, is for no handler of the script.
func (rt *Runtime) catchMain(err error) {
	var ex *goja.Exception
	var interrupted *goja.InterruptedError
	if !errors.As(err, &ex) && !errors.As(err, &interrupted) && !isUncatchable(err) {
		var uncaught *UncaughtError
		if !errors.As(err, &uncaught) {
			err = &UncaughtError{Code: 1, Message: err.Error(), cause: cause{err: err}}
		}
		rt.fail(err)
		return
	}
	rt.catch(err)
	if interrupted != nil {
		rt.interrupted() // the engine may not know yet
	}
}

func (p *program) interrupt() {
	if p.rt.program == p && !p.rt.turn.Stopped {
		p.rt.interrupted()
		p.rt.settle()
	}
}

// settle looks, after each callback, whether the program may be over. Node looks when the loop would turn to the next
// round, so the look is an immediate.
func (rt *Runtime) settle() {
	p := rt.program
	switch {
	case p == nil:
	case rt.turn.Stopped:
		rt.program = nil
		p.finish(rt.failure)
	case !p.checking && !rt.alive():
		p.checking = true
		if err := rt.loop.ScheduleImmediate(p.check); err != nil {
			rt.program = nil
			p.finish(err)
		}
	}
}

// alive reports whether anything is under way that will call the script again.
func (rt *Runtime) alive() bool { return rt.pending > 0 || rt.env.Active() > 0 }

// check ends the program if nothing is left, not even after beforeExit.
func (p *program) check() {
	rt := p.rt
	p.checking = false
	if rt.program != p || rt.turn.Stopped || rt.alive() {
		return
	}
	if !rt.process.Made() { // the script cannot listen to beforeExit and exit, then
		rt.env.Close()
		rt.program = nil
		p.finish(nil)
		return
	}
	p.checking = true // keeps settle quiet
	rt.turn.Enter(func() {
		if _, err := rt.process.Emit("beforeExit", rt.process.Code()); err != nil {
			rt.catch(err)
		}
	})
	p.checking = false
	if rt.program != p || rt.alive() {
		return
	}
	p.checking = true
	code := rt.process.Code()
	rt.turn.Enter(func() {
		code = rt.process.EmitExit(code, func(err error) {
			if !rt.turn.Stopped {
				rt.catch(err)
			}
		})
		// Nothing runs after exit, not even ticks and promise jobs.
		rt.turn.Drop()
		rt.vm.Interrupt(ErrStopped)
		rt.env.Close()
	})
	if rt.program != p {
		return // exit or an exception has ended it
	}
	rt.program = nil
	if code != 0 {
		rt.stop(&ExitError{Code: code})
		p.finish(rt.failure)
		return
	}
	p.finish(nil)
}

// finish lets Run return. It is called once, on the loop.
func (p *program) finish(err error) {
	if p.watch != nil {
		p.watch.End()
	}
	p.err = err
	p.die()
	p.alive()
	close(p.done)
	if p.runner.runs {
		_ = p.rt.loop.Shutdown(ended) // which does not wait
	}
}

// fail ends the program with an exception, after the script's exit handlers.
func (rt *Runtime) fail(failure error) {
	if rt.turn.Stopped {
		return
	}
	var uncaught *UncaughtError
	if code := ExitCode(failure); rt.turn.Inside() {
		if final := rt.process.Failing(code); final != code && errors.As(failure, &uncaught) {
			uncaught.Code = final // process.exitCode, as in Node
		}
	}
	if !rt.turn.Stopped {
		rt.stop(failure)
	}
}

// interrupted ends the program if it was the program's context that ended.
func (rt *Runtime) interrupted() {
	if p := rt.program; p != nil && p.ctx.Err() != nil {
		rt.stop(interruptError(p.watch))
	}
}

func interruptError(w *gojavm.Watch) error {
	return &InterruptError{Cause: context.Cause(w.Context()), Stack: w.Stack()}
}
