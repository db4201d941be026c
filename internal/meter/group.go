package meter

// Reading the clock costs more than all other work of a meter, and as much as a short callback. So callbacks that
// follow short ones share a reading: they form a group, and only the total time of the group is known. A short time
// is divided among them. A long time means that one of them was long, and that one gets the excess over the usual
// time. Groups grow one by one, and start small again after a long callback. So where long callbacks are frequent,
// few callbacks share a group.
//
// A phase has two readings, at its begin and at its end, unless the clock has just been read at its beginning. Where
// tasks come one by one in quick succession, some phases skip the readings: their callbacks form one group, together
// with the time between them. They count as usual ones if that time is short. A long time has an unknown cause: a
// long callback, or the loop yielding to other goroutines for long. One callback counts with it, and the next of
// these phases are measured again.
const (
	shortRun  = 1000 // nanoseconds: shorter callbacks share readings, and phases that follow each other so quickly go without
	groupTime = 2000 // what a group should take
	groupLong = 4000 // a group that takes longer has a long callback
	maxGroup  = 1 << timesBits

	calmPhases = 128 // phases in quick succession before some go without a reading
	skipPhases = 7   // phases in a row without a reading
)

// group is the callbacks that have run since the clock was last read.
type group struct {
	lane    Lane
	inside  bool   // a panic now belongs to a callback, or its checkpoint
	resumed bool   // one did
	fresh   bool   // last is the time now, but for a few steps of the loop
	across  bool   // the group goes across phases: not all of its time is callbacks
	last    int64  // when the clock was read
	planned int    // callbacks that the group is to have
	left    int    // how many of them are still to run
	size    int    // callbacks that the next group may have
	usual   int64  // run time of short callbacks
	usually int64  // how many they were
	due     int64  // deadline of the timer in progress
	jobs    uint64 // nextTick callbacks and microtasks, as of when the last phase ended

	skip    int64 // phases to come that may go without a reading
	skipped int64 // phases in the group
	ended   int64 // when the last phase did; never if that is not known
	pace    int64 // time from the end of one phase to that of the next
	calm    int   // phases in quick succession so far
}

func (g *group) ran() int { return g.planned - g.left }

// read makes use of a reading of the clock.
func (g *group) read(now int64) {
	if g.ran() == 0 && !g.across {
		g.last, g.fresh = now, true
	}
}

// Read notes the time, which the loop has just read for another purpose.
func (m *Meter) Read(now int64) { m.group.read(now) }

// Pass notes that time passes in which the loop runs no callbacks.
func (m *Meter) Pass() { m.group.fresh = false }

// Begin notes that a phase begins, before its first checkpoint. If it returns true, BeginAt must be called next.
func (m *Meter) Begin(lane Lane) bool {
	g := &m.group
	g.inside = false
	if g.skip > 0 {
		if lane == g.lane && m.joins() {
			g.skip--
			g.skipped++
			g.across = true
			return false
		}
		g.skip = 0
	}
	if !g.fresh {
		return true
	}
	g.lane = lane
	m.open()
	return false
}

// BeginAt notes when the phase began.
func (m *Meter) BeginAt(lane Lane, now int64) {
	m.close(now)
	m.group.lane = lane
	m.open()
}

// joins reports whether the next callback may join the group, and bounds the group to those that may. One that has a
// stamp may not: it wants to know when it begins.
func (m *Meter) joins() bool {
	g := &m.group
	a := &m.arrivals[g.lane]
	ahead := a.next - a.ran - uint64(g.ran())
	if ahead < uint64(g.left) {
		g.planned -= g.left - int(ahead)
		g.left = int(ahead)
	}
	return ahead > 0
}

// open begins a group.
func (m *Meter) open() {
	m.makeRoom()
	g := &m.group
	n := uint64(g.size)
	if g.lane < queues {
		a := &m.arrivals[g.lane]
		ahead := a.next - a.ran
		if ahead == 0 {
			ahead = 1<<sampleBits - a.next&(1<<sampleBits-1) // the next stamp is not before that
		}
		n = min(n, ahead)
	}
	g.planned, g.left = int(n), int(n)
	m.publish(g.last)
}

// close ends a group: the clock has been read.
func (m *Meter) close(now int64) {
	g := &m.group
	t, n := max(now-g.last, 0), int64(g.ran())
	if n > 0 {
		if g.lane < queues {
			a := &m.arrivals[g.lane]
			if a.ran == a.next {
				m.write(waited, g.last-a.take(), 1)
			}
			a.ran += uint64(n)
		}
		m.divide(t, n)
	}
	if g.across {
		g.pace = t / max(g.skipped, 1)
		g.across, g.skip, g.skipped, g.ended = false, 0, 0, never
	}
	if g.jobs != m.jobs {
		m.write(jobsRan, int64(g.jobs-m.jobs), 1)
		m.jobs = g.jobs
	}
	g.planned, g.left = 0, 0
	g.last, g.fresh = now, true
}

// divide logs a group of n callbacks that took the time t.
func (m *Meter) divide(t, n int64) {
	g := &m.group
	e := event(g.lane)
	switch {
	case g.across && t <= groupLong:
		m.write(e, min(g.usual*n/max(g.usually, 1), t), n)
	case n == 1 || !g.across && t <= groupLong:
		m.write(e, t, n)
		switch {
		case t >= n*shortRun:
			g.size = 1
			return
		case t > groupTime:
			g.size--
		case g.size < maxGroup:
			g.size++
		}
		g.usual, g.usually = t, n
	default:
		usual := min(g.usual*(n-1)/max(g.usually, 1), t/n*(n-1), groupTime)
		m.write(e, t-usual, 1)
		m.write(e, usual, n-1)
		g.size = 1
	}
	if g.across && t > groupLong {
		g.calm = 0
	}
}

// Checked notes the end of the first checkpoint of a phase, or of the one in which a phase is resumed after a panic.
// jobs is how many jobs have run since the loop began. If it returns true, CheckedAt must be called next.
func (m *Meter) Checked(jobs uint64) bool {
	g := &m.group
	g.resumed, g.inside = g.inside, true
	return g.resumed || jobs != g.jobs
}

// CheckedAt notes the time of that end.
func (m *Meter) CheckedAt(jobs uint64, now int64) {
	g := &m.group
	if g.resumed {
		m.count() // the callback that panicked has now had its microtasks
		m.close(now)
	} else {
		if g.ran() > 0 {
			m.close(now)
		}
		m.write(ranCheckpoint, now-g.last, 1)
		g.jobs = jobs
		m.close(now)
	}
	m.open()
}

// Due notes the deadline of the timer that is about to run.
func (m *Meter) Due(when int64) { m.group.due = when }

// Ran notes that a callback of a queue has run, with its checkpoint. If it returns true, RanAt must be called next.
func (m *Meter) Ran() bool {
	m.group.left--
	return m.group.left <= 0
}

// RanTimer is Ran for a timer.
func (m *Meter) RanTimer() bool {
	m.write(late, m.group.last-m.group.due, 1)
	return m.Ran()
}

func (m *Meter) count() {
	if m.group.lane == Timers {
		m.RanTimer()
	} else {
		m.Ran()
	}
}

// RanAt notes when the callback ended.
func (m *Meter) RanAt(now int64) {
	m.close(now)
	m.open()
}

// End notes that a phase ends; jobs is as for Checked. If it returns true, EndAt must be called next.
func (m *Meter) End(jobs uint64) bool {
	g := &m.group
	g.inside, g.jobs = false, jobs
	if g.across {
		g.fresh = false
		return false
	}
	if g.ran() > 0 {
		return true
	}
	m.EndAt(g.last)
	return false
}

// EndAt notes when the phase ended.
func (m *Meter) EndAt(now int64) {
	m.close(now)
	g := &m.group
	if g.ended != never {
		switch g.pace = now - g.ended; {
		case g.pace < shortRun:
			g.calm++
		case g.pace > groupLong:
			g.calm = 0
		}
	}
	g.ended = now
	if g.calm >= calmPhases && g.pace < shortRun && g.lane < queues {
		g.skip = min(groupTime/max(g.pace, 1), skipPhases)
		m.open()
	} else {
		m.publish(never)
	}
}

// Exited reports whether a callback was in progress: it has called Goexit, and no phase will resume it. If so,
// ExitedAt must be called next.
func (m *Meter) Exited() bool { return m.group.inside }

// ExitedAt notes the time of that.
func (m *Meter) ExitedAt(jobs uint64, now int64) {
	m.count()
	m.group.inside, m.group.jobs = false, jobs
	m.EndAt(now)
}

// pause ends the group, if there is one, because the loop will not go on at once.
func (m *Meter) pause(now int64) {
	g := &m.group
	if g.planned > 0 {
		m.close(now)
	}
	g.skip, g.ended = 0, never
	m.publish(never)
}
