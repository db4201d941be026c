// Package parse reads benchmark figures from the formats the reporter accepts: the output of go test -bench with any
// other program's lines in between, the tournament's results.json, and the published five-run JSON.
//
// Nothing is dropped silently. What could not be used, and what had to be repaired before it could, is kept as an
// [Issue] with the file and line it came from.
package parse

import (
	"fmt"
	"time"

	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// Limits on one input. They exist so that a hostile or mistaken file ends in an error instead of in swap.
const (
	// MaxRows is the number of different benchmarks one input may hold.
	MaxRows = 250_000
	// MaxJSON is the size of a JSON input in bytes. Benchmark text is streamed and has no such limit.
	MaxJSON = 256 << 20
	// MaxLine is the length of a line of benchmark text in bytes. Longer lines are reported and skipped.
	MaxLine = 16 << 10
	// MaxFigure is the largest figure believed, in any unit.
	MaxFigure = result.MaxFigure
)

// A Format is one of the formats that can be read.
type Format string

// The formats.
const (
	FormatText       Format = "go test -bench"
	FormatTournament Format = "tournament results"
	FormatPublished  Format = "published JSON"
)

// An Input is everything read from one file or directory.
type Input struct {
	// Label names the input in tables: the platform where the file states it, otherwise the file.
	Label string
	// Path is the file the figures came from.
	Path   string
	Format Format
	// Env describes the machine; zero fields were not stated.
	Env         result.Environment
	Protocol    result.Protocol
	Rows        []*Row
	Checks      []result.Check
	Loads       []result.Row // open-loop categories, which are not ranked: package load says what follows from them
	Interrupted bool
	About       result.About

	// Lines is the number of lines read.
	Lines int
	IssueList
}

// A Row is one benchmark with its samples.
type Row struct {
	// Name is the published name with "Benchmark" and without the -N suffix.
	Name string
	// Package is the import path in whose section of the log the row stood, if the log says.
	Package string
	// Procs is the -N suffix, or 0.
	Procs int
	// Line is where the row first appeared.
	Line int

	// Category, Contestant and Kind are set by formats that keep them apart, otherwise empty.
	Category   string
	Contestant string
	Kind       result.Kind
	TwinOf     string
	// Family is the default member of the contestant's family, empty if it is that; Excluded is why the category decides nothing.
	Family, Excluded string
	// Cost is what one process took for the row; 0 if nobody says.
	Cost time.Duration

	Samples []Sample
	// Metrics holds the figures with units other than ns/op, B/op and allocs/op.
	Metrics map[string][]float64

	// Error and NotApplicable say why a row has no samples.
	Error         string
	NotApplicable string
}

// A Sample is one measurement of a row.
type Sample struct {
	N      int     // iterations, 0 if not stated
	Ns     float64 // ns/op
	Bytes  float64 // B/op, meaningless unless HasMem
	Allocs float64 // allocs/op, meaningless unless HasMem
	Line   int
	HasMem bool // the run reported memory

	// Process and Round say when the sample was taken, both from 1; 0 where a format does not say.
	Process, Round int
}

// Measured reports whether the row has samples. A nil Row stands for one that an input lacks.
func (r *Row) Measured() bool { return r != nil && len(r.Samples) > 0 }

// Ns returns the ns/op of every sample.
func (r *Row) Ns() []float64 {
	return r.figures(func(s Sample) (float64, bool) { return s.Ns, true })
}

// Points returns the ns/op of every sample with when it was taken.
func (r *Row) Points() []stats.Point {
	if r == nil {
		return nil
	}
	out := make([]stats.Point, len(r.Samples))
	for i, s := range r.Samples {
		out[i] = stats.Point{Process: s.Process, Round: s.Round, X: s.Ns}
		if s.Round == 0 {
			out[i].Round = i + 1
		}
	}
	return out
}

// Bytes returns the B/op of the samples that reported memory.
func (r *Row) Bytes() []float64 {
	return r.figures(func(s Sample) (float64, bool) { return s.Bytes, s.HasMem })
}

// Allocs returns the allocs/op of the samples that reported memory.
func (r *Row) Allocs() []float64 {
	return r.figures(func(s Sample) (float64, bool) { return s.Allocs, s.HasMem })
}

func (r *Row) figures(of func(Sample) (float64, bool)) []float64 {
	if r == nil {
		return nil
	}
	out := make([]float64, 0, len(r.Samples))
	for _, s := range r.Samples {
		if v, ok := of(s); ok {
			out = append(out, v)
		}
	}
	return out
}

// An IssueKind sorts issues.
type IssueKind string

// The kinds of issue.
const (
	Noise      IssueKind = "noise"        // a line that is not benchmark output
	Recovered  IssueKind = "recovered"    // a result torn apart by other output and put together again
	Unparsable IssueKind = "unparsable"   // benchmark output that could not be used
	Duplicate  IssueKind = "duplicate"    // a row or sample that appears twice
	Failed     IssueKind = "failed"       // the log says that something failed
	Truncated  IssueKind = "truncated"    // the file seems to end early
	NotRead    IssueKind = "not read"     // a file that was left alone
	Doubtful   IssueKind = "doubtful"     // the file contradicts itself
	OneSided   IssueKind = "one side"     // a row that not every input has
	Uneven     IssueKind = "sample count" // a row with fewer or more samples than others
)

// IssueKinds lists the kinds in the order in which reports show them, gravest first.
var IssueKinds = []IssueKind{
	Unparsable, Failed, Truncated, Doubtful, Duplicate, OneSided, Uneven, Recovered, NotRead, Noise,
}

// maxKept bounds the issues of one kind that are kept with their text; the rest is only counted.
const maxKept = 200

// An Issue is something in an input that the reader of a report should know.
type Issue struct {
	Kind IssueKind
	File string
	Line int // 0 if the issue is about the whole file
	Text string
}

// String gives the issue as file:line: kind: text.
func (i Issue) String() string {
	if i.Line == 0 {
		return fmt.Sprintf("%s: %s: %s", i.File, i.Kind, i.Text)
	}
	return fmt.Sprintf("%s:%d: %s: %s", i.File, i.Line, i.Kind, i.Text)
}

// An IssueList collects issues without growing with a hostile input.
type IssueList struct {
	// Issues holds up to maxKept issues of each kind; Counts holds how many there were.
	Issues []Issue
	Counts map[IssueKind]int
}

// Note records an issue.
func (l *IssueList) Note(kind IssueKind, file string, line int, format string, args ...any) {
	if l.Counts == nil {
		l.Counts = make(map[IssueKind]int)
	}
	l.Counts[kind]++
	if l.Counts[kind] <= maxKept {
		l.Issues = append(l.Issues, Issue{kind, file, line, fmt.Sprintf(format, args...)})
	}
}

// Add records an issue of the input's own file.
func (in *Input) Add(kind IssueKind, line int, format string, args ...any) {
	in.Note(kind, in.Path, line, format, args...)
}

// Rename gives the input and its issues another path.
func (in *Input) Rename(path string) {
	for i := range in.Issues {
		if in.Issues[i].File == in.Path {
			in.Issues[i].File = path
		}
	}
	in.Path = path
}

// An Error is why an input could not be read at all.
type Error struct {
	File string
	Line int // 0 if the whole file is meant
	Msg  string
	Err  error // the cause, if another package reported it
}

// Error gives the error as file:line: message.
func (e *Error) Error() string {
	where := e.File
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	return where + ": " + e.Msg
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// parseDate reads the two ways in which inputs write dates. A zero time means that the text was neither.
func parseDate(s string) time.Time {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

// quote shortens hostile or merely long text for messages.
func quote[T string | []byte](s T) string {
	const most = 120
	if len(s) > most {
		return fmt.Sprintf("%q… (%d bytes)", s[:most], len(s))
	}
	return fmt.Sprintf("%q", s)
}
