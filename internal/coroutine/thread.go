package coroutine

import (
	"bytes"
	"iter"
	"runtime"

	"github.com/eventloop-go/eventloop/internal/sched"
	"github.com/eventloop-go/eventloop/internal/stacktrace"
)

// Threads. Where a goroutine is locked to its thread, by runtime.LockOSThread or a call from C, a switch needs the lock that
// there was when the worker was made. Otherwise the runtime ends the process. A lock shows only in the text of a stack,
// which takes longer than several switches (BenchmarkLockedToThread). So nobody looks for one at each switch:
//
//   - The group looks when it makes its first worker, and, for a driven loop with coroutines that wait, at each call.
//   - If that goroutine is free, a lock must have been made since, by a callback or a coroutine. It is given up before each
//     switch: runtime.UnlockOSThread does nothing where there is none, which takes a nanosecond.
//   - If that goroutine is locked, locks are left alone. All coroutines run on its thread, as the lock demands, and
//     switches are as fast as elsewhere. Changing the lock there ends the process.

// A home is where the workers of a group were made.
type home struct {
	state  state
	known  bool   // the caller of Start is known to fit
	keeper uint64 // the number of the goroutine, if that is locked
}

type state uint8

const (
	none   state = iota // there is no worker
	free                // on a goroutine that is not locked to its thread
	locked              // on one that is
)

// Enter is for a caller that becomes the owner for a while. If that cannot switch to the coroutines, Enter returns why.
func (g *Group) Enter() (mistake string) {
	h := &g.home
	switch {
	case h.state == none:
	case h.state == free && g.first == nil:
		h.known = false // Start looks: most calls do not start a coroutine
	case h.fits():
	case h.state == free:
		return "a goroutine that is not locked to its thread has started the coroutines that wait: drive the loop from such a goroutine, or lock the goroutine that drives it before the first coroutine starts"
	default:
		return "a goroutine that is locked to its thread has started coroutines: drive the loop from that goroutine alone, locked as it was"
	}
	return ""
}

// settle makes the caller's thread the home of the group, which has no coroutine.
func (g *Group) settle() {
	h := &g.home
	if rested := g.rested; h.state == free && rested != nil && !h.fits() {
		g.rested, g.resting = nil, 0
		sched.Go(func() { dismiss(rested) })
	}
	*h = home{state: free, known: true}
	if lockedToThread() {
		h.state, h.keeper = locked, stacktrace.Number()
	}
}

// fits reports whether the caller can switch to the workers.
func (h *home) fits() bool {
	switch h.state {
	case free:
		return !lockedToThread()
	case locked:
		return lockedToThread() && stacktrace.Number() == h.keeper
	default:
		return true
	}
}

// unlock is called before each switch. It gives up to three locks up. More since the last switch are rare, and each takes a
// nanosecond (BenchmarkSwitch).
func (h *home) unlock() {
	if h.state == free {
		runtime.UnlockOSThread()
		runtime.UnlockOSThread()
		runtime.UnlockOSThread()
	}
}

// lockedToThread reports whether the caller is locked to its thread. The first line of a stack tells, but the runtime
// writes all of the stack. A coroutine that is made here has the caller's lock, and a short stack.
func lockedToThread() (yes bool) {
	look, _ := iter.Pull(func(func(struct{}) bool) {
		var buf [80]byte
		line, _, _ := bytes.Cut(buf[:runtime.Stack(buf[:], false)], []byte("\n"))
		yes = bytes.Contains(line, []byte("locked to thread"))
	})
	look()
	return yes
}
