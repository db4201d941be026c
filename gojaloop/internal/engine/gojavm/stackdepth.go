package gojavm

import (
	"runtime"

	"github.com/dop251/goja"
)

// The engine counts calls of script functions. Its own recursion in Go it does not count: a proxy whose target's prototype
// is the proxy itself would recurse until Go's stack overflows, which ends the process and which nobody can recover from.
// So what a script can make such a recursion of looks, now and then, how deep Go's stack is.
const (
	// maxFrames is how many frames of Go's may be on the stack: a small part of what it has room for. The deepest recursion
	// of scripts, which WithMaxStack bounds, takes some thirty for each call.
	maxFrames = 1 << 17

	// shallow is where the search for the depth begins.
	shallow = 1 << 10

	// unlookedOperations is how often nobody looks: one operation of a proxy takes a dozen frames at most.
	unlookedOperations = 1000
)

// A depthCheck looks how deep Go's stack is, and whether the script is to end.
type depthCheck struct {
	ending   func() bool // whether the script is to end
	unlooked int         // calls until it looks
}

// check is called wherever the engine may recurse, or loop, with no instruction of a script in between. It throws what a
// stack overflow throws, or what an interrupt throws.
//
// To look takes as long as the stack is deep. The deeper it was, the later is the next look; and yet between two of them
// it cannot get deeper by more than a part.
func (d *depthCheck) check() {
	if d.unlooked > 0 {
		d.unlooked--
		return
	}
	if d.ending() {
		panic(new(goja.InterruptedError))
	}
	var frame [1]uintptr
	for depth := shallow; runtime.Callers(depth, frame[:]) > 0; depth *= 2 {
		if depth >= maxFrames {
			panic(&goja.StackOverflowError{})
		}
		d.unlooked = depth / 64
	}
	d.unlooked = max(d.unlooked, unlookedOperations)
}
