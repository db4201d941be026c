package eventloop

import (
	"context"
	"fmt"
	"github.com/eventloop-go/eventloop/internal/meter"
	"log/slog"
	"os"

	"github.com/eventloop-go/eventloop/internal/stacktrace"
)

// stack formats the caller's stack at a bounded cost: it is deep when callbacks have called Goexit, see runLoop.
var stack = stacktrace.Capture

// logPanic is the default of WithPanicHandler. A logger that panics must not end the loop: its message goes to
// standard error.
func (l *Loop) logPanic(e *PanicError) {
	defer func() {
		if v := recover(); v != nil {
			fmt.Fprintf(os.Stderr, "%v\n%s\neventloop: logging this panicked: %v\n", e, e.Stack, v)
		}
	}()
	var attrs []slog.Attr
	if l.name != "" {
		attrs = append(attrs, slog.String("loop", l.name))
	}
	stacktrace.Log(context.Background(), slog.LevelError, e.Error(), e.Stack, attrs...)
}

// catch, deferred, reports a panic and lets it go no further. It does not see Goexit, which
// runLoop handles. Under GODEBUG=panicnil=1 it does not see panic(nil) either.
func (l *Loop) catch() {
	if v := recover(); v != nil {
		l.reportPanic(&PanicError{Value: v, Stack: stack()})
	}
}

// failure is the error of a callback that has not returned: it has panicked with v, or called Goexit.
func failure(v any) *PanicError {
	if v == nil {
		v = ErrGoexit
	}
	return &PanicError{Value: v, Stack: stack()}
}

// reportPanic hands e to the handler. A panic of the handler itself is logged: it must not end the loop.
func (l *Loop) reportPanic(e *PanicError) {
	l.meter.Count(meter.Panicked)
	finished := false
	defer func() {
		if !finished {
			if v := recover(); v != nil {
				l.logPanic(e)
				l.logPanic(&PanicError{Value: v, Stack: stack()})
			}
		}
	}()
	if l.onPanic != nil {
		l.onPanic(e)
	} else {
		l.logPanic(e)
	}
	finished = true
}
