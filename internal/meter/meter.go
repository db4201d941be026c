// Package meter measures a loop: the callbacks that ran, their durations and delays, and the loop's sleep. It depends
// on no loop and no clock. Its methods report the events, and take the time in nanoseconds where they need it.
package meter

import (
	"math"

	"github.com/eventloop-go/eventloop/internal/histogram"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// A Lane is a way by which callbacks come to the loop.
type Lane uint8

// The lanes.
const (
	External Lane = iota
	Internal
	Immediates
	Closing
	Timers
	IO

	lanes  = 6
	queues = 4 // lanes that are queues: all but timers and I/O
)

const never = math.MaxInt64

// A Meter measures one loop.
//
// Protocol. The owner is the goroutine that runs the loop. It appends its measurements to a log with plain stores,
// and then publishes the log's length with an atomic one. A reader holds mu, loads the length, and reads the log up
// to it: those entries were written before the length was stored. The owner goes on writing behind them. It starts
// again at the front only after it has folded the whole log into the histograms, which takes mu, so it overwrites
// nothing that is being read.
//
// Fields fall into four groups: the owner's; atomics; those guarded by mu; those guarded by the loop's lock, which
// also guards its queues. Locks are taken in the order mu, loop's lock. The owner folds without holding either.
//
// A snapshot loads the length with the loop's lock held too. That is its one moment: nothing is accepted during it,
// and the callbacks that have run by then were accepted before.
//
// Counters stored atomically instead of a log would cost the owner several exchanges for each callback, and have no
// moment in common.
type Meter struct {
	// The owner's.
	log      [logSize]uint64
	length   int // entries written
	group    group
	arrivals [queues]arrivals
	jobs     uint64 // nextTick callbacks and microtasks, as of the last log entry that counts them

	_ [64]byte

	published sched.Uint64 // see publish

	_ [64]byte

	faults [faults]sched.Uint64 // any goroutine's

	mu       sched.Mutex // guards the fields that follow
	folded   int         // entries of the log that are in the fields below
	ran      [lanes]uint64
	jobsRan  uint64
	runTime  histogram.Histogram
	delay    histogram.Histogram
	lateness histogram.Histogram

	_ [64]byte

	// Guarded by the loop's lock.
	producers [queues]producers
	stamped   bool  // producers have stamps
	ended     bool  // and when that was is in stopped
	began     int64 // never if the loop has not
	stopped   int64
	asleep    int64 // since when the loop sleeps; never if it does not
	idle      int64 // how long it slept before
}

// New makes a meter for a loop that has not begun.
func New() *Meter {
	m := &Meter{began: never, asleep: never}
	m.group.ended, m.group.size = never, 1
	for lane := range m.arrivals {
		m.arrivals[lane].next = noStamp
	}
	return m
}

// Start notes that the loop begins to run. The loop's lock is held.
func (m *Meter) Start(now int64) { m.began = now }

// Stop notes that the loop has ended. The owner calls it, with the loop's lock held.
func (m *Meter) Stop(now int64) {
	m.pause(now)
	m.ended, m.stopped = true, now
}

// Sleep notes that the loop goes to sleep. The owner calls it, with the loop's lock held: a snapshot during the sleep
// knows when that began.
func (m *Meter) Sleep(now int64) {
	m.pause(now)
	m.asleep = now
}

// Wake notes that the loop has been woken. The owner calls it, with the loop's lock held.
func (m *Meter) Wake(now int64) {
	m.idle += now - m.asleep
	m.asleep = never
	m.group.read(now)
}
