package explore

// An exhaust goes through all schedules with at most so many preemptions, depth first. No time passes but by jumps.
type exhaust struct {
	bound       int
	path        []branch
	depth       int
	preemptions int
}

// A branch is a choice on the way to the schedule in progress.
type branch struct {
	options []int32 // goroutines, or numbers
	at      int
}

func (s *exhaust) begin(*run)        { s.depth, s.preemptions = 0, 0 }
func (s *exhaust) made(*g)           {}
func (s *exhaust) elapse(*run) int64 { return 0 }

// branch makes a choice, of which there are at least two.
func (s *exhaust) branch(options func() []int32) int32 {
	if s.depth == len(s.path) {
		s.path = append(s.path, branch{options: options()})
	}
	b := &s.path[s.depth]
	s.depth++
	return b.options[b.at]
}

func (s *exhaust) next(r *run, from *g, can, yield bool) *g {
	if can && !yield && s.preemptions >= s.bound {
		return from
	}
	others := r.enabled(from)
	choices := len(others)
	if can && (!yield || choices == 0) {
		choices++
	}
	switch choices {
	case 0:
		return nil
	case 1:
		if len(others) == 1 {
			return others[0]
		}
		return from
	}
	id := s.branch(func() []int32 {
		var options []int32
		if can && !yield {
			options = append(options, from.id)
		}
		for _, g := range others {
			options = append(options, g.id)
		}
		return options
	})
	if can && id == from.id {
		return from
	}
	if can && !yield {
		s.preemptions++
	}
	for _, g := range others {
		if g.id == id {
			return g
		}
	}
	panic("explore: the program does not do the same twice under the same schedule")
}

func (s *exhaust) pick(_ *run, n int) int {
	return int(s.branch(func() []int32 {
		options := make([]int32, n)
		for i := range options {
			options[i] = int32(i)
		}
		return options
	}))
}

// another goes on to the next schedule, and reports whether there is one.
func (s *exhaust) another() bool {
	for n := len(s.path); n > 0; n-- {
		if b := &s.path[n-1]; b.at+1 < len(b.options) {
			b.at++
			s.path = s.path[:n]
			return true
		}
	}
	return false
}
