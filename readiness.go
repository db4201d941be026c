package eventloop

import "github.com/eventloop-go/eventloop/internal/sched"

// ioOwner is the loop as the poller sees it.
type ioOwner Loop

// Ready has the loop look for descriptors that are ready.
func (o *ioOwner) Ready() {
	l := (*Loop)(o)
	l.in.mu.lock()
	asleep := l.in.rouse(pendingIO)
	l.in.mu.unlock()
	if asleep {
		sched.Send(l.wake)
	}
}

// dispatchIO runs the callbacks of descriptors that are ready. As long as there are any, the loop asks for more in every
// turn, and does not sleep.
func (l *Loop) dispatchIO() {
	l.pass()
	l.ioReady = l.poller.Wait()
	if l.ioReady {
		l.guard(phaseIO)
		l.take()
	}
}

// runIO runs the callbacks of the descriptors that the last look has found ready.
func (l *Loop) runIO() {
	m := l.meter
	for {
		callback, events, released := l.poller.Next()
		if events == 0 {
			return
		}
		if released {
			l.release()
		}
		callback(IOEvents(events))
		open := !l.jobsWaiting() || l.checkpoint()
		if m != nil && m.Ran() {
			m.RanAt(l.now())
		}
		if !open {
			return
		}
	}
}
