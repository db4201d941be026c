package coroutine

import "github.com/eventloop-go/eventloop/internal/onstack"

// Inside reports whether the caller is a coroutine of g. As only one of these runs, that is the one the owner waits for.
// It may be called from any goroutine. If the group has had a coroutine, it walks the caller's stack.
func (g *Group) Inside() bool {
	mark := g.Mark()
	return mark != 0 && mark.Here()
}

// Mark returns the mark on the stacks of the coroutines, or 0 before there are any.
func (g *Group) Mark() onstack.Mark { return onstack.Mark(g.mark.Load()) }
