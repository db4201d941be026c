package runner

import "time"

// A Plan says what to measure, and how much.
type Plan struct {
	Entries []Entry

	// Benchtime is the length of one sample's timed section, about.
	Benchtime time.Duration

	// Count is the number of samples per entry. [Run] takes each in a round of its own, [Replicate] in a process of its
	// own.
	Count int

	// Seed fixes the order of contestants in every round.
	Seed uint64

	// Name is what the protocol is called in the result.
	Name string

	Order
}

// An Order is what one process of several is told beside the plan.
type Order struct {
	// Process counts from 1; 0 is the first, too.
	Process int

	// Hints has for every entry the number of operations that filled a sample in the process before, 0 if unknown. The
	// calibration begins near it, and finds its own number. Empty for the first process.
	Hints []int
}

func (o *Order) process() int { return max(1, o.Process) }

func (o *Order) hint(entry int) int {
	if entry >= len(o.Hints) {
		return 0
	}
	return o.Hints[entry]
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
		Name:      "quick",
		Entries:   entries,
		Benchtime: min(max((share-quickSetup).Truncate(time.Millisecond), quickShortest), quickLongest),
		Count:     count,
	}
}

// QuickCount is the number of samples that a quick run takes of each row.
const QuickCount = 5

const (
	quickBudget   = 60 * time.Second
	quickSetup    = 25 * time.Millisecond // what a sample takes beside its timed section
	quickShortest = 10 * time.Millisecond
	quickLongest  = 250 * time.Millisecond
)

// Full is the plan of the published protocol.
func Full(entries []Entry, count int) Plan {
	return Plan{Name: "full", Entries: entries, Benchtime: FullBenchtime, Count: count}
}

// Takes is how long the plan takes, about, if each sample has a process of its own.
func (p *Plan) Takes() time.Duration {
	calibration := p.Benchtime*3/10 + quickSetup
	return time.Duration(len(p.Entries)) * (time.Duration(p.Count)*(calibration+p.Benchtime+quickSetup) + calibration)
}

// benchtime is the length of a sample of e.
func (p *Plan) benchtime(e *Entry) time.Duration { return max(p.Benchtime, e.Shortest) }

// patience is how long a sample may take before it counts as hanging.
func (p *Plan) patience() time.Duration { return 10*time.Second + 20*p.Benchtime }
