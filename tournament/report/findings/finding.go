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
	Sensitivity   Kind = "platform sensitivity"
	LatencyGap    Kind = "latency gap"
	InverseScale  Kind = "inverse scaling"
	Convergence   Kind = "convergence"
	TooGood       Kind = "too good to be true"
	MemoryGrowth  Kind = "memory growth"
	Confound      Kind = "confound"
	AllocMismatch Kind = "allocation mismatch"
	Regression    Kind = "regression"
	Improvement   Kind = "improvement"
	FailedCheck   Kind = "failed check"
	Collapse      Kind = "collapse"

	TwinDisagreement Kind = "corrected version disagrees"
	Duplicates       Kind = "duplicates"
	Wait             Kind = "a wait"
	Modes            Kind = "two modes"
	Jump             Kind = "jump in a sweep"
	NothingHappened  Kind = "nothing happened"
	ControlFailed    Kind = "control failed"
	Garbled          Kind = "garbled name"
	Arithmetic       Kind = "mean of a few"
	Critical         Kind = "fixed critical value"
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

// A Rule looks for one kind of finding.
type Rule struct {
	Kind Kind
	// About says what the rule looks for, for the reader of a report.
	About string
	Run   func(*Analysis) []Finding
}

// Rules lists all rules.
var Rules = []Rule{
	{Confound, "differences between the inputs other than the one compared", confounds},
	{FailedCheck, "correctness suites that failed", failedChecks},
	{Collapse, "contestants whose ratio to the reference changes more than tenfold when the processors are busy", collapses},
	{Regression, "rows that became slower than in the earlier run", regressions},
	{TooGood, "a time of nothing, faster than an empty call, or without the allocations that all others need", tooGood},
	{Convergence, "a category whose contestants are as close as the noise allows, while they differ elsewhere", convergence},
	{ControlFailed, "replicas that differ from what they replicate", replicas},
	{NothingHappened, "counters of what a workload is about that are zero", metrics},
	{TwinDisagreement, "published categories whose corrected version has another winner or figures more than a factor of two away", twinDisagreements},
	{Wait, "sweeps that are mostly something fixed divided by the number that is varied", waits},
	{Duplicates, "categories or rows that measure one thing under two names", duplicateCategories},
	{Modes, "samples that fall into two groups", modes},
	{Jump, "one step of a sweep that is far larger than all others", jumps},
	{Mislabelled, "a contestant with twice the samples of its category, which lacks a contestant that all others have", mislabelled},
	{Garbled, "a name with a character where others of its series have a number", garbled},
	{LatencyGap, "contestants of a latency category that fall into groups a factor of five or more apart", latencyGaps},
	{Sensitivity, "a time that differs threefold or more between platforms", sensitivity},
	{InverseScale, "a sweep in which the cost of an operation rises by a quarter or more behind its best point", inverseScaling},
	{MemoryGrowth, "bytes without an allocation", memoryGrowth},
	{AllocMismatch, "allocations that differ although the code is the same", allocMismatch},
	{Improvement, "rows that became faster than in the earlier run", improvements},
	{MemoryGrowth, "more bytes than a rival with as many allocations", heavier},
	{Arithmetic, "rows of which the slowest few would decide an arithmetic mean", arithmetic},
	{Critical, "rows that a fixed critical value leaves out or lets in", critical},
}

// Find runs all rules. The gravest findings come first, those of one severity in the order of the rules.
func Find(a *Analysis) []Finding {
	var out []Finding
	for _, r := range Rules {
		out = append(out, r.Run(a)...)
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
