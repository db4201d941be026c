package meter

// An event is the kind of a log entry. It takes the lowest bits of the entry.
type event uint64

const (
	// The first are the lanes: so many callbacks took so long together.
	ranCheckpoint event = lanes + iota // nextTick callbacks and microtasks that follow no callback
	waited                             // queue delay of a task
	late                               // lateness of a timer
	jobsRan                            // how many

	eventBits  = 4
	timesBits  = 3 // how many times, less one
	valueShift = eventBits + timesBits
)

const (
	logSize = 512

	// room is how many entries a group of callbacks can write before the next check whether the log is full: the
	// lateness of each timer, and a few more.
	room = maxGroup + 16
)

// write logs an event. The log has room: see open.
func (m *Meter) write(e event, value, times int64) {
	m.log[m.length&(logSize-1)] = uint64(max(value, 0))<<valueShift | uint64(times-1)<<eventBits | uint64(e)
	m.length++
}

const (
	lengthBits = 10 // up to logSize
	sinceUnit  = 6  // binary logarithm of the unit of published times, in nanoseconds
)

// publish makes the log readable to others, and reports since when callbacks are in progress; never means no
// callback. Both are one word: an atomic store costs as much as a short callback.
func (m *Meter) publish(since int64) {
	word := uint64(m.length)
	if since != never {
		word |= uint64(since>>sinceUnit+1) << lengthBits
	}
	m.published.Store(word)
}

// public returns the published values.
func (m *Meter) public() (length int, since int64) {
	word := m.published.Load()
	since = never
	if word>>lengthBits != 0 {
		since = int64(word>>lengthBits-1) << sinceUnit
	}
	return int(word & (1<<lengthBits - 1)), since
}

// makeRoom empties the log if it is nearly full.
func (m *Meter) makeRoom() {
	if m.length <= logSize-room {
		return
	}
	m.mu.Lock()
	m.fold(m.length)
	m.length, m.folded = 0, 0
	m.publish(never)
	m.mu.Unlock()
}

// fold brings counts and histograms up to the first n entries of the log. The meter's lock is held.
func (m *Meter) fold(n int) {
	for _, entry := range m.log[m.folded:n] {
		value, times := int64(entry>>valueShift), entry>>eventBits&(1<<timesBits-1)+1
		switch e := event(entry & (1<<eventBits - 1)); e {
		case waited:
			m.delay.Record(value)
		case late:
			m.lateness.Record(value)
		case jobsRan:
			m.jobsRan += uint64(value)
		case ranCheckpoint:
			m.runTime.Record(value)
		default:
			m.ran[e] += times
			m.runTime.RecordShared(value, times)
		}
	}
	m.folded = n
}
