// Package timers has a store of timers for a loop: it knows which timers are due, and which have been cancelled. It
// does not depend on the loop.
//
// A store has one owner, who fires timers. Other goroutines schedule and re-arm under the caller's lock, which guards
// more than timers. They stop and release timers without it. Every method says which of the three it is for.
package timers

import "github.com/eventloop-go/eventloop/internal/sched"

// A Store is a set of timers. It must be initialised, and not be copied.
type Store struct {
	arrivals arrivals // guarded by the lock

	_ [64]byte // keeps the lines that producers write apart from the others

	// Any goroutine's.
	options Options
	stale   sched.Int32 // entries whose timer was stopped, released or re-armed since, anywhere in the store
	armed   sched.Int64 // timers that are armed; see Options.Count

	_ [64]byte

	// The owner's.
	queue    Queue
	by       int64    // the time that the phase works to
	inPhase  bool     // between Begin and Adopt
	aside    []Entry  // timers added in the phase and due by that time: they wait for the next phase
	ran      []ran    // repeating timers that have fired in the phase
	taken    list     // arrivals, about to enter the queue
	returned pool     // chunks, on their way back to the arrivals
	dropped  []*Timer // timers to use again, before they have been under the lock
	own      []*Timer // timers to use again, after
	sweepAt  int      // length of the queue at which Push looks whether to sweep
}

// Options set the accounts of a store, and its notifications.
type Options struct {
	Owner any          // for the caller's use
	Refs  *sched.Int64 // the number of armed timers with a reference is added to it; or nil
	Count bool         // keep the number of armed timers

	// Look is called after a timer was disarmed if a sleeping owner must wake: to compact the store, or because Refs
	// became zero.
	Look func()
}

// A ran is a repeating timer that has fired. It has the timer's next entry, without the deadline, and the values that
// determine the next deadline, as of the firing.
type ran struct {
	Entry
	period int64
	missed MissedTicks
}

const (
	lookEvery  = 1024 // cancelled timers after which a sleeping owner is to look whether to sweep
	staleLeast = 64   // fewer cancelled timers than this are not worth a sweep
	reuse      = 1024 // timers kept for reuse, in each of three places
	handOver   = 128  // of them that change sides at a time
)

// Init makes the store ready for use.
func (s *Store) Init(o Options) { s.options = o }

// Owner returns the owner set by Init.
func (s *Store) Owner() any { return s.options.Owner }

// Any goroutine.

// Disarmed accounts for n timers that were armed and will not fire.
func (s *Store) Disarmed(n int) {
	if n == 0 {
		return
	}
	s.count(-n)
	// The owner sweeps once cancelled timers dominate. A sleeping owner must be notified, but not often.
	if int(s.stale.Add(int32(n)))%lookEvery < n {
		s.options.Look()
	}
}

// unrefer takes a timer that had the word w off the references, if it was among them.
func (s *Store) unrefer(w uint64) {
	if s.options.Refs != nil {
		s.unreferSlow(w)
	}
}

func (s *Store) unreferSlow(w uint64) {
	if w&(idle|unref) == 0 && s.options.Refs.Add(-1) == 0 {
		s.options.Look()
	}
}

func (s *Store) count(change int) {
	if s.options.Count {
		s.armed.Add(int64(change))
	}
}

// Armed returns the number of armed timers, if the store counts them.
func (s *Store) Armed() int { return int(s.armed.Load()) }
