package gojaloop

import "github.com/eventloop-go/eventloop"

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
