// Package rejections tracks promises that were rejected without a handler, as HTML (8.1.4.7) and Node do. They are
// reported when ticks and promise jobs have run out.
package rejections

import "strings"

// A List has the promises of a runtime. P is the engine's key for a promise.
type List[P comparable] struct {
	pending   []Rejection[P] // since the last report; those that were handled since are zero
	index     map[P]int      // of pending; nil until a promise is handled that is not among the last
	unhandled int            // of pending, how many are not zero
	reported  map[P]int64    // the ids of those reported, and not handled since
	handled   []Rejection[P] // handled after the report
	lastID    int64
}

// A Rejection is a rejected promise with the number that warnings name.
type Rejection[P comparable] struct {
	Promise P
	ID      int64
}

// Waiting reports whether there is anything to report.
func (r *List[P]) Waiting() bool { return r.unhandled+len(r.handled) > 0 }

// Add notes a promise that was rejected without a handler.
func (r *List[P]) Add(p P) {
	r.lastID++
	if r.index != nil {
		r.index[p] = len(r.pending)
	}
	r.pending = append(r.pending, Rejection[P]{p, r.lastID})
	r.unhandled++
}

// lookedAt is how many of the last promises are looked at one by one: a promise handled soon is among them.
const lookedAt = 8

// remove takes out a promise that was handled before it was reported, if it is in the list. Its cost does not depend
// on the number of waiting promises.
func (r *List[P]) remove(p P) bool {
	at, found := 0, false
	for at = len(r.pending) - 1; at >= 0 && at >= len(r.pending)-lookedAt && !found; at-- {
		found = r.pending[at].Promise == p
	}
	if at++; !found {
		if at == 0 {
			return false
		}
		if r.index == nil {
			r.index = make(map[P]int, len(r.pending))
			for i := range r.pending {
				r.index[r.pending[i].Promise] = i
			}
		}
		if at, found = r.index[p]; !found {
			return false
		}
	}
	if r.index != nil {
		delete(r.index, p)
	}
	r.pending[at] = Rejection[P]{}
	if r.unhandled--; r.unhandled == 0 {
		r.pending, r.index = r.pending[:0], nil
	}
	return true
}

// reportedLimit bounds the memory for reported promises, which the script may have dropped long ago: beyond it, some
// rejectionHandled events are lost.
const reportedLimit = 10000

// Handled notes that a promise has got a handler after all.
func (r *List[P]) Handled(p P) {
	if r.remove(p) {
		return
	}
	if id, ok := r.reported[p]; ok {
		delete(r.reported, p)
		r.handled = append(r.handled, Rejection[P]{p, id})
	}
}

// Take returns the rejections to report: first those handled after their report. A promise of pending may be zero: it
// was handled in time. One that is handled while those before it are reported is reported too, as in Node.
func (r *List[P]) Take() (handled, pending []Rejection[P]) {
	handled, pending = r.handled, r.pending
	r.handled, r.pending, r.index, r.unhandled = nil, nil, nil, 0
	return handled, pending
}

// Reported is called before a rejection is reported.
func (r *List[P]) Reported(of Rejection[P]) {
	if r.reported == nil || len(r.reported) >= reportedLimit {
		r.reported = make(map[P]int64)
	}
	r.reported[of.Promise] = of.ID
}

// Mode is the value of --unhandled-rejections, or throw by default.
func Mode(flags []string) string {
	mode := "throw"
	for _, flag := range flags {
		if m, ok := strings.CutPrefix(flag, "--unhandled-rejections="); ok {
			mode = m
		}
	}
	return mode
}
