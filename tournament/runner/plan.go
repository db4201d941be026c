package runner

import "time"

// A Plan says what to measure, and how much.
type Plan struct {
	Entries []Entry

	// Benchtime is the length of one sample's timed section, about.
	Benchtime time.Duration

	// Count is the number of rounds, each with one sample per entry.
	Count int

	// Seed fixes the order of contestants in every round.
	Seed uint64
}

// The published protocol.
const (
	FullBenchtime = 2 * time.Second
	FullCount     = 3
)

// Quick is the plan that is done in a budget of time that does not depend on the number of entries: the more there
// are, the shorter the samples.
func Quick(entries []Entry, count int) Plan {
	share := quickBudget / time.Duration(max(1, len(entries)*(count+1))) // one more for the calibration
	return Plan{
		Entries:   entries,
		Benchtime: min(max((share-quickSetup).Truncate(time.Millisecond), quickShortest), quickLongest),
		Count:     count,
	}
}

// QuickCount is the number of samples that a quick run takes of each row.
const QuickCount = 5

const (
	quickBudget   = 80 * time.Second
	quickSetup    = 15 * time.Millisecond // what a sample takes beside its timed section
	quickShortest = 20 * time.Millisecond
	quickLongest  = 250 * time.Millisecond
)

// Full is the plan of the published protocol.
func Full(entries []Entry, count int) Plan {
	return Plan{Entries: entries, Benchtime: FullBenchtime, Count: count}
}

// patience is how long a sample may take before it counts as hanging.
func (p *Plan) patience() time.Duration { return 10*time.Second + 20*p.Benchtime }
