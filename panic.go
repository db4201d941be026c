package eventloop

import (
	"log/slog"
	"runtime/debug"
)

func stack() []byte { return debug.Stack() }

// logPanic is the default panic handler.
func logPanic(e *PanicError) {
	slog.Error(e.Error(), "stack", string(e.Stack))
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
