package gojavm

import (
	"runtime"

	"github.com/dop251/goja"
)

// The engine counts calls of script functions, but not its own recursion in Go. For example, the prototype of a
// proxy's target may be the proxy itself. Such a recursion overflows Go's stack, which ends the process without a
// chance to recover. So operations from which a script can build a recursion check now and then how deep Go's stack
// is.
const (
	// maxFrames is the limit of Go frames on the stack: a small part of its capacity. The deepest recursion of
	// scripts, which WithMaxStack bounds, takes some thirty for each call.
	maxFrames = 1 << 17

	// shallow is where the search for the depth begins.
	shallow = 1 << 10

	// unlookedOperations is the number of operations without a check: one operation of a proxy takes a dozen frames
	// at most.
	unlookedOperations = 1000
)

// A depthCheck checks how deep Go's stack is, and whether the script must end.
type depthCheck struct {
	ending   func() bool // whether the script must end
	unlooked int         // calls until the next check
}

// check is called wherever the engine may recurse, or loop, without running an instruction of a script. It throws the
// exception of a stack overflow, or of an interrupt.
//
// A check takes time in proportion to the depth of the stack. The deeper the stack was, the later the next check
// comes. Between two checks the stack can still grow only by a fraction.
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
