package eventloop

import (
	"time"

	"github.com/eventloop-go/eventloop/internal/histogram"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// A meter measures a loop.
//
// Protocol. The owner appends what it measures to a log, a word at a time, with plain stores, and publishes the length at
// the end of every phase with an atomic one. Whoever takes a snapshot, holding mu, loads that length and may
// then read the log up to it: the entries were written before the length was stored. The owner goes on writing beyond
// it meanwhile. It comes back to the beginning only when the log is full, after it has folded everything into the
// histograms under mu; so no entry is overwritten while somebody reads it. The histograms belong to who holds mu.
//
// The snapshot loads the length while it holds the ingress lock as well. That load is its one moment: nothing can be
// accepted during it, and everything that ran by then had been accepted before. The locks are taken in the order mu,
// ingress; the owner holds none when it takes mu.
//
// Against the alternatives: counters that are stored atomically cost the owner several exchanges for each callback, and
// still give no moment that is common to them; a lock around each record costs as much again.
type meter struct {
	// The owner's.
	log      [logSize]uint64
	n        int         // entries written
	last     int64       // when the callbacks since, or the phase, began
	inside   bool        // a panic now belongs to a callback, or its checkpoint
	lane     event       // of the phase in progress
	due      int64       // deadline of the timer in progress
	group    int64       // callbacks that have run since last
	size     int64       // of the group, when it is full
	usual    int64       // run time of a short callback
	jobs     uint64      // loop.jobs when it was last logged
	arrivals [3]arrivals // by lane

	_ [64]byte

	published sched.Int64 // entries that others may read

	_ [64]byte

	mu       sched.Mutex // guards the fields that follow
	folded   int         // entries of the log that are in the histograms
	ran      [4]uint64   // by lane
	jobTotal uint64
	run      histogram.Histogram
	delay    histogram.Histogram
	lateness histogram.Histogram

	_ [64]byte

	// Guarded by the ingress lock.
	probes  [3]probe // by lane
	began   int64    // when Run did, on the loop's clock; never if it has not
	stopped int64    // when the loop ended
	asleep  int64    // since when the loop sleeps; never if it does not
	idle    int64    // how long it slept before
	ended   bool
}

func newMeter() *meter {
	m := &meter{began: never, asleep: never}
	for lane := range m.arrivals {
		m.arrivals[lane].next = noStamp
	}
	return m
}

const logSize = 512

// An event is what a log entry tells. It takes the lowest bits of the entry, its value the rest.
type event uint64

const (
	ranExternal event = iota // values of the first five are run times
	ranInternal
	ranImmediate
	ranTimer
	ranCheckpoint // nextTick callbacks and microtasks that follow no callback
	waited        // queue delay of a task
	fellDue       // lateness of a timer
	jobsRan       // how many

	eventBits  = 3
	valueShift = eventBits + 2 // the two bits between say how many times, less one
)

var eventOf = [...]event{phaseTimers: ranTimer, phaseInternal: ranInternal, phaseExternal: ranExternal, phaseImmediates: ranImmediate}

// begin is called when a phase does, before its first checkpoint.
func (m *meter) begin(p phase, now int64) {
	m.lane, m.last, m.inside = eventOf[p], now, false
}

// checked is called after the first checkpoint of a phase, and after the one in which a phase is resumed after a panic.
// The callback that panicked has then had its microtasks, and its run is over.
func (m *meter) checked(l *Loop) {
	switch {
	case m.inside:
		m.record(l)
		if m.group > 0 {
			m.closeGroup(l.now())
		}
	case l.jobs != m.jobs:
		now := l.now()
		m.makeRoom(l)
		m.write(ranCheckpoint, now-m.last, 1)
		m.last = now
	}
	m.inside = true
}

// Reading the clock costs more than all else that a meter does, and as much as a short callback. So callbacks that
// follow a short one share a reading, up to groupSize of them. Their time is known together; it is divided among them if
// it is short, and else there was a long one among them, which gets what is beyond the usual.
const (
	groupSize = 4
	shortRun  = 1000 // nanoseconds
)

// record is called when a callback of the lane has run, with its checkpoint.
func (m *meter) record(l *Loop) {
	if m.n > logSize-8 {
		m.makeRoom(l)
	}
	m.group++
	stamped := false
	if m.lane == ranTimer {
		m.write(fellDue, m.last-m.due, 1)
	} else {
		a := &m.arrivals[m.lane]
		if a.ran == a.next {
			m.write(waited, m.last-a.take(), 1)
		}
		a.ran++
		stamped = a.ran == a.next // the next one wants to know when it begins
	}
	if m.group >= m.size || stamped {
		m.closeGroup(l.now())
	}
}

// closeGroup logs the callbacks that have run since the last reading of the clock. The end of the last is the beginning of
// the next.
func (m *meter) closeGroup(now int64) {
	t, n := max(now-m.last, 0), m.group
	each := t / n
	if each < shortRun {
		m.write(m.lane, each, n)
		m.usual, m.size = each, groupSize
	} else {
		usual := min(m.usual, each)
		m.write(m.lane, t-usual*(n-1), 1)
		if n > 1 {
			m.write(m.lane, usual, n-1)
		}
		m.size = 1
	}
	m.last, m.group = now, 0
}

// end is called when a phase does. It publishes what has been logged.
func (m *meter) end(l *Loop) {
	m.inside = false
	if m.group > 0 {
		m.closeGroup(l.now())
	}
	m.makeRoom(l)
	if l.jobs != m.jobs {
		m.write(jobsRan, int64(l.jobs-m.jobs), 1)
		m.jobs = l.jobs
	}
	m.published.Store(int64(m.n))
}

// abandon records the callback that called Goexit, which no phase will resume.
func (m *meter) abandon(l *Loop) {
	if m.inside {
		m.record(l)
		m.end(l)
	}
}

// write logs an event that happened so many times with one value.
func (m *meter) write(e event, value, times int64) {
	m.log[m.n] = uint64(max(value, 0))<<valueShift | uint64(times-1)<<eventBits | uint64(e)
	m.n++
}

// makeRoom empties the log when it is nearly full. What is measured together is then folded together: no snapshot sees
// a part of it.
func (m *meter) makeRoom(l *Loop) {
	if m.n <= logSize-8 {
		return
	}
	if m.group > 0 {
		m.closeGroup(l.now())
	}
	m.mu.Lock()
	m.fold(m.n)
	m.n, m.folded = 0, 0
	m.published.Store(0)
	m.mu.Unlock()
}

// fold brings the histograms up to the first n entries of the log. The meter's lock is held.
func (m *meter) fold(n int) {
	for _, entry := range m.log[m.folded:n] {
		value, times := int64(entry>>valueShift), entry>>eventBits&3+1
		switch e := event(entry & (1<<eventBits - 1)); e {
		case waited:
			m.delay.Record(value)
		case fellDue:
			m.lateness.Record(value)
		case jobsRan:
			m.jobTotal += uint64(value)
		case ranCheckpoint:
			m.run.Record(value)
		default:
			m.ran[e] += times
			m.run.RecordTimes(value, times)
		}
	}
	m.folded = n
}

// sleep is called when the loop goes to sleep, and wake when it has been woken, both with the ingress lock held: a
// snapshot during the sleep knows when that began.
func (m *meter) sleep(now int64) { m.asleep = now }

func (m *meter) wake(now int64) {
	m.idle += now - m.asleep
	m.asleep = never
}

// snapshot reads everything as of one moment.
func (m *meter) snapshot(l *Loop) Metrics {
	m.mu.Lock()
	defer m.mu.Unlock()
	in := &l.in
	in.mu.lock()
	n := int(m.published.Load())
	var s Metrics
	if m.began != never {
		now := m.stopped
		if !m.ended {
			now = l.now()
		}
		s.Elapsed, s.Idle = time.Duration(now-m.began), time.Duration(m.idle)
		if m.asleep != never {
			s.Idle += time.Duration(now - m.asleep)
		}
	}
	var accepted [3]uint64
	for lane := range accepted {
		accepted[lane] = m.probes[lane].accepted
	}
	if !m.ended {
		s.Queued.Timers = uint64(max(l.timers.Armed(), 0))
		s.Queued.Jobs = uint64(len(in.ticks) + len(in.micros))
	}
	ended := m.ended
	in.mu.unlock()

	m.fold(n)
	s.Ran = Lanes{External: m.ran[ranExternal], Internal: m.ran[ranInternal], Immediates: m.ran[ranImmediate], Timers: m.ran[ranTimer]}
	if !ended {
		s.Queued.External = accepted[ranExternal] - s.Ran.External
		s.Queued.Internal = accepted[ranInternal] - s.Ran.Internal
		s.Queued.Immediates = accepted[ranImmediate] - s.Ran.Immediates
	}
	s.Jobs = m.jobTotal
	s.RunTime, s.QueueDelay, s.Lateness = describe(&m.run), describe(&m.delay), describe(&m.lateness)
	return s
}

var described = []float64{0.5, 0.9, 0.95, 0.99, 0.999}

func describe(h *histogram.Histogram) Distribution {
	var q [5]int64
	h.Quantiles(described, q[:])
	return Distribution{
		Count: h.Count(),
		Mean:  time.Duration(h.Mean()),
		Max:   time.Duration(h.Max()),
		P50:   time.Duration(q[0]),
		P90:   time.Duration(q[1]),
		P95:   time.Duration(q[2]),
		P99:   time.Duration(q[3]),
		P999:  time.Duration(q[4]),
	}
}
