package eventloop

import "github.com/eventloop-go/eventloop/internal/inside"

// callback is adapter.Hooks.Callback.
func (l *Loop) callback(fn func()) bool {
	if l.observed.callbacks() {
		l.observed.callbackBegan(fn)
		defer l.observed.callbackEnded()
	}
	l.isolate(fn)
	for l.jobsWaiting() || l.inMicros { // the latter after a microtask that panicked: ticks come first again
		if finished, open := l.isolatedCheckpoint(); finished {
			return open
		}
	}
	return true
}

// isolate calls fn and reports its panic, if it has one. Goexit passes through: see runLoop.
func (l *Loop) isolate(fn func()) {
	defer l.catch()
	fn()
}

// isolatedCheckpoint is a checkpoint that reports a panic; finished is false after one, and the rest is still to do.
func (l *Loop) isolatedCheckpoint() (finished, open bool) {
	defer l.catch()
	open = l.checkpoint()
	return true, open
}

// accepting reports whether the loop takes new tasks and timers. Elsewhere than on the loop it may soon be out of date.
func (l *Loop) accepting() bool {
	if l.done == nil || l.core.Attention.Load()&(inside.AttendStop|inside.AttendClose) != 0 {
		return false
	}
	select {
	case <-l.done:
		return false
	default:
		return true
	}
}
