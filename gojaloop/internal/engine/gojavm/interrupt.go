package gojavm

import (
	"context"
	"sync"

	"github.com/dop251/goja"
)

// interrupts are the contexts that may interrupt the running script. The engine has a single interrupt flag, so the
// lock decides which of them owns it.
type interrupts struct {
	vm     *goja.Runtime
	mu     sync.Mutex
	active *Watch
}

// A Watch lets a context interrupt the script that runs on its behalf: a program, or one call of Do.
type Watch struct {
	in    *interrupts
	ctx   context.Context
	outer *Watch
	fired bool   // under in.mu
	stack string // of the script, at the interrupt
	stop  func() bool
}

// Watch begins to watch ctx; End must follow, on the loop.
func (vm *VM) Watch(ctx context.Context) *Watch {
	in := &vm.interrupts
	w := &Watch{in: in, ctx: ctx}
	in.mu.Lock()
	w.outer, in.active = in.active, w
	in.mu.Unlock()
	w.stop = context.AfterFunc(ctx, w.fire)
	return w
}

func (w *Watch) fire() {
	in := w.in
	in.mu.Lock()
	for a := in.active; a != nil; a = a.outer {
		if a == w {
			w.fired = true
			in.vm.Interrupt(w)
		}
	}
	in.mu.Unlock()
}

// End stops watching, and takes back an interrupt that came too late to be noticed.
func (w *Watch) End() (fired bool) {
	w.stop()
	in := w.in
	in.mu.Lock()
	defer in.mu.Unlock()
	for a := &in.active; *a != nil; a = &(*a).outer {
		if *a == w {
			*a = w.outer
			break
		}
	}
	if w.fired {
		in.vm.ClearInterrupt()
		for a := in.active; a != nil; a = a.outer {
			if a.fired {
				in.vm.Interrupt(a)
			}
		}
	}
	return w.fired
}

// Watched returns a context that ends with any context that may interrupt the running script. The caller must call
// stop.
func (vm *VM) Watched() (ctx context.Context, stop func()) {
	in := &vm.interrupts
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.active == nil {
		return context.Background(), func() {}
	}
	if in.active.outer == nil {
		return in.active.ctx, func() {}
	}
	ctx, cancel := context.WithCancel(in.active.ctx)
	stops := []func() bool{}
	for w := in.active.outer; w != nil; w = w.outer {
		stops = append(stops, context.AfterFunc(w.ctx, cancel))
	}
	return ctx, func() {
		cancel()
		for _, s := range stops {
			s()
		}
	}
}

// Context is the context that it watches.
func (w *Watch) Context() context.Context { return w.ctx }

// Stack has the frames of the script at the interrupt.
func (w *Watch) Stack() string { return w.stack }

// Interrupting reports whether a context has interrupted the running script, so that native loops end too.
func (vm *VM) Interrupting() bool {
	in := &vm.interrupts
	in.mu.Lock()
	defer in.mu.Unlock()
	for a := in.active; a != nil; a = a.outer {
		if a.fired {
			return true
		}
	}
	return false
}

// NoteInterrupt keeps the stack at which a watch has interrupted the script: the innermost one, seen first.
func NoteInterrupt(e *goja.InterruptedError) {
	if w, ok := e.Value().(*Watch); ok && w.stack == "" {
		w.stack = Frames(e.Stack())
	}
}
