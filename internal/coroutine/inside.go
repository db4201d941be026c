package coroutine

import (
	"bytes"
	"runtime"

	"github.com/eventloop-go/eventloop/internal/onstack"
)

// Inside reports whether the caller is a coroutine of g. As only one of these runs, that is the one the owner waits for.
// It may be called from any goroutine. If the group has had a coroutine, it walks the caller's stack.
func (g *Group) Inside() bool {
	mark := onstack.Mark(g.mark.Load())
	return mark != 0 && mark.Here()
}

// lockedToThread reports whether the caller has called runtime.LockOSThread. Only the first line of its stack tells.
func lockedToThread() bool {
	var buf [80]byte
	line, _, _ := bytes.Cut(buf[:runtime.Stack(buf[:], false)], []byte("\n"))
	return bytes.Contains(line, []byte("locked to thread"))
}
