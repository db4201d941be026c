package eventloop

import (
	"math/bits"

	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/meter"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// take moves everything from the ingress to the owner's side.
func (l *Loop) take() {
	l.in.mu.lock()
	l.takeLocked()
	l.in.mu.unlock()
	l.settleTimers()
}

// takeLocked is take for a caller that holds the lock and calls settleTimers after it.
func (l *Loop) takeLocked() {
	in := &l.in
	p := in.pending
	in.pending = 0
	for queued := p & pendingLanes; queued != 0; queued &= queued - 1 {
		n := bits.TrailingZeros8(uint8(queued))
		l.backlogs[n].Take(&in.inboxes[n])
	}
	if p&^pendingLanes != 0 {
		if p&pendingIO != 0 {
			l.ioReady = true
		}
		if p&pendingJobs != 0 {
			l.takeJobs()
		}
		if p&pendingNotice != 0 {
			l.observed = in.observed
		}
	}
	in.taken = l.backlogs[meter.External].Size()
	if p&pendingTimers != 0 || l.timers.WantsTake() {
		l.takeTimers()
	}
	if l.meter != nil {
		l.meter.Take()
	}
}

// hasTasks reports whether anything but timers is ready to run.
func (l *Loop) hasTasks() bool {
	for n := range l.backlogs {
		if !l.backlogs[n].Empty() {
			return true
		}
	}
	return l.ticks.Len()|l.core.Micros.Len()|l.core.Afterward.Len() != 0
}

// A verdict says how the loop goes on.
type verdict uint8

const (
	runnable verdict = iota // there is something to run
	idle                    // there is nothing to run
	ended                   // the loop has ended
	handed                  // the task that has woken the loop is there, and may run at once
)

// check takes new work and decides how the loop goes on. If it is idle and may park, it is marked as sleeping: the caller
// parks, or returns to the driver.
//
// Protocol. The owner sets sleeping under the ingress lock, after it has seen the ingress empty in the same critical
// section. A goroutine that adds work, or has another reason to wake the loop, finds sleeping set under that lock and
// clears it. It then calls unpark, once, after it has unlocked. So no wake-up is lost, and a loop that runs in Run gets
// exactly one token for each sleep.
//
// The task that wakes a loop in Run is handed over: it goes into in.handed instead of a queue. Only the goroutine that has
// cleared sleeping writes that field, before it sends the token; the owner reads it after it has received the token. Until
// then the loop cannot end. Tasks that are accepted later are queued, so they run later.
func (l *Loop) check(mayPark bool) verdict {
	in := &l.in
	for {
		in.mu.lock()
		l.takeLocked()
		if l.clock != nil {
			l.limitDrainByClock()
		}
		if l.hasTasks() && in.state != stateClosing {
			in.mu.unlock()
			l.settleTimers()
			return runnable
		}
		if l.ends() {
			in.state = stateTerminated
			in.mu.unlock()
			return ended
		}
		if l.ioReady { // it does not put off the end: readiness is not accepted work
			in.mu.unlock()
			l.settleTimers()
			return runnable
		}
		if due, by := l.mayBeDue(); due {
			// Slow work is done without the lock.
			in.mu.unlock()
			l.settleTimers()
			if l.timers.Due(by) {
				return runnable
			}
			continue
		}
		if !mayPark {
			in.mu.unlock()
			return idle
		}
		if l.clock != nil && l.clock.Idle(min(l.timers.Next(), in.drainAt)) {
			in.mu.unlock()
			continue
		}
		in.sleeping = true
		if l.meter != nil {
			l.meter.Sleep(l.now())
		}
		in.mu.unlock()
		l.slept, l.parked = true, true
		if l.observed != nil {
			l.observed.slept(inside.LoopSleeps)
		}
		l.owner.Store(0)
		return idle
	}
}

// poll takes new work, and parks until work arrives. A driven loop never parks here.
//
// A loop woken by a task runs that task without looking into the ingress, unless other work may go before it.
func (l *Loop) poll() verdict {
	l.slept = false
	if l.driven {
		return l.check(false)
	}
	for {
		if l.busy.limit > 0 {
			if v := l.check(false); v != idle {
				return v
			}
			l.busyPoll(l.timers.Next())
		}
		if v := l.check(true); v != idle {
			return v
		}
		if l.jobs != l.alone { // a task that has run alone, without jobs, leaves nothing to trim
			l.trim()
		}
		l.alone = noTask
		sched.Receive(l.token)
		task := l.takeHanded() // before the observers, which may call Goexit
		l.awake()
		if task {
			if l.core.Attention.Load() == 0 && l.timers.Empty() && l.observed == nil && l.meter == nil {
				l.alone = l.jobs
				return handed
			}
		}
	}
}

// takeHanded takes the task over that has woken the loop, if it was one. The token has been received.
func (l *Loop) takeHanded() bool {
	task := l.in.handed
	if task == nil {
		return false
	}
	l.in.handed = nil
	l.backlogs[meter.External].Put(task)
	return true
}

// stayAwake takes back that the loop sleeps, and takes over the wake-up of a goroutine that was faster.
func (l *Loop) stayAwake() {
	l.in.mu.lock()
	woken := !l.in.sleeping
	l.in.sleeping = false
	l.in.mu.unlock()
	if woken {
		sched.Receive(l.token)
		l.takeHanded()
	}
	l.awake()
}

// awake ends a sleep, and notes the end for the meter and the observers.
func (l *Loop) awake() {
	l.parked = false
	l.owner.Store(uint64(l.mark))
	if l.meter != nil {
		l.in.mu.lock()
		l.meter.Wake(l.now())
		l.in.mu.unlock()
	}
	if l.observed != nil {
		l.observed.slept(inside.LoopWakes)
	}
}

// unpark wakes the owner. A goroutine that has cleared sleeping calls it once, after it has released the lock.
func (l *Loop) unpark() {
	sched.TrySend(l.token)
	if l.ready != nil {
		sched.TrySend(l.ready)
		if l.simulation != nil {
			l.simulation.Woken()
		}
	}
}

// ends reports whether the loop has reached its end. The caller holds the lock, and either the loop has no tasks or
// Close was called.
func (l *Loop) ends() bool {
	switch l.in.state {
	case stateStopping:
		// Timers that were due are work accepted before the shutdown. Those that fall due later are not, or a
		// repeating one could hold it up for ever.
		return l.holds == 0 && l.timers.Settled() && l.timers.Next() > l.in.stopAt
	case stateClosing:
		return true
	default:
		return l.autoExit && !l.driven && l.live.Load() == 0
	}
}

const noTask = 1<<64 - 1

// trim gives back the memory that a burst has left in the owner's queues.
func (l *Loop) trim() {
	l.ticks.Trim()
	l.core.Micros.Trim()
	l.core.Afterward.Trim()
	l.timers.Trim()
	if l.meter != nil {
		l.meter.Trim()
	}
}

// wake makes a sleeping loop check its queues again, and whether it has reached its end.
func (l *Loop) wake() {
	l.in.mu.lock()
	asleep := l.in.arrive(pendingNotice)
	l.in.mu.unlock()
	if asleep {
		l.unpark()
	}
}
