package eventloop

import (
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/meter"
	"github.com/eventloop-go/eventloop/internal/queue"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// The states of a loop. The ingress lock guards the field.
const (
	stateZero       uint8 = iota // not made by New
	stateNew                     // accepts work; nobody runs it yet
	stateRunning                 // accepts work; the owner is in Run, or asleep in it
	stateStopping                // graceful end: new tasks are refused, the owner drains what was accepted
	stateClosing                 // immediate end: everything is refused, the owner drops what is left
	stateTerminated              // ended
)

// The ingress is the one door through which other goroutines, and callbacks, hand work to the loop.
//
// Protocol. Every field is guarded by the lock. A producer locks, sees in the state that the loop still accepts the
// work, appends it, and unlocks: the owner cannot decide to end between the check and the append, because it decides
// under the same lock, with everything empty. That is the whole of "accepted means executed".
//
// A short lock around an append is faster than the lock-free queues we measured, because the owner takes all that
// has gathered in one swap: a producer and the owner meet on the lock's cache line once per batch, not once per task.
type ingress struct {
	mu        spinMutex
	state     uint8
	owned     bool    // Run has been called
	sleeping  bool    // the owner is parked, or about to be; whoever clears it must send on wake
	taken     int     // about how many external tasks the owner had when it last took work over
	pending   pending // what has come in since the owner last took it over
	cause     error   // what Run returns
	closedFor error   // why the loop was closed, if it was not by Close
	stopAt    int64   // when the graceful shutdown began, on the loop's clock

	external   queue.Inbox
	internal   queue.Inbox
	immediates queue.Inbox
	closing    queue.Inbox
	ticks      []inside.Job
	micros     []inside.Job

	observed *observation // see changeObservers

	drainEnd *sched.Timer // closes a loop that has not drained in time; see WithDrainTimeout

	armed int64        // when the alarm will ring, on the loop's clock; never if it is not set
	alarm *sched.Timer // wakes the loop for its timers
}

// pending tells what the ingress has for the owner, so that taking one thing over looks at nothing else.
type pending uint8

const (
	pendingExternal   pending = 1 << meter.External
	pendingInternal   pending = 1 << meter.Internal
	pendingImmediates pending = 1 << meter.Immediates
	pendingClosing    pending = 1 << meter.Closing
	pendingTimers     pending = 1 << meter.Timers
	pendingIO         pending = 1 << meter.IO // a descriptor may be ready
	pendingJobs       pending = 1 << 6        // nextTick callbacks or microtasks
	pendingNotice     pending = 1 << 7        // no work, but a reason to look again before sleeping: the state has changed, or what keeps the loop open
)

// refusal says why the loop, in this state, does not accept work. The lock is held.
func (in *ingress) refusal() error {
	if in.state == stateZero {
		return ErrZeroLoop
	}
	return ErrLoopTerminated
}

// accepting reports whether the loop takes new tasks. The lock is held.
func (in *ingress) accepting() bool { return in.state == stateNew || in.state == stateRunning }

// draining reports whether the loop takes what belongs to work it has already accepted. The lock is held.
func (in *ingress) draining() bool { return in.state >= stateNew && in.state <= stateStopping }

// rouse notes what has come in, and reports whether the owner was asleep: then the caller must send on wake after it
// has unlocked. The lock is held.
func (in *ingress) rouse(p pending) (asleep bool) {
	in.pending |= p
	asleep = in.sleeping
	in.sleeping = false
	return asleep
}

// spinMutex is a mutex that waits a while, without touching it, before it lets the scheduler park the goroutine.
//
// An append under the lock takes some ten nanoseconds, but to take the lock over from another processor costs a hundred.
// Whoever finds it taken looks again soon, in case the two met by chance. Then it stays away for microseconds, in which
// the other can go through a hundred times at the low price. The number of tries is bounded, because the holder may have
// been descheduled.
type spinMutex struct{ mu sched.Mutex }

const (
	spinTries   = 6
	spinFirst   = 100 // iterations of an empty loop: some 30 ns
	spinGrowth  = 16
	spinLongest = 16000 // some 5 µs
)

func (m *spinMutex) tryLock() bool { return m.mu.TryLock() }

func (m *spinMutex) lock() {
	if !m.mu.TryLock() {
		m.lockSlow()
	}
}

func (m *spinMutex) lockSlow() {
	wait := spinFirst
	for range spinTries {
		sched.Pause(wait)
		if m.mu.TryLock() {
			return
		}
		wait = min(wait*spinGrowth, spinLongest)
	}
	m.mu.Lock()
}

func (m *spinMutex) unlock() { m.mu.Unlock() }
