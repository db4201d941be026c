package timers

import "github.com/eventloop-go/eventloop/internal/sched"

// Arrivals are entries from any goroutine that the owner has not taken. The lock guards them.
//
// Cancelled arrivals are dropped chunk by chunk, some whenever a new chunk is begun, in passes over the list. A chunk
// with few live entries is emptied into the one before it. So the list is never much longer than its live entries,
// and the lock is never held for long.
type arrivals struct {
	list
	n       int        // entries
	hasFree sched.Bool // a hint that free is not empty, readable without the lock
	free    []*Timer   // timers to use again

	read  *chunk // the next chunk to be pruned in the pass in progress, or nil
	write *chunk // the chunk before it, or nil
	spare pool
}

const pruneStep = 2 // chunks that are pruned for each that is filled

// makeRoom begins a new chunk if the last is full. It reports false if no chunk is left to begin.
func (s *Store) makeRoom(u *Supply) bool {
	a := &s.arrivals
	if a.head != a.tail && s.worthPruning() {
		for range pruneStep {
			s.prune()
		}
	}
	switch {
	case a.spare.head != nil:
		a.append(a.spare.get())
	case u.chunk != nil:
		a.append(u.chunk)
		u.chunk = nil
	default:
		return false
	}
	return true
}

func (s *Store) worthPruning() bool {
	stale := int(s.stale.Load())
	return stale >= staleLeast && stale > s.arrivals.n/4
}

// prune goes on with the pass in progress by one chunk, or begins one. The last chunk, which is being filled, is left out.
func (s *Store) prune() {
	a := &s.arrivals
	c := a.read
	if c == nil {
		c, a.write = a.head, nil
	}
	if c == a.tail {
		a.read, a.write = nil, nil
		return
	}
	a.read = c.next
	touch(c.e[:c.n])
	kept := 0
	for i := range c.n {
		e := &c.e[i]
		w := e.Timer.word.Load()
		if e.counts(w) {
			if kept < i {
				c.e[kept] = *e
			}
			kept++
		} else if e.reusable(w) && len(a.free) < reuse {
			a.free = append(a.free, e.Timer)
		}
	}
	if gone := c.n - kept; gone > 0 {
		clear(c.e[kept:c.n])
		c.n = kept
		a.n -= gone
		s.stale.Add(int32(-gone))
		s.hint()
	}
	if w := a.write; w != nil && w.n+kept <= chunkSize {
		w.n += copy(w.e[w.n:], c.e[:kept])
		w.next = c.next
		a.spare.put(c)
	} else if w == nil && kept == 0 {
		a.head = c.next
		a.spare.put(c)
	} else {
		a.write = c
	}
}

// take hands the list over. The chunk c, or nil, is for the next arrivals. So producers need not look for a chunk, in
// memory that the owner has just written.
func (a *arrivals) take(c *chunk) list {
	taken := a.list
	a.list, a.n = list{c, c}, 0
	if a.read != nil {
		a.read, a.write = nil, nil
	}
	return taken
}
