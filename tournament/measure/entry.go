// Package measure measures a tournament: every contestant in every category, interleaved, with samples of one length.
package measure

import (
	"time"

	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/promises/design"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

// An Entry is one contestant in one category. Anything that produces samples can be run, a loop or something else.
type Entry struct {
	Category   string
	Kind       result.Kind
	TwinOf     string
	Contestant string
	Control    bool // the contestant is there to compare with

	// About says in a line what an operation of the category is, Mechanism how the contestant works.
	About, Mechanism string

	// Burst is what the number of operations is a multiple of, if not 0.
	Burst int

	// Shortest is the least length of a sample, where the plan's would be too short to say anything.
	Shortest time.Duration

	// Applicable says why the contestant cannot take part, or nothing. Nil means it can.
	Applicable func() (reason string, err error)

	// Family is the name of the default member of the contestant's family; empty if it is one itself.
	Family string

	// Excluded is why the category decides nothing.
	Excluded string

	// Sample performs n operations, in at most about the time that patience gives.
	Sample func(n int, patience time.Duration) (result.Sample, error)

	// Slice is Sample without the checks that take longer than a slice of a few milliseconds. Nil means Sample.
	Slice func(n int, patience time.Duration) (result.Sample, error)
}

// Loops makes the entries for event loops: every contestant in every workload, category by category.
func Loops(workloads []workload.Workload, loops []contestant.Contestant) []Entry {
	return entries(workloads, loops, func(w workload.Workload, c contestant.Contestant) Entry {
		return Entry{
			Category: w.Name, Kind: w.Kind, TwinOf: w.TwinOf, About: w.About, Burst: w.Burst, Shortest: w.Shortest, Excluded: w.Excluded,
			Contestant: c.Name, Mechanism: c.About, Family: c.Family, Control: c.Control,
		}
	})
}

// Promises makes the entries for promise designs: every design in every promise category, category by category.
func Promises(workloads []workload.Promise, designs []design.Design) []Entry {
	return entries(workloads, designs, func(w workload.Promise, d design.Design) Entry {
		return Entry{
			Category: w.Name, Kind: w.Kind, TwinOf: w.TwinOf, About: w.About, Burst: w.Burst, Excluded: w.Excluded,
			Contestant: d.Name, Mechanism: d.About,
		}
	})
}

// A category measures contestants of one kind.
type category[W, C any] interface {
	*W
	Applicable(C) (reason string, err error)
	Sample(c C, n int, patience time.Duration) (result.Sample, error)
	Slice(c C, n int, patience time.Duration) (result.Sample, error)
}

// entries makes an entry for every contestant in every category. The function describe fills in its fields, entries its functions.
func entries[C, W any, P category[W, C]](categories []W, contestants []C, describe func(W, C) Entry) []Entry {
	var all []Entry
	for i := range categories {
		w := P(&categories[i])
		for _, c := range contestants {
			e := describe(categories[i], c)
			e.Applicable = func() (string, error) { return w.Applicable(c) }
			e.Sample = func(n int, patience time.Duration) (result.Sample, error) { return w.Sample(c, n, patience) }
			e.Slice = func(n int, patience time.Duration) (result.Sample, error) { return w.Slice(c, n, patience) }
			all = append(all, e)
		}
	}
	return all
}

// row is where the entry's samples go.
func (e *Entry) row() result.Row {
	return result.Row{Category: e.Category, Kind: e.Kind, TwinOf: e.TwinOf, Contestant: e.Contestant, Family: e.Family, Control: e.Control, Excluded: e.Excluded}
}

// about collects the descriptions of the entries.
func about(entries []Entry) result.About {
	a := result.About{Categories: make(map[string]string), Contestants: make(map[string]string)}
	for i := range entries {
		if e := &entries[i]; e.About != "" {
			a.Categories[e.Category] = e.About
		}
		if e := &entries[i]; e.Mechanism != "" {
			a.Contestants[e.Contestant] = e.Mechanism
		}
	}
	return a
}
