package measure

import "time"

// A Plan says what to measure, and how much.
type Plan struct {
	Entries []Entry

	// Benchtime is the length of one sample's timed section, about.
	Benchtime time.Duration

	// Count is the number of samples per entry. [Run] takes each in a round of its own, [Replicate] in a process of its
	// own.
	Count int

	// Budget is the time that [Decide] has, Level the share within which times count as level; 0 means the default.
	Budget time.Duration
	Level  float64

	// Seed fixes the order of contestants in every round.
	Seed uint64

	// Name is what the protocol is called in the result.
	Name string

	Order
}

// An Order is the part of one process of several in the plan.
type Order struct {
	// Process counts from 1; 0 is the first, too.
	Process int

	// Hints has for every entry the number of operations that filled a sample in the process before, 0 if unknown. The
	// calibration begins near it, and finds its own number. Empty for the first process.
	Hints []int `json:",omitempty"`

	// Parts are what a process of [Slices] visits.
	Parts []Part `json:",omitempty"`
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
	NamePublished = "published"
	FullBenchtime = 2 * time.Second
)

const (
	setup    = 25 * time.Millisecond // what a sample takes beside its timed section
	shortest = 10 * time.Millisecond // a shorter sample says little about an operation
)

// Takes is how long the plan takes, about, if each sample has a process of its own.
func (p *Plan) Takes() time.Duration {
	calibration := p.Benchtime*3/10 + setup
	return time.Duration(len(p.Entries)) * (time.Duration(p.Count)*(calibration+p.Benchtime+setup) + calibration)
}

// benchtime is the length of a sample of e.
func (p *Plan) benchtime(e *Entry) time.Duration { return max(p.Benchtime, e.Shortest) }

// patience is how long a sample may take before it counts as hanging.
func (p *Plan) patience() time.Duration { return 10*time.Second + 20*p.Benchtime }
