package meter

import "github.com/eventloop-go/eventloop/internal/histogram"

// A Snapshot has a meter's measurements at one moment. Times are in nanoseconds.
type Snapshot struct {
	Elapsed int64 // since the loop began, until now or until it ended
	Idle    int64 // how much of it the loop slept
	Running int64 // how long the callbacks in progress have been running
	Ran     [lanes]uint64
	Queued  [lanes]uint64
	Ended   bool
	Jobs    uint64 // nextTick callbacks and microtasks that ran
	Faults  [faults]uint64

	// The meter's own: read them before its lock is released.
	RunTime, Delay, Lateness *histogram.Histogram

	entries  int
	accepted [queues]uint64
}

// Lock must be called before the loop's lock is taken for a snapshot.
func (m *Meter) Lock() { m.mu.Lock() }

// Unlock must be called when the snapshot has been read.
func (m *Meter) Unlock() { m.mu.Unlock() }

// Moment begins a snapshot: it reads the values that only the loop's lock keeps consistent, at the time now, with so
// many timers armed. The caller holds that lock, and the meter's.
func (m *Meter) Moment(now int64, armed int) Snapshot {
	length, since := m.public()
	s := Snapshot{entries: length, Ended: m.ended}
	if m.ended {
		now = m.stopped
	}
	if m.began != never {
		s.Elapsed, s.Idle = now-m.began, m.idle
	}
	if m.asleep != never {
		s.Idle += now - m.asleep
	}
	if since != never {
		s.Running = max(now-since, 0)
	}
	for lane := range s.accepted {
		s.accepted[lane] = m.producers[lane].accepted
	}
	s.Queued[Timers] = uint64(max(armed, 0))
	for f := range s.Faults {
		s.Faults[f] = m.faults[f].Load()
	}
	return s
}

// Complete finishes a snapshot. The meter's lock is held, but not the loop's.
func (m *Meter) Complete(s *Snapshot) {
	m.fold(s.entries)
	s.Ran, s.Jobs = m.ran, m.jobsRan
	for lane, n := range s.accepted {
		s.Queued[lane] = n - s.Ran[lane]
	}
	if s.Ended {
		s.Queued = [lanes]uint64{}
	}
	s.RunTime, s.Delay, s.Lateness = &m.runTime, &m.delay, &m.lateness
}
