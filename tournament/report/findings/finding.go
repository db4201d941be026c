package findings

import (
	"cmp"
	"slices"
)

// A Finding is something that the figures show.
type Finding struct {
	Kind     Kind     `json:"kind"`
	Severity Severity `json:"severity"`
	// Subject is what the finding is about: a row, a contestant, an input or a pair of inputs.
	Subject string `json:"subject"`
	Text    string `json:"text"`
	// Evidence holds the figures behind the text.
	Evidence []Figure `json:"evidence,omitempty"`
}

// A Figure is one piece of evidence.
type Figure struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit,omitempty"`
}

// A Kind is what a rule looks for.
type Kind string

// The kinds of finding.
const (
	InverseScale Kind = "inverse scaling"
	Convergence  Kind = "convergence"
	TooGood      Kind = "too good to be true"
	MemoryGrowth Kind = "memory growth"
	Confound     Kind = "confound"
	Regression   Kind = "regression"
	Improvement  Kind = "improvement"
	FailedCheck  Kind = "failed check"
	Collapse     Kind = "collapse"

	TwinDisagreement Kind = "corrected version disagrees"
	Duplicates       Kind = "duplicates"
	Wait             Kind = "a wait"
	Modes            Kind = "two modes"
	NothingHappened  Kind = "nothing happened"
	ControlFailed    Kind = "control failed"
	Garbled          Kind = "garbled name"
	Arithmetic       Kind = "mean of a few"
	Mislabelled      Kind = "one contestant twice, another missing"
)

// A Severity says how much a finding changes what a reader may conclude.
type Severity int

// The severities.
const (
	// Info is a result.
	Info Severity = iota
	// Notice qualifies a result.
	Notice
	// Warning says that a result may mislead.
	Warning
	// Problem says that a result is wrong or something is broken.
	Problem
)

// String names the severity.
func (s Severity) String() string {
	return [...]string{"info", "notice", "warning", "problem"}[s]
}

// MarshalText names the severity in JSON.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Rules lists all rules. Each looks for one kind of finding, or for kinds that one computation decides.
var Rules = []func(*Analysis) []Finding{
	confounds,      // differences between the inputs other than the one compared
	failedChecks,   // correctness suites that failed
	collapses,      // contestants whose ratio to the reference changes more than tenfold when the processors are busy
	changes,        // rows that became slower or faster than in the earlier run
	tooGood,        // a time of nothing, faster than an empty call, or without the allocations that all others need
	flawed,         // categories that do not measure what their names say
	replicas,       // replicas that differ from their originals
	idle,           // counters of work that are zero
	modes,          // samples that fall into two groups
	mislabelled,    // a contestant with twice the samples of its category, which lacks a contestant that all others have
	garbled,        // a name with a character where others of its series have a number
	inverseScaling, // a sweep in which the cost of an operation rises by a quarter or more behind its best point
	memoryGrowth,   // bytes without an allocation
	heavier,        // more bytes than a rival with as many allocations
	arithmetic,     // rows of which the slowest few would decide an arithmetic mean
}

// Find runs all rules. The gravest findings come first, those of one severity in the order of the rules.
func Find(a *Analysis) []Finding {
	var out []Finding
	for _, r := range Rules {
		out = append(out, r(a)...)
	}
	slices.SortStableFunc(out, func(x, y Finding) int { return cmp.Compare(y.Severity, x.Severity) })
	return out
}

const (
	// evidenceRows bounds the rows that a finding about many names one by one.
	evidenceRows = 8
	// evidenceFigures bounds the figures behind a finding about many rows; its text says how many there are.
	evidenceFigures = 100
)
