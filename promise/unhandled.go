package promise

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/internal/sched"
	"github.com/eventloop-go/eventloop/internal/stacktrace"
)

// A Rejection is a promise that was rejected while nothing was attached to it, as reported by the loop. It is an error:
// see [EndRun].
type Rejection struct {
	// Err is the error that the promise was rejected with.
	Err error

	loop  *core
	trace *trace
}

// Error tells what the promise was rejected with.
func (r *Rejection) Error() string { return "promise: unhandled rejection: " + r.Err.Error() }

// Unwrap returns Err.
func (r *Rejection) Unwrap() error { return r.Err }

// Stack tells where the promise was made, if [TraceCreation] was on then; otherwise it is empty.
func (r *Rejection) Stack() string {
	if r.trace == nil {
		return ""
	}
	return r.trace.String()
}

// Loop returns the loop that the promise belongs to.
func (r *Rejection) Loop() *eventloop.Loop { return public(r.loop) }

// Log logs the rejection through [log/slog], as a loop does that has no function for it.
func (r *Rejection) Log() { r.log(slog.LevelError, "promise: unhandled rejection") }

type (
	unhandledKey    struct{}
	handledLaterKey struct{}
)

// WithUnhandledRejection sets the function that a loop calls for each promise that was rejected and has nothing
// attached to it at the end of the microtask checkpoint: HTML's and Node's rule. It is called once for each promise,
// on the loop's goroutine. When the loop has ended, nothing is reported any more.
//
// The default, which nil asks for too, logs an error through [log/slog], and the loop goes on. With [EndRun] as the
// function, the loop ends.
//
// A promise that is settled from another goroutine may be found before that goroutine attaches to it: attach first,
// then settle.
func WithUnhandledRejection(handle func(*Rejection)) eventloop.Option {
	return adapter.WithValue(unhandledKey{}, handle)
}

// EndRun is a function for [WithUnhandledRejection], or to be called by one: it begins a graceful shutdown of the loop,
// and [eventloop.Loop.Run] returns r, so that [errors.Is] and [errors.As] find the error that was not handled. The first
// reason for which the loop ends is the one that Run returns. It must be called on the loop.
func EndRun(r *Rejection) { r.loop.Loop.Fail(r) }

// WithHandledRejection sets the function that a loop calls when something is attached to a promise that was reported
// as unhandled before: Node's rejectionHandled. It gets the same *Rejection, and runs on the loop's goroutine, as a
// microtask. The default, which nil asks for too, logs a warning through [log/slog].
func WithHandledRejection(handle func(*Rejection)) eventloop.Option {
	return adapter.WithValue(handledLaterKey{}, handle)
}

// handler finds the function that is set for the loop. Only a rejection that nobody handles asks.
func handler(loop *core, key any, otherwise func(*Rejection)) func(*Rejection) {
	if f, _ := loop.Loop.Value(key).(func(*Rejection)); f != nil {
		return f
	}
	return otherwise
}

func logHandledLater(r *Rejection) {
	r.log(slog.LevelWarn, "promise: rejection handled after it was reported")
}

// log writes what happened and the error, with the place where the promise was made, if it is known, and the stack of a
// panic.
func (r *Rejection) log(level slog.Level, what string) {
	attrs := []slog.Attr{slog.Any("error", r.Err)}
	if r.trace != nil {
		attrs = append(attrs, slog.String("created", r.trace.place()))
	}
	var stack []byte
	if panicked := (*eventloop.PanicError)(nil); level == slog.LevelError && errors.As(r.Err, &panicked) {
		stack = panicked.Stack
	}
	stacktrace.Log(context.Background(), level, what, stack, attrs...)
}

var tracing sched.Bool

// TraceCreation switches on or off, for all loops, that promises remember the stack of their making until something
// is attached to them, so that a report of an unhandled rejection can tell it. It is off at first, and meant for
// debugging: promises then cost some microseconds and a few hundred bytes more.
func TraceCreation(on bool) { tracing.Store(on) }

// A trace is where a promise was made.
type trace struct {
	depth int
	pcs   [32]uintptr
}

func newTrace() *trace {
	t := &trace{}
	t.depth = runtime.Callers(4, t.pcs[:])
	return t
}

// place is the first frame that is not of this package.
func (t *trace) place() string {
	frames := runtime.CallersFrames(t.pcs[:t.depth])
	for {
		f, more := frames.Next()
		if !more || !strings.HasPrefix(f.Function, "github.com/eventloop-go/eventloop/promise.") {
			return fmt.Sprintf("%s:%d", f.File, f.Line)
		}
	}
}

// String formats the stack as panics do.
func (t *trace) String() string {
	var b strings.Builder
	frames := runtime.CallersFrames(t.pcs[:t.depth])
	for {
		f, more := frames.Next()
		fmt.Fprintf(&b, "%s\n\t%s:%d\n", f.Function, f.File, f.Line)
		if !more {
			return b.String()
		}
	}
}
