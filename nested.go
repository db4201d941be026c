package eventloop

// Callback runs fn as the loop runs a callback, though inside the one in progress: a panic is reported and goes no
// further, and then the nextTick queue and the microtasks drain. It is for code that serves several callbacks from
// one, as JavaScript's timers do, which share one timer of the loop. It reports false if the loop was closed: the
// caller then runs no more callbacks.
//
// It must not be called from a microtask, whose queue it would drain out of order.
func (o Owner) Callback(fn func()) bool {
	l := o.l
	l.isolate(fn)
	for l.jobsWaiting() || l.inMicros { // the latter after a microtask that panicked: ticks come first again
		if finished, open := l.isolatedCheckpoint(); finished {
			return open
		}
	}
	return true
}

// Isolate calls fn, and reports its panic, if it has one, to the handler of panics: the part of [Owner.Callback] that
// does not drain any queue. It is for callbacks that are called synchronously by another, such as event listeners,
// which must not fail one another. Goexit passes through. Unlike other methods of Owner, any goroutine may call it.
func (o Owner) Isolate(fn func()) { o.l.isolate(fn) }

// isolate calls fn and reports its panic, if it has one. Goexit passes through: see own.
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

// Accepting reports whether the loop takes new tasks and timers: no shutdown has begun, and it has not ended. Unless
// asked on the loop, the answer may be out of date when it arrives.
func (l *Loop) Accepting() bool { return l.accepting() }

func (l *Loop) accepting() bool {
	if l.done == nil || l.attention.Load()&(attendStop|attendClose) != 0 {
		return false
	}
	select {
	case <-l.done:
		return false
	default:
		return true
	}
}
