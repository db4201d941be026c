package eventloop

import (
	"context"

	"github.com/eventloop-go/eventloop/internal/sched"
)

// A lifetime is the context of a loop, made when it is first asked for.
type lifetime struct {
	mu     sched.Mutex
	ctx    context.Context
	cancel context.CancelCauseFunc
	over   bool
}

// Context is adapter.Hooks.Context.
func (v view) Context() context.Context { return v.context() }

func (l *Loop) context() context.Context {
	e := &l.ending
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ctx == nil {
		e.ctx, e.cancel = context.WithCancelCause(context.Background())
		if e.over {
			e.cancel(ErrLoopTerminated)
		}
	}
	return e.ctx
}

// end cancels the context, now or when it is made.
func (e *lifetime) end() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.over = true
	if e.cancel != nil {
		e.cancel(ErrLoopTerminated)
	}
}
