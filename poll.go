package eventloop

import (
	"github.com/eventloop-go/eventloop/internal/queue"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// take moves everything from the ingress to the owner's side.
func (l *Loop) take() {
	l.in.mu.lock()
	l.takeLocked()
	l.in.mu.unlock()
	l.adoptTimers()
}

// takeLocked is take for a caller that holds the lock and calls adoptTimers after it.
func (l *Loop) takeLocked() {
	in := &l.in
	l.takeJobs()
	// A lane has something if its tail has.
	if in.internal.Newest() > 0 {
		l.internal.Take(&in.internal)
	}
	if in.immediates.Newest() > 0 {
		l.immediates.Take(&in.immediates)
	}
	if l.batch = in.external.Newest(); l.batch > 0 {
		l.external.Take(&in.external)
	}
	if len(in.timers)+len(l.rearmed) > 0 || l.freed != nil {
		l.takeTimers()
	}
	if l.meter != nil {
		l.meter.takeStamps()
	}
}

// hasTasks reports whether anything but timers is ready to run.
func (l *Loop) hasTasks() bool {
	return l.ticks.Len()|l.micros.Len()|l.afterward.Len() != 0 || !l.internal.Empty() || !l.external.Empty() || !l.immediates.Empty()
}

// poll takes new work, parks while there is none, and reports false when the loop is to end.
//
// Protocol. The owner sets sleeping under the ingress lock after it has seen the ingress empty in the same critical
// section. Whoever adds work afterwards, or has another reason to wake the loop, finds sleeping set under that lock,
// clears it, and then owes exactly one send on wake; nobody else sends. So a wake-up is never lost, the channel of
// capacity 1 never blocks a sender, and no token is ever left over.
func (l *Loop) poll() bool {
	l.letProducersRun()
	l.slept = false
	in := &l.in
	for woken := false; ; {
		in.mu.lock()
		if woken {
			if l.meter != nil {
				l.meter.wake(l.now())
			}
			l.gather()
			woken = false
		}
		l.takeLocked()
		if l.hasTasks() && in.state != stateClosing {
			in.mu.unlock()
			l.adoptTimers()
			return true
		}
		if len(l.arrived) > 0 && in.state != stateClosing {
			mayEnd := l.autoExit || in.state != stateRunning
			in.mu.unlock()
			l.adoptTimers()
			if !mayEnd && l.timersDue() {
				return true
			}
			continue
		}
		if l.ends() {
			in.state = stateTerminated
			in.mu.unlock()
			return false
		}
		if when := l.nextDeadline(); when != never {
			now := l.now()
			if when <= now {
				in.mu.unlock()
				return true
			}
			l.arm(when, now)
		}
		in.sleeping = true
		if l.meter != nil {
			l.meter.sleep(l.now())
		}
		in.mu.unlock()
		l.trim()
		sched.Receive(l.wake)
		woken, l.slept = true, true
	}
}

// ends reports whether the loop has reached its end. There are no tasks and the heap has all timers, or Close was
// called. The lock is held.
func (l *Loop) ends() bool {
	switch l.in.state {
	case stateStopping:
		// Timers that were due are work accepted before the shutdown. Those that fall due later are not, or a
		// repeating one could hold it up for ever.
		return l.holds == 0 && l.nextDeadline() > l.in.stopAt
	case stateClosing:
		return true
	default:
		return l.autoExit && l.live.Load() == 0
	}
}

// trim gives back the memory that a burst has left in the owner's queues.
func (l *Loop) trim() {
	l.ticks.Trim()
	l.micros.Trim()
	l.afterward.Trim()
	l.trimTimers()
	if l.meter != nil {
		l.meter.trim()
	}
}

// nudge wakes the loop, if it sleeps, to look again at whether it has something to do or an end to come to.
func (l *Loop) nudge() {
	l.in.mu.lock()
	asleep := l.in.rouse()
	l.in.mu.unlock()
	if asleep {
		sched.Send(l.wake)
	}
}

const (
	pauseBatch = 64
	pauseSpin  = 600 // iterations of an empty loop

	gatherTurns  = 40
	gatherSpin   = 4000 // about a microsecond
	gatherGrowth = 8
)

// letProducersRun gives way to producers, in one of two ways, before the loop looks for more work.
//
// After a batch of one, nothing else being there, somebody is probably waiting for that task's outcome and will then
// submit the next. Yielding the processor to them is cheaper than being parked and woken: the round trip has one
// park less. It is done once, not in a loop.
//
// After a small batch of more than one, work is streaming in. A loop that grabs tiny batches fights its producers for
// the cache lines of the lock and the queue, so it waits a few hundred nanoseconds without touching them, and finds a
// larger batch, at less cost for both sides.
func (l *Loop) letProducersRun() {
	switch {
	case l.batch == 1:
		if !l.hasTasks() {
			sched.Yield()
		}
	case l.batch > 1 && l.batch < pauseBatch && l.parallel:
		sched.Pause(pauseSpin)
	}
}

// gather lets a burst come in before the loop, just woken by its first tasks, begins to run them: running them beside
// the goroutine that submits the rest makes both slower, for they meet on every line that a task shares with it. It
// waits only as long as tasks come in at several a microsecond, until they fill a batch, and some 50 µs at most. The
// lock is held.
func (l *Loop) gather() {
	in := &l.in
	n := in.external.Newest()
	if !l.parallel || n < 2 || in.external.Full() > 0 || in.state != stateRunning || in.internal.Len() > 0 {
		return
	}
	for range gatherTurns {
		in.mu.unlock()
		sched.Pause(gatherSpin)
		in.mu.lock()
		grown := in.external.Newest() - n
		if n += grown; grown < gatherGrowth || n >= queue.BatchSize-gatherGrowth {
			return
		}
	}
}
