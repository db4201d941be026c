package promise

import (
	"context"

	"github.com/eventloop-go/eventloop"
)

// Go is [Spawn] for a body without a result. The promise returned reports the end of the coroutine and its error. An
// error that is never handled is reported as unhandled. Any goroutine may call Go.
func Go(ctx context.Context, loop *eventloop.Loop, body func(*Coroutine) error) *Promise[struct{}] {
	return Spawn(ctx, loop, func(c *Coroutine) (struct{}, error) { return struct{}{}, body(c) })
}
