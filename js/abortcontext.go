package js

import (
	"context"

	"github.com/eventloop-go/eventloop/internal/sched"
)

// Context returns a context that ends when the signal aborts, with the signal's reason as its cause, or when parent
// ends, or when cancel is called. It is for handing the signal on to Go code.
//
// Call cancel when the work is done: until it, or until one of the ends, the signal refers to the context. No goroutine
// waits for any of this. Any goroutine may call it, and the context ends at once, also when the loop is busy, or has
// ended.
func (s *AbortSignal) Context(parent context.Context) (ctx context.Context, cancel context.CancelFunc) {
	ctx, end := context.WithCancelCause(parent)
	forget, ok := s.follow(func() { end(s.Reason()) })
	if !ok {
		end(s.Reason())
		return ctx, func() {}
	}
	disown := func() bool { return true }
	if parent.Done() != nil {
		disown = sched.AfterContext(ctx, forget) // parent may end first
	}
	return ctx, func() {
		disown()
		forget()
		end(context.Canceled)
	}
}

// AbortSignalFromContext makes a signal that aborts when ctx ends, with the cause of that as its reason. If ctx has
// ended, it is born aborted.
//
// Call stop when the signal is not needed any more: until then, or until its end, ctx refers to the signal. As
// [context.AfterFunc] has it, stop reports whether the signal can now not be aborted by ctx any more, and no goroutine
// waits. Any goroutine may call both; listeners are called on the loop.
func (e *Env) AbortSignalFromContext(ctx context.Context) (signal *AbortSignal, stop func() bool) {
	if ctx.Err() != nil {
		return e.AbortSignalAbort(context.Cause(ctx)), func() bool { return false }
	}
	s := e.newSignal()
	return s, sched.AfterContext(ctx, func() {
		_ = s.abort(context.Cause(ctx)) // the loop's end has no caller to report to
	})
}
