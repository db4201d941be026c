package nodecompat

import (
	"reflect"
	"runtime"
	"sync/atomic"

	"github.com/eventloop-go/eventloop"
)

// A run without a loop has to know its goroutine, for Stop in a callback must not wait for itself. Goroutines have no
// names; to get at a number takes microseconds. So the run is called by one of a few functions, of which each serves one run
// at a time: whoever asks has that function on its stack if it is the owner, and otherwise not. That takes the asker as
// long as the number would, and the run nothing.
//
// Protocol. A goroutine that claims a slot keeps it until it has left the slot's function. Who finds an EventLoop in a slot
// and the function on its own stack has claimed that slot itself, so the EventLoop is the one that it runs. The owner
// finds both, for they do not change while it is inside.
var (
	slots  [8]atomic.Pointer[EventLoop]
	frames [len(slots)]func(*EventLoop) (*failure, bool)
	entry  [len(slots)]uintptr // of each function
)

func init() { // the functions lead to onOwner, which looks them up
	frames = [...]func(*EventLoop) (*failure, bool){frame0, frame1, frame2, frame3, frame4, frame5, frame6, frame7}
	for i, f := range frames {
		entry[i] = reflect.ValueOf(f).Pointer()
	}
}

//go:noinline
func frame0(l *EventLoop) (*failure, bool) { return l.inline() }

//go:noinline
func frame1(l *EventLoop) (*failure, bool) { return l.inline() }

//go:noinline
func frame2(l *EventLoop) (*failure, bool) { return l.inline() }

//go:noinline
func frame3(l *EventLoop) (*failure, bool) { return l.inline() }

//go:noinline
func frame4(l *EventLoop) (*failure, bool) { return l.inline() }

//go:noinline
func frame5(l *EventLoop) (*failure, bool) { return l.inline() }

//go:noinline
func frame6(l *EventLoop) (*failure, bool) { return l.inline() }

//go:noinline
func frame7(l *EventLoop) (*failure, bool) { return l.inline() }

// claim takes a slot for a run, or returns -1.
func claim(l *EventLoop) int {
	for i := range slots {
		if slots[i].Load() == nil && slots[i].CompareAndSwap(nil, l) {
			return i
		}
	}
	return -1
}

// onOwner reports whether the caller is on the goroutine of the run in progress, which had this loop when the caller asked,
// or none. Only the owner gives a run its loop, so the answer to the owner is not out of date.
func (l *EventLoop) onOwner(loop *eventloop.Loop) bool {
	if loop != nil {
		return loop.OnLoop()
	}
	for i := range slots {
		if slots[i].Load() == l {
			return calledBy(entry[i])
		}
	}
	return false
}

// calledBy reports whether a function is on the caller's stack.
func calledBy(function uintptr) bool {
	pcs := make([]uintptr, 256)
	n := runtime.Callers(2, pcs)
	for n == len(pcs) {
		pcs = make([]uintptr, 4*len(pcs))
		n = runtime.Callers(2, pcs)
	}
	frames := runtime.CallersFrames(pcs[:n])
	for {
		frame, more := frames.Next()
		if frame.Entry == function {
			return true
		}
		if !more {
			return false
		}
	}
}
