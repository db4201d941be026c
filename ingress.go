package eventloop

import (
	"math"

	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/meter"
	"github.com/eventloop-go/eventloop/internal/queue"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// The states of a loop. The ingress lock guards the field.
const (
	stateZero       uint8 = iota // not made by New
	stateNew                     // accepts work; not running yet
	stateRunning                 // accepts work; the owner is in Run, or asleep in it
	stateStopping                // graceful end: new tasks are refused, the owner drains the accepted ones
	stateClosing                 // immediate end: everything is refused, the owner drops the rest
	stateTerminated              // ended
)

// The lanes are the queues of callbacks. A new lane is a row here, a phase that runs it, and a method that submits to it.
var lanes = [...]struct {
	last   uint8 // the last state of the loop in which it is open
	budget int   // how many callbacks run in a turn; the others wait for the next
}{
	meter.External:   {stateRunning, queue.BatchSize},
	meter.Internal:   {stateStopping, queue.BatchSize},
	meter.Immediates: {stateRunning, math.MaxInt}, // all that waited when the phase began, as in Node
	meter.Closing:    {stateStopping, queue.BatchSize},
}

// The ingress is where other goroutines, and callbacks, hand work to the loop.
//
// Protocol. Every field is guarded by the lock. A producer locks, reads in the state that the loop still accepts the
// work, appends it, and unlocks. The owner cannot decide to end between the check and the append, because it decides
// under the same lock, with everything empty. That is the whole argument for "accepted means executed".
//
// A short lock around an append is faster than the lock-free queues we measured, because the owner takes the whole
// queue in one swap. A producer and the owner meet on the lock's cache line once per batch, not once per task.
type ingress struct {
	mu        spinMutex
	state     uint8
	owned     bool    // Run has been called
	sleeping  bool    // the owner is parked, or about to be; a goroutine that clears it must call unpark
	handed    func()  // the task that wakes the owner: see check
	taken     int     // about how many external tasks the owner had when it last took work over
	pending   pending // kinds of arrivals since the owner last took work over
	cause     error   // the error of Run
	closedFor error   // why the loop was closed, if it was not by Close
	stopAt    int64   // when the graceful shutdown began, on the loop's clock

	inboxes [len(lanes)]queue.Inbox
	ticks   []inside.Job
	micros  []inside.Job

	observed *observation // see changeObservers

	drainEnd *sched.Timer // closes a loop that has not drained in time; see WithDrainTimeout
	drainAt  int64        // when it does, if the loop goes by the clock of a test; or never

	armed int64        // when the alarm fires, on the loop's clock; never if it is not set
	alarm *sched.Timer // wakes the loop for its timers
}

// pending says which kinds of work the ingress has for the owner, so that taking one kind skips the others.
type pending uint8

const (
	pendingLanes      pending = 1<<len(lanes) - 1 // a bit for each lane
	pendingImmediates pending = 1 << meter.Immediates
	pendingTimers     pending = 1 << meter.Timers
	pendingIO         pending = 1 << meter.IO // a descriptor may be ready
	pendingJobs       pending = 1 << 6        // nextTick callbacks or microtasks
	pendingNotice     pending = 1 << 7        // no work, but a reason to check again before sleeping: a change of the state, or of the references that keep the loop open
)

// refusal returns the reason why the loop, in this state, does not accept work. The caller holds the lock.
func (in *ingress) refusal() error {
	if in.state == stateZero {
		return inside.ErrZeroLoop
	}
	return ErrLoopTerminated
}

// accepting reports whether the loop takes new tasks. The lock is held.
func (in *ingress) accepting() bool { return in.state == stateNew || in.state == stateRunning }

// draining reports whether the loop takes consequences of work it has already accepted. The caller holds the lock.
func (in *ingress) draining() bool { return in.state >= stateNew && in.state <= stateStopping }

// arrive notes an arrival, and reports whether the owner was asleep: then the caller must call unpark after
// unlocking. The caller holds the lock.
func (in *ingress) arrive(p pending) (asleep bool) {
	in.pending |= p
	asleep = in.sleeping
	in.sleeping = false
	return asleep
}

// spinMutex is a mutex that waits a while, without touching it, before it lets the scheduler park the goroutine.
//
// An append under the lock takes some ten nanoseconds, but to take the lock over from another processor costs a
// hundred. A goroutine that finds the lock held retries briefly, in case the two met by chance. Then it stays away
// for microseconds, in which the holder can lock a hundred times at the low price. The number of tries is bounded,
// because the holder may have been descheduled.
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
