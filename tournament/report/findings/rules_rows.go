package findings

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

func short(r *group.Row) string { return strings.TrimPrefix(r.Label, "Benchmark") }

// rowsOf makes one finding for each input from the rows that pick names. The text has a verb for the number of rows and a list of them.
func (a *Analysis) rowsOf(kind Kind, severity Severity, pick func(r *group.Row, input int) (name string, evidence []Figure), format func(n int, list string) string) (out []Finding) {
	for i, in := range a.Inputs {
		f := Finding{Kind: kind, Severity: severity, Subject: in.Label}
		var names []string
		for _, r := range a.Rows {
			if name, evidence := pick(r, i); name != "" {
				names = append(names, name)
				f.Evidence = append(f.Evidence, evidence...)
			}
		}
		if names != nil {
			f.Evidence = f.Evidence[:min(len(f.Evidence), evidenceFigures)]
			f.Text = "On " + in.Label + " " + format(len(names), text.List(names, evidenceRows))
			out = append(out, f)
		}
	}
	return out
}

// emptyCall is the row that measures a call of an empty function.
const emptyCall = "BenchmarkLatencyDirectCall"

// barren is how many allocations all others must need for a contestant without any to look suspicious.
const barren = 10

func tooGood(a *Analysis) (out []Finding) {
	for i, in := range a.Inputs {
		var empty *Cell
		for _, r := range a.Rows {
			if r.Name == emptyCall && r.Cells[i] != nil {
				empty = a.Cell(r, i)
			}
		}
		for _, r := range a.Rows {
			c := a.Cell(r, i)
			add := func(severity Severity, evidence Figure, format string, args ...any) {
				out = append(out, Finding{Kind: TooGood, Severity: severity, Subject: r.Label, Text: r.Label + " on " + in.Label + " " + fmt.Sprintf(format, args...),
					Evidence: []Figure{{"time", c.Time.Median, "ns/op"}, {"allocations", c.Allocs.Mean, "allocs/op"}, evidence}})
			}
			least, rivals := math.Inf(1), 0
			for _, o := range a.categories[r.Category] {
				if oc := a.Cell(o, i); o != r && oc.Allocs.N > 0 && impossible(oc) == "" && rival(o.Contestant, r.Contestant) {
					rivals++
					least = min(least, oc.Allocs.Mean)
				}
			}
			switch {
			case c.Time.N == 0:
			case impossible(c) != "":
				add(Problem, Figure{"a cycle", cycle, "ns"}, "takes %s for an operation, less than one processor cycle: the operation did not run. It is left out of rankings.", text.Duration(c.Time.Median))
			case empty != nil && r.Name != emptyCall && c.Time.Hi < empty.Time.Lo:
				add(Warning, Figure{"empty call", empty.Time.Mean, "ns/op"}, "takes %.3g ns, less than the %.3g ns of an empty call in the same run: the compiler has probably removed what it should measure.", c.Time.Mean, empty.Time.Mean)
			case r.Contestant != "" && c.Allocs.N > 0 && c.Allocs.Max == 0 && rivals >= 2 && least >= barren:
				add(Warning, Figure{"least of the rivals", least, "allocs/op"}, "does not allocate, where every rival needs %.0f allocations or more: check that it does the same work.", least)
			}
		}
	}
	return out
}

// word is the least number of bytes that counts as growth: fewer may come from rounding.
const word = 8

func memoryGrowth(a *Analysis) []Finding {
	return a.rowsOf(MemoryGrowth, Warning, func(r *group.Row, i int) (string, []Figure) {
		c := a.Cell(r, i)
		if c.Allocs.N == 0 || c.Allocs.Mean >= 0.5 || c.Bytes.Mean < word {
			return "", nil
		}
		return r.Label, []Figure{{r.Label, c.Bytes.Mean, "B/op"}}
	}, func(n int, list string) string {
		return fmt.Sprintf("%s bytes with less than one allocation for two operations: %s. That is mostly a buffer or backlog that grows; such a figure drifts with the number of operations.", text.Count(n, "row shows", "rows show"), list)
	})
}

const extraBytes = 1.5

// heavier names contestants that need far more bytes than a rival with as many allocations: a buffer or a backlog that
// grows is not an allocation for each operation.
func heavier(a *Analysis) []Finding {
	return a.rowsOf(MemoryGrowth, Notice, func(r *group.Row, i int) (string, []Figure) {
		c := a.Cell(r, i)
		for _, row := range a.categories[r.Category] {
			o := a.Cell(row, i)
			if c.Bytes.N > 0 && o.Bytes.N > 0 && impossible(c)+impossible(o) == "" && o.Bytes.Mean >= word && o.Allocs.Mean > 0.5 &&
				math.Abs(c.Allocs.Mean-o.Allocs.Mean) < 0.05 && c.Bytes.Mean > extraBytes*o.Bytes.Mean && c.Bytes.Mean > o.Bytes.Mean+word {
				return short(r), []Figure{{short(r), c.Bytes.Mean, "B/op"}, {"and " + row.Contestant, o.Bytes.Mean, "B/op"}}
			}
		}
		return "", nil
	}, func(n int, list string) string {
		return fmt.Sprintf("%s 1.5 times the bytes of a rival with the same number of allocations, or more: %s. What is not allocated for an operation is a buffer or backlog that grows with the run.", text.Count(n, "row needs", "rows need"), list)
	})
}

// modes names rows whose samples fall into two groups.
func modes(a *Analysis) []Finding {
	return a.rowsOf(Modes, Notice, func(r *group.Row, i int) (string, []Figure) {
		m, ok := stats.ModesOf(r.Cells[i].Ns())
		if !ok {
			return "", nil
		}
		return fmt.Sprintf("%s (%s)", short(r), m), []Figure{{short(r) + ", low", m.Fast, "ns/op"}, {short(r) + ", high", m.Slow, "ns/op"}, {short(r) + ", share of high", 100 * m.Share, "%"}}
	}, func(n int, list string) string {
		return fmt.Sprintf("the samples of %s fall into two groups: %s. Something switches from sample to sample, and one figure describes neither.", text.Count(n, "row", "rows"), list)
	})
}

// garbled names rows of a series whose number is no number.
func garbled(a *Analysis) []Finding {
	numbered := make(map[string]bool) // stems of series
	split := func(r *group.Row) (stem, rest string) {
		if i := strings.LastIndexAny(r.Category, "_="); i >= 0 && strings.Contains(r.Category, "/") {
			return r.Category[:i], r.Category[i+1:]
		}
		return "", ""
	}
	for _, r := range a.Rows {
		if stem, rest := split(r); rest != "" && strings.Trim(rest, "0123456789") == "" {
			numbered[stem] = true
		}
	}
	return a.rowsOf(Garbled, Notice, func(r *group.Row, i int) (string, []Figure) {
		stem, rest := split(r)
		if !numbered[stem] || len(rest) != 1 || rest[0] >= '0' && rest[0] <= '9' || rest[0]|' ' >= 'a' && rest[0]|' ' <= 'z' {
			return "", nil
		}
		return short(r), []Figure{{r.Name, float64(rest[0]) - '0', "as a digit"}}
	}, func(n int, list string) string {
		return fmt.Sprintf("%s a character where the others of the series have a number: %s. A number was probably printed as a character; as a digit it would be the one that the evidence gives.", text.Count(n, "row has", "rows have"), list)
	})
}

const fewRows = 3

// arithmetic says that a mean over rows would be decided by few of them.
func arithmetic(a *Analysis) (out []Finding) {
	for i, in := range a.Inputs {
		var means []float64
		sum, top := 0.0, 0.0
		for _, r := range a.Rows {
			if c := a.Cell(r, i); c.Time.N > 0 {
				means = append(means, c.Time.Mean)
				sum += c.Time.Mean
			}
		}
		slices.Sort(means)
		for _, m := range means[max(0, len(means)-fewRows):] {
			top += m
		}
		if len(means) < 5*fewRows || top <= sum/2 {
			continue
		}
		mean, middle := sum/float64(len(means)), stats.Median(means)
		out = append(out, Finding{Kind: Arithmetic, Severity: Info, Subject: in.Label, Evidence: []Figure{{"share of the slowest three", top / sum, ""}, {"arithmetic mean", mean, "ns/op"}, {"middle row", middle, "ns/op"}},
			Text: fmt.Sprintf("An arithmetic mean over the %d rows of %s would say nothing of most of them: the slowest %d hold %s of the sum. It would be %s, where the middle row needs %s.", len(means), in.Label, fewRows, text.Percent(top/sum), text.Duration(mean), text.Duration(middle))})
	}
	return out
}

// idle names counters of work that are zero in every sample of a category. A counter has a unit such as handlers/op.
func idle(a *Analysis) (out []Finding) {
	for i, in := range a.Inputs {
		sums, counts := make(map[string]map[string]float64), make(map[string]map[string]int) // by unit, then category
		for _, r := range a.Rows {
			if r.Cells[i] == nil {
				continue
			}
			for unit, values := range r.Cells[i].Metrics {
				if !strings.HasSuffix(unit, "/op") || strings.HasSuffix(unit, "ns/op") {
					continue
				}
				if sums[unit] == nil {
					sums[unit], counts[unit] = make(map[string]float64), make(map[string]int)
				}
				counts[unit][r.Category] += len(values)
				for _, v := range values {
					sums[unit][r.Category] += math.Abs(v)
				}
			}
		}
		for _, unit := range slices.Sorted(maps.Keys(sums)) {
			var zero []string
			f := Finding{Kind: NothingHappened, Severity: Warning, Subject: in.Label}
			for _, category := range slices.Sorted(maps.Keys(sums[unit])) {
				if sums[unit][category] == 0 && counts[unit][category] >= 3 {
					zero = append(zero, category)
					f.Evidence = append(f.Evidence, Figure{unit + " in " + category, 0, ""})
				}
			}
			if len(zero) == 1 {
				f.Subject = zero[0]
			}
			if zero != nil {
				f.Text = fmt.Sprintf("On %s %s is zero in every sample of %s: %s. No such work was done, so the time is that of something else.", in.Label, unit, text.Count(len(zero), "category", "categories"), text.List(zero, evidenceRows))
				out = append(out, f)
			}
		}
	}
	return out
}
