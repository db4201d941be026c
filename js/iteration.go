package js

// An iteration is Node's loop as far as scripts can observe it. It has the phase (uv_run, in libuv's
// src/unix/core.c), and the time at which Node's one timer handle fires (insert and processTimers, in
// lib/internal/timers.js). Times are whole milliseconds since the origin, as Node counts them. It runs nothing: the
// environment drives it, with its lock held.
//
//	elsewhere ──► inTimers ──► beforeCheck ──► inCheck ──► elsewhere
//
// A host may run callbacks ahead of their phase, and is then further than the loop that calls it. Otherwise the loop
// goes from phase to phase by itself, and beforeCheck is left out.
type iteration struct {
	at    place
	time  int64 // when the clock was last read: uv_now
	next  int64 // in which the first list expires, as far as Node has looked: nextExpiry
	fires int64 // when the timer handle fires
}

// A place is where in Node's loop we are.
type place uint8

const (
	elsewhere   place = iota // in the main script, a task or the poll phase, and the loop goes on from there
	inTimers                 // in the timers phase, which may have been left in the middle
	beforeCheck              // the timers phase is over: immediates come before any other timer
	inCheck                  // in the check phase, which may have been left in the middle
)

// read notes that the clock was read.
func (n *iteration) read(now int64) { n.time = now }

// inserted is for a list that was not there before, of timers with a delay.
func (n *iteration) inserted(expiry, delay int64) {
	if expiry < n.next {
		n.next, n.fires = expiry, n.time+delay
	}
}

// beginTimers begins a timers phase, or runs the timers again in the one in progress.
func (n *iteration) beginTimers(now int64) {
	n.at, n.time, n.next, n.fires = inTimers, now, never, never
}

// ranTimers is for when no more timers are due: the first of the lists that are left, if there is any, expires later.
func (n *iteration) ranTimers(expiry int64) {
	if expiry != never {
		n.next, n.fires = expiry, max(expiry, n.time+1)
	}
}

// again reports whether the timers phase runs its timers once more. At the end libuv checks whether the handle fires
// by the time that was last read. Suppose a microtask behind the last timer has set one timer, taken a while, and set
// another. Then the first of them runs before any immediate.
func (n *iteration) again() bool { return n.at == inTimers && n.fires <= n.time }

// endTimers ends a timers phase that the loop has run, unless the host is further.
func (n *iteration) endTimers() { n.end(inTimers) }

// timersAreOver goes on to the check phase without the loop, for a host that has nothing more to run before that.
func (n *iteration) timersAreOver() {
	if n.at == elsewhere || n.at == inTimers {
		n.at = beforeCheck
	}
}

// beginCheck begins the check phase, or goes on with it.
func (n *iteration) beginCheck() { n.at = inCheck }

// endCheck ends the check phase, unless the host is further.
func (n *iteration) endCheck() { n.end(inCheck) }

func (n *iteration) end(phase place) {
	if n.at == phase {
		n.at = elsewhere
	}
}

// checkIsFirst reports, where the loop would run timers, whether immediates must run before them. rest says that the
// phase the host has begun has callbacks left.
func (n *iteration) checkIsFirst(rest bool) bool {
	switch n.at {
	case inTimers:
		return !rest && !n.again()
	case inCheck:
		return rest
	}
	return n.at == beforeCheck
}
