package gojaloop

import (
	"time"

	"github.com/dop251/goja"
)

// Call runs fn on the loop as goja itself has Go code run scripts: the promise jobs of each have run when it returns to
// fn. Under [Runtime.Do] and [Runtime.Submit] fn counts as a callback of its own instead, and promise jobs wait until it
// has ended. In either case the nextTick queue, and reports of unhandled rejections, come after fn. A panic in fn passes
// through to the caller, and leaves the runtime as it is.
//
// It must be called on the loop; inside a callback of the runtime it just calls fn. It reports false if the runtime has
// stopped, before fn or in it.
func (rt *Runtime) Call(fn func(vm *goja.Runtime)) bool {
	rt.prepareAll()
	switch {
	case rt.stopped:
		return false
	case rt.inside:
		fn(rt.vm)
		return !rt.stopped
	}
	rt.began = time.Since(rt.origin)
	rt.callInside(fn)
	rt.lap()
	if !rt.stopped && (!rt.ticks.empty() || rt.rejections.waiting()) {
		rt.enter(func() {})
		return !rt.stopped
	}
	rt.settle()
	return !rt.stopped
}

// callInside calls fn as the callback in progress, however it ends.
func (rt *Runtime) callInside(fn func(vm *goja.Runtime)) {
	rt.inside = true
	defer func() {
		rt.inside = false
		if rt.stopped {
			rt.vm.ClearInterrupt() // stop had set it, to leave the script
		}
	}()
	fn(rt.vm)
}
