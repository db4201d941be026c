package eventloop

import (
	"fmt"
	"log/slog"
	"os"
	"runtime"
)

// stack formats the caller's stack in the manner of debug.Stack, but stops at stackFrames. That bounds its cost where
// the stack is deep, and it is when callbacks have called Goexit, which leaves the frames of each behind (see own):
// debug.Stack, and whatever asks for the goroutine's number, walks all of them.
func stack() []byte {
	var pcs [stackFrames]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	out := []byte("goroutine of the loop [running]:\n")
	for {
		f, more := frames.Next()
		out = fmt.Appendf(out, "%s(...)\n\t%s:%d\n", f.Function, f.File, f.Line)
		if !more {
			return out
		}
	}
}

const stackFrames = 64

// logPanic is the default panic handler. A logger that panics must not end the loop: what it could not log goes to
// standard error.
func logPanic(e *PanicError) {
	defer func() {
		if v := recover(); v != nil {
			fmt.Fprintf(os.Stderr, "%v\n%s\neventloop: logging this panicked: %v\n", e, e.Stack, v)
		}
	}()
	slog.Error(e.Error(), "stack", string(e.Stack))
}

// catch, deferred, reports a panic and lets it go no further. It sees nothing of Goexit, about which own has the say,
// nor of panic(nil) under GODEBUG=panicnil=1, which nothing can tell from that here.
func (l *Loop) catch() {
	if v := recover(); v != nil {
		l.reportPanic(&PanicError{Value: v, Stack: stack()})
	}
}

// reportPanic hands e to the handler. What the handler itself panics with is logged: it must not end the loop.
func (l *Loop) reportPanic(e *PanicError) {
	finished := false
	defer func() {
		if !finished {
			if v := recover(); v != nil {
				logPanic(e)
				logPanic(&PanicError{Value: v, Stack: stack()})
			}
		}
	}()
	l.onPanic(e)
	finished = true
}
