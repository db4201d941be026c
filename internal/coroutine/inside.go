package coroutine

import (
	"bytes"
	"runtime"
)

// Who asks whether it is a coroutine of a group needs an identity of its goroutine, and the group must know it. To read
// the goroutine's number takes some microseconds, several times what starting a coroutine takes, and most are never
// asked. So a coroutine says which group it belongs to by its stack, where it costs next to nothing: the function calls
// between main and base spell the bits of the group's number, the lowest first. The stack is read when somebody asks.

func (w *worker) descend(n uint64) {
	switch {
	case n == 1:
		w.base()
	case n&1 == 0:
		w.zero(n >> 1)
	default:
		w.one(n >> 1)
	}
}

//go:noinline
func (w *worker) base() { w.work() }

//go:noinline
func (w *worker) zero(n uint64) { w.descend(n) }

//go:noinline
func (w *worker) one(n uint64) { w.descend(n) }

const method = "github.com/eventloop-go/eventloop/internal/coroutine.(*worker)."

// Inside reports whether the caller is a coroutine of g. As only one of these runs, that is the one the owner waits for.
// It may be called from any goroutine. If the group has had a coroutine, it reads the caller's stack.
func (g *Group) Inside() bool {
	number := g.number.Load()
	return number != 0 && number == innermost()
}

// innermost returns the number of the group that the caller is a coroutine of, or 0.
func innermost() uint64 {
	pcs := make([]uintptr, 128)
	n := runtime.Callers(1, pcs)
	for n == len(pcs) {
		pcs = make([]uintptr, 4*len(pcs))
		n = runtime.Callers(1, pcs)
	}
	// What is looked for is at the very bottom: at most two calls for each of 63 bits, and some of iter.Pull.
	frames := runtime.CallersFrames(pcs[max(0, n-160):n])
	var number uint64
	for {
		f, more := frames.Next()
		switch f.Function {
		case method + "base":
			number = 1
		case method + "zero":
			number <<= 1
		case method + "one":
			number = number<<1 | 1
		}
		if !more {
			return number
		}
	}
}

// lockedToThread reports whether the caller has called runtime.LockOSThread. Only the first line of its stack tells.
func lockedToThread() bool {
	var buf [80]byte
	line, _, _ := bytes.Cut(buf[:runtime.Stack(buf[:], false)], []byte("\n"))
	return bytes.Contains(line, []byte("locked to thread"))
}
