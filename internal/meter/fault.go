package meter

// A Fault is an event that no program wants and that the meter counts. They are rare, so the counters are atomic and not in the log.
type Fault uint8

// The faults.
const (
	Panicked Fault = iota // a callback
	Refused               // a callback or timer, by a full queue or a loop that ends
	Slow                  // a callback, see inspect.WithSlowCallbacks
	Rejected              // a promise, with nothing attached

	faults = 4
)

// Count counts a fault, from any goroutine. A nil Meter counts nothing.
func (m *Meter) Count(f Fault) {
	if m != nil {
		m.faults[f].Add(1)
	}
}
