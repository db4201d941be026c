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

// Error returns the text of the reason.
func (r *Rejection) Error() string { return "promise: unhandled rejection: " + r.Err.Error() }

// Unwrap returns Err.
func (r *Rejection) Unwrap() error { return r.Err }

// Stack returns the stack of the promise's creation, if [TraceCreation] was on then; otherwise it is empty.
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

type unhandledKey struct{}

// WithUnhandledRejection sets the function that a loop calls for each promise that was rejected and has nothing
// attached to it at the end of the microtask checkpoint: HTML's and Node's rule. It is called once for each promise,
// on the loop's goroutine. When the loop has ended, nothing is reported any more.
//
// The default, also for nil, logs an error through [log/slog], and the loop goes on. If something is attached to such a
// promise later, that is logged as a warning. With [EndRun] as the function, the loop ends.
//
// A promise that is settled from another goroutine may be found before that goroutine attaches to it: attach first,
// then settle.
func WithUnhandledRejection(handle func(*Rejection)) eventloop.Option {
	return adapter.WithValue(unhandledKey{}, handle)
}

// EndRun is a function for [WithUnhandledRejection], or to be called by one. It begins a graceful shutdown of the
// loop, and [eventloop.Loop.Run] returns r, so that [errors.Is] and [errors.As] find the unhandled error. If the loop
// ends for several reasons, Run returns the first. EndRun must be called on the loop.
func EndRun(r *Rejection) { r.loop.Loop.Fail(r) }

// handler returns the loop's function for unhandled rejections, or nil. It is called only for an unhandled rejection.
func handler(loop *core) func(*Rejection) {
	handle, _ := loop.Loop.Value(unhandledKey{}).(func(*Rejection))
	return handle
}

// log writes the event and the error, with the place where the promise was made, if it is known, and the stack of a
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

// TraceCreation switches on or off, for all loops, that promises remember the stack of their creation until the first
// reaction. A report of an unhandled rejection then shows it. It is off by default, and meant for debugging: promises
// then cost some microseconds and a few hundred bytes more.
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
