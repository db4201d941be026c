package js

import "github.com/eventloop-go/eventloop"

// Move takes the environment to another loop, when the one it was on has ended: for hosts whose scripts outlive a loop,
// which runs only once. What is pending stays pending: timers keep the time at which they are due, immediates their
// order. Timers that fell due meanwhile run as soon as the new loop does.
//
// It must be called in a callback of the new loop, or before that runs, while no other goroutine uses the environment.
func (e *Env) Move(loop *eventloop.Loop) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.attach(loop)
	e.armFirst()
	_ = e.requestCheck() // it fails on a loop that has ended, where nothing runs any more
}
