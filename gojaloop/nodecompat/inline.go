package nodecompat

import (
	"runtime/debug"
	"sync"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/internal/onstack"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// tryInline runs the work that needs no loop: main, and the waiting functions. It reports whether the run is over;
// otherwise the loop must run.
func (l *EventLoop) tryInline() (f *failure, over bool) {
	l.owner.Store(uint64(l.mark))
	returned := false
	defer func() {
		if !returned { // a callback has ended the goroutine, and the old mark stays on its stack until that has ended
			l.mark = onstack.New()
			l.die(&eventloop.PanicError{Value: eventloop.ErrGoexit, Stack: debug.Stack()})
		}
	}()
	c := inlineCalls.Get().(*inlineCall)
	c.l = l
	l.mark.Call(c.run)
	returned = true
	f, over = c.f, c.over
	c.l, c.f = nil, nil
	inlineCalls.Put(c)
	return f, over
}

// An inlineCall is a call of inline. It is not part of the EventLoop, whose next run may have begun when this one has returned.
type inlineCall struct {
	l    *EventLoop
	f    *failure
	over bool
	run  func()
}

var inlineCalls = sync.Pool{New: func() any {
	c := new(inlineCall)
	c.run = func() { c.f, c.over = c.l.inline() }
	return c
}}

// onOwner reports whether the caller is on the goroutine of the run in progress, which had this loop when the caller asked,
// or none. Only the owner gives a run its loop, so the answer to the owner is not out of date.
func (l *EventLoop) onOwner(loop *eventloop.Loop) bool {
	if loop != nil {
		return adapter.Of(loop).OnLoop()
	}
	mark := onstack.Mark(l.owner.Load())
	return mark != 0 && mark.Here()
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
			// The goroutine that waited for the last function may queue the next at once. One yield for it costs less
			// than a wake-up.
			l.mu.Unlock()
			sched.YieldIfQuick()
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
