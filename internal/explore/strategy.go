package explore

import "slices"

// A strategy makes the choices of a run.
type strategy interface {
	begin(r *run)
	made(g *g)
	// next chooses the next goroutine: from, if can allows it, or one of r.enabled(from). It returns nil if all are
	// blocked. After a yield it chooses another goroutine if possible.
	next(r *run, from *g, can, yield bool) *g
	// pick chooses a number below n.
	pick(r *run, n int) int
	// elapse returns how much time passes now, in nanoseconds.
	elapse(r *run) int64
}

// A Rand is a small generator of random numbers, splitmix64.
type Rand uint64

// Uint64 returns a random number.
func (s *Rand) Uint64() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Intn returns a random number below n, which is positive.
func (s *Rand) Intn(n int) int { return int(s.Uint64() >> 33 % uint64(n)) }

// mix makes a seed of several numbers.
func mix(seeds ...uint64) Rand {
	r := Rand(0)
	for _, s := range seeds {
		r = Rand(r.Uint64() ^ s)
	}
	return r
}

// lapses are the times that pass when the clock is read. Programs have delays of whole milliseconds and a little beside them.
var lapses = [...]int64{1, 1, 100, 30_000, 999_999, 1_000_000, 1_000_001, 3_000_000}

// A lapse says how often, on average every so many readings of the clock, time passes; 0 is never.
type lapse struct {
	rng   *Rand
	every int
}

func (l lapse) elapse(*run) int64 {
	if l.every == 0 || l.rng.Intn(l.every) != 0 {
		return 0
	}
	return lapses[l.rng.Intn(len(lapses))]
}

// random walks: at every point it lets another goroutine go on with some probability.
type random struct {
	lapse
	every int // operations from one switch to the next, on average
}

func (s *random) begin(*run) {}
func (s *random) made(*g)    {}

func (s *random) next(r *run, from *g, can, yield bool) *g {
	if can && !yield && s.rng.Intn(s.every) != 0 {
		return from
	}
	others := r.enabled(from)
	switch {
	case len(others) > 0:
		return others[s.rng.Intn(len(others))]
	case can:
		return from
	default:
		return nil
	}
}

func (s *random) pick(_ *run, n int) int { return s.rng.Intn(n) }

// pct is Burckhardt and others' algorithm. The goroutine of the highest priority goes on. Priorities are random, and
// at a few random points the running one falls below all others. A fault that needs d changes is found with a
// probability of at least 1/(n·kᵈ), for n goroutines and k operations.
type pct struct {
	lapse
	changes []int // operations at which the priority changes, in order
	lowest  int
}

// newPCT makes a strategy with some changes among the first operations of a run.
func newPCT(rng *Rand, changes, operations, every int) *pct {
	s := &pct{lapse: lapse{rng, every}}
	for range changes {
		s.changes = append(s.changes, 1+rng.Intn(max(operations, 1)))
	}
	slices.Sort(s.changes)
	return s
}

func (s *pct) begin(*run) {}
func (s *pct) made(g *g)  { g.prio = 1 + s.rng.Intn(1<<20) }

func (s *pct) next(r *run, from *g, can, yield bool) *g {
	if can && len(s.changes) > 0 && r.steps >= s.changes[0] {
		s.changes = s.changes[1:]
		yield = true
	}
	if yield { // also so that a goroutine that waits by yielding does not block the other
		s.lowest--
		from.prio = s.lowest
	}
	var best *g
	if can {
		best = from
	}
	for _, g := range r.gs {
		if g != from && (best == nil || g.prio > best.prio) && g.ready() {
			best = g
		}
	}
	return best
}

func (s *pct) pick(_ *run, n int) int { return s.rng.Intn(n) }

// A Decision is a choice of a run that differs from the default. By default the same goroutine goes on as long as it
// can, and then the next does; the first of several channels is taken; and no time passes.
type Decision struct {
	At    int32 // which choice of the run
	Value int64 // the goroutine, the channel, the time

	preempts bool
}

// replay makes the decisions given, and otherwise the choices that are made by themselves. A decision that is not
// possible is left out.
type replay struct{ rest []Decision }

func (s *replay) begin(*run) {}
func (s *replay) made(*g)    {}

func (s *replay) decision(r *run) (v int64, ok bool) {
	for len(s.rest) > 0 && s.rest[0].At < r.decisions {
		s.rest = s.rest[1:]
	}
	if len(s.rest) == 0 || s.rest[0].At != r.decisions {
		return 0, false
	}
	return s.rest[0].Value, true
}

func (s *replay) next(r *run, from *g, can, yield bool) *g {
	byItself := s.byItself(r, from, can, yield)
	r.plain = true
	if id, ok := s.decision(r); ok {
		for _, g := range r.gs {
			if int64(g.id) == id && (g != from && g.ready() || g == from && can) {
				r.plain = g == byItself
				return g
			}
		}
	}
	return byItself
}

func (s *replay) byItself(r *run, from *g, can, yield bool) *g {
	if can && !yield {
		return from
	}
	if others := r.enabled(from); len(others) > 0 {
		return others[0]
	}
	if can {
		return from
	}
	return nil
}

func (s *replay) pick(r *run, n int) int {
	if v, ok := s.decision(r); ok && int(v) < n {
		return int(v)
	}
	return 0
}

func (s *replay) elapse(r *run) int64 {
	v, _ := s.decision(r)
	return v
}
