package nodecompat

import (
	"runtime"
	"runtime/debug"

	"github.com/eventloop-go/eventloop"
)

// tryInline runs what needs no loop: main, and the functions that wait. It reports whether the run is over; otherwise the
// loop is to run.
func (l *EventLoop) tryInline() (f *failure, over bool) {
	slot := claim(l)
	if slot < 0 { // all are taken: the loop knows its goroutine in another way, which takes longer
		l.mu.Lock()
		l.run.loop, l.run.summoned = l.loop, true
		l.mu.Unlock()
		_ = l.loop.SubmitInternal(l.open)
		return nil, false
	}
	returned := false
	defer func() {
		slots[slot].Store(nil)
		if !returned { // a callback has ended the goroutine
			l.die(&eventloop.PanicError{Value: eventloop.ErrGoexit, Stack: debug.Stack()})
		}
	}()
	f, over = frames[slot](l)
	returned = true
	return f, over
}

// open is the first task of a run that has a loop from the beginning: nothing that was pending may come before main.
func (l *EventLoop) open() {
	l.runMain()
	l.serve()
}

func (l *EventLoop) runMain() {
	if main := l.run.main; main != nil {
		l.run.main = nil
		l.call(main)
	}
}

// inline is the run as far as it gets without a loop. It reports whether it has got to the end.
func (l *EventLoop) inline() (f *failure, over bool) {
	l.runMain()
	yielded := false
	for first := true; ; first = false {
		waits := l.waits()
		l.mu.Lock()
		r := &l.run
		queued := len(l.queue) > 0 || l.next < len(l.batch)
		switch {
		case r.stop || r.failed() || queued && (first || !waits):
			l.mu.Unlock()
			yielded = false
			if l.runBatch() {
				l.mu.Lock()
				defer l.mu.Unlock()
				return l.finish(), true
			}
		case waits:
			r.loop = l.loop
			var s summons
			if queued { // functions that queue others do not hold timers and immediates up
				s = l.summon()
			}
			l.mu.Unlock()
			l.send(s)
			return nil, false
		case r.stay && !yielded:
			// Whoever has waited for the last function may queue the next at once: to let it costs less than to be woken.
			l.mu.Unlock()
			runtime.Gosched()
			yielded = true
		case r.stay:
			r.sleeping = true
			l.mu.Unlock()
			<-l.wake
			yielded = false
		default:
			f = l.finish()
			l.mu.Unlock()
			return f, true
		}
	}
}

// waits reports whether timers or immediates are pending for which the loop has to run: those that keep nothing alive only
// if the run stays anyway.
func (l *EventLoop) waits() bool {
	switch env := l.rt.Env(); {
	case l.pending.Load() > 0:
		return true
	case l.run.stay:
		return env.Hooks().Pending()
	default:
		return env.Active() > 0
	}
}
