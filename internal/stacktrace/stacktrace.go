// Package stacktrace formats the stack of a goroutine at a bounded cost.
package stacktrace

import (
	"fmt"
	"runtime"
	"strings"
)

const frames = 64

// Capture formats the stack of the caller in the manner of debug.Stack, but stops after 64 frames. debug.Stack, and
// whatever asks for the goroutine's number, walks the whole stack, which is deep when callbacks have called Goexit: a
// goroutine that runs on in deferred calls keeps the frames of each.
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

// Frames gives the lines of a stack that Capture or debug.Stack has formatted as "function(file:line)", innermost first,
// at most limit. It leaves out what follows from the panic itself: the runtime, and the functions that caught it.
func Frames(stack []byte, limit int) []string {
	var frames []string
	function, raised := "", false
	for line := range strings.Lines(string(stack)) {
		line = strings.TrimRight(line, "\n")
		place, indented := strings.CutPrefix(line, "\t")
		if !indented {
			function = line
			if i := strings.LastIndexByte(line, '('); i > 0 {
				function = line[:i]
			}
			continue
		}
		place, _, _ = strings.Cut(place, " +0x")
		switch {
		case !raised && (function == "panic" || function == "runtime.gopanic" || function == "runtime.Goexit"):
			frames, raised = frames[:0], true
		case strings.HasPrefix(function, "runtime.") && len(frames) == 0: // raised the panic: a nil map, an index
		default:
			frames = append(frames, function+"("+place+")")
		}
	}
	return frames[:min(len(frames), limit)]
}
