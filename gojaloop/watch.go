package gojaloop

import (
	"context"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
)

// A watch lets a context interrupt what runs on its behalf: a program, or one call of Do. The engine has a single
// interrupt flag, so the runtime's lock decides whose it is.
type watch struct {
	rt    *Runtime
	ctx   context.Context
	outer *watch
	fired bool   // under rt.mu
	stack string // of the script, at the interrupt
	stop  func() bool
}

// watch begins to watch ctx; end must follow, on the loop.
func (rt *Runtime) watch(ctx context.Context) *watch {
	w := &watch{rt: rt, ctx: ctx}
	rt.mu.Lock()
	w.outer, rt.active = rt.active, w
	rt.mu.Unlock()
	w.stop = context.AfterFunc(ctx, w.fire)
	return w
}

func (w *watch) fire() {
	rt := w.rt
	rt.mu.Lock()
	for a := rt.active; a != nil; a = a.outer {
		if a == w {
			w.fired = true
			rt.vm.Interrupt(w)
		}
	}
	rt.mu.Unlock()
}

// end stops watching, and takes back an interrupt that came too late to be noticed.
func (w *watch) end() (fired bool) {
	w.stop()
	rt := w.rt
	rt.mu.Lock()
	defer rt.mu.Unlock()
	for a := &rt.active; *a != nil; a = &(*a).outer {
		if *a == w {
			*a = w.outer
			break
		}
	}
	if w.fired {
		rt.vm.ClearInterrupt()
		for a := rt.active; a != nil; a = a.outer {
			if a.fired {
				rt.vm.Interrupt(a)
			}
		}
	}
	return w.fired
}

func (w *watch) error() error {
	return &InterruptError{Cause: context.Cause(w.ctx), Stack: w.stack}
}

// interrupting reports whether a context has ended what is running, so that native loops end too.
func (rt *Runtime) interrupting() bool {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	for a := rt.active; a != nil; a = a.outer {
		if a.fired {
			return true
		}
	}
	return false
}

// noteInterrupt keeps the stack at which a watch has interrupted the script: the innermost one, seen first.
func (rt *Runtime) noteInterrupt(e *goja.InterruptedError) {
	if w, ok := e.Value().(*watch); ok && w.stack == "" {
		w.stack = gojavm.Frames(e.Stack())
	}
}

// interrupted ends the program if it was the program's context that ended.
func (rt *Runtime) interrupted() {
	if p := rt.program; p != nil && p.watch.ctx.Err() != nil {
		rt.stop(p.watch.error())
	}
}
