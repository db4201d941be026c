// Package stacktrace formats the stack of a goroutine at a bounded cost.
package stacktrace

import (
	"fmt"
	"runtime"
)

const frames = 64

// Capture formats the stack of the caller in the manner of debug.Stack, but stops after 64 frames. debug.Stack walks
// the whole stack, and so does every query of the goroutine's number. That stack is deep when callbacks have called
// Goexit: a goroutine that runs on in deferred calls keeps the frames of each.
func Capture() []byte {
	var pcs [frames]uintptr
	stack := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	out := []byte("goroutine [running]:\n")
	for {
		f, more := stack.Next()
		out = fmt.Appendf(out, "%s(...)\n\t%s:%d\n", f.Function, f.File, f.Line)
		if !more {
			return out
		}
	}
}
