package findings

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/stats"
)

// twinDisagreements names published categories that their twin contradicts.
func twinDisagreements(a *Analysis) []Finding {
	var out []Finding
	for i, in := range a.Inputs {
		for _, d := range disagreements(a.of(i)) {
			first := d.Published.First()
			f := Finding{Kind: TwinDisagreement, Severity: Warning, Subject: d.Published.Category, Evidence: []Figure{
				{first.Contestant + " in " + d.Published.Category, first.Figure, "ns/op"},
				{first.Contestant + " in " + d.Twin.Category, d.Twin.Entry(first.Contestant).Figure, "ns/op"},
			}}
			f.Text = fmt.Sprintf("%s on %s does not measure what its name says: %s needs %s there and %s in %s, which corrects it.", d.Published.Category, in.Label,
				first.Contestant, Nanoseconds(first.Figure), Nanoseconds(d.Twin.Entry(first.Contestant).Figure), d.Twin.Category)
			if d.Other != nil {
				f.Text += fmt.Sprintf(" There %s is ahead.", d.Other.Contestant)
				f.Evidence = append(f.Evidence, Figure{d.Other.Contestant + " in " + d.Twin.Category, d.Other.Figure, "ns/op"})
			}
			out = append(out, f)
		}
	}
	return out
}

// duplicateCategories names categories that measure one thing twice.
func duplicateCategories(a *Analysis) []Finding {
	var out []Finding
	for i, in := range a.Inputs {
		for _, d := range duplicates(a.of(i)) {
			if d.Second.TwinOf == d.First.Category || d.First.TwinOf == d.Second.Category {
				continue // a twin that changes nothing is no news
			}
			f := Finding{Kind: Duplicates, Severity: Notice, Subject: d.Second.Category,
				Text: fmt.Sprintf("%s and %s are one measurement on %s: every contestant has the same figure in both, though the contestants differ. Together they count once.", d.First.Category, d.Second.Category, in.Label)}
			for _, e := range d.Second.Entries[:d.Second.ranked()] {
				f.Evidence = append(f.Evidence, Figure{e.Contestant, e.Figure / d.First.Entry(e.Contestant).Figure, "×"})
			}
			out = append(out, f)
		}
	}
	return append(out, duplicateRows(a)...)
}

// sameRow is the largest factor between two rows that measure one thing.
const sameRow = 1.15

// duplicateRows looks for rows without contestants that agree on every platform, with the same memory. Two platforms may
// agree by chance where costs are near; three hardly do, if the rows themselves change from one to the next.
func duplicateRows(a *Analysis) []Finding {
	if len(a.Inputs) < 3 {
		return nil
	}
	var rows []*group.Row
	for _, r := range a.Rows {
		if r.Contestant == "" && r.Complete() {
			rows = append(rows, r)
		}
	}
	same := func(x, y *group.Row) bool {
		least, most := math.Inf(1), 0.0
		for i := range a.Inputs {
			p, q := a.Cell(x, i), a.Cell(y, i)
			f := p.Time.Median / q.Time.Median
			if !(f < sameRow && f > 1/sameRow) || math.Abs(p.Allocs.Mean-q.Allocs.Mean) > 0.5 || math.Abs(p.Bytes.Mean-q.Bytes.Mean) > 1+0.02*p.Bytes.Mean {
				return false
			}
			least, most = math.Min(least, p.Time.Median), math.Max(most, p.Time.Median)
		}
		return most > differBy*least && least > 5
	}
	var found []string
	var figures []Figure
	taken := make(map[*group.Row]bool)
	for i, r := range rows {
		names := []string{short(r)}
		for _, o := range rows[i+1:] {
			if !taken[r] && !taken[o] && same(r, o) {
				names, taken[o] = append(names, short(o)), true
				figures = append(figures, Figure{short(r) + " over " + short(o), a.Cell(r, 0).Time.Median / a.Cell(o, 0).Time.Median, "×"})
			}
		}
		if len(names) > 1 {
			found = append(found, strings.Join(names, " = "))
		}
	}
	if found == nil {
		return nil
	}
	return []Finding{{Kind: Duplicates, Severity: Notice, Subject: "rows", Evidence: figures,
		Text: fmt.Sprintf("%s of rows agree in time and memory on all %d platforms, although the platforms differ: %s. Rows that agree so are repeats of one measurement rather than confirmations.", plural(len(found), "group", "groups"), len(a.Inputs), listed(found))}}
}

func short(r *group.Row) string { return strings.TrimPrefix(r.Label, "Benchmark") }

// waits names sweeps that measure a wait.
func waits(a *Analysis) []Finding {
	var out []Finding
	for _, sweep := range sweepsOf(a.Standings) {
		fits := sleeping(sweep)
		if fits == nil {
			continue
		}
		var fixed []float64
		f := Finding{Kind: Wait, Severity: Warning, Subject: sweep[0].Sweep.Family}
		for _, fit := range fits {
			fixed = append(fixed, fit.Fixed)
			f.Evidence = append(f.Evidence, Figure{fit.Contestant + ", fixed", fit.Fixed, "ns"}, Figure{fit.Contestant + ", for each operation", fit.Base, "ns/op"})
		}
		f.Text = fmt.Sprintf("%s on %s is mostly something fixed, about %s, divided by %s: a sleep, or another wait. It accounts for the shape of the sweep for %s; the sweep says little of what an operation costs.",
			sweep[0].Sweep.Family, a.Inputs[sweep[0].Input].Label, Nanoseconds(stats.Median(fixed)), sweep[0].Sweep.Param, plural(len(fits), "contestant", "contestants"))
		out = append(out, f)
	}
	return out
}

const (
	apart     = 1.5 // the factor between two modes
	withinGap = 0.4 // how wide a mode may be, as a share of the gap
)

// modes names rows whose samples fall into two groups.
func modes(a *Analysis) []Finding {
	var out []Finding
	for i, in := range a.Inputs {
		var rows []string
		f := Finding{Kind: Modes, Severity: Notice, Subject: in.Label}
		for _, r := range a.Rows {
			low, high, ok := split(r.Cells[i].Ns())
			if !ok {
				continue
			}
			rows = append(rows, short(r))
			if len(f.Evidence) < evidenceFigures {
				f.Evidence = append(f.Evidence, Figure{short(r) + ", low", low, "ns/op"}, Figure{short(r) + ", high", high, "ns/op"})
			}
		}
		if len(rows) == 0 {
			continue
		}
		f.Text = fmt.Sprintf("On %s the samples of %s fall into two groups with a gap between them: %s. Something switches from sample to sample, and one figure describes neither.", in.Label, plural(len(rows), "row", "rows"), listed(rows))
		out = append(out, f)
	}
	return out
}

// split finds a gap with two samples or more on either side.
func split(xs []float64) (low, high float64, ok bool) {
	if len(xs) < 4 {
		return 0, 0, false
	}
	xs = slices.Sorted(slices.Values(xs))
	for k := 2; k <= len(xs)-2; k++ {
		gap := math.Log(xs[k] / xs[k-1])
		if gap > math.Log(apart) && math.Log(xs[k-1]/xs[0]) < withinGap*gap && math.Log(xs[len(xs)-1]/xs[k]) < withinGap*gap {
			return stats.Median(xs[:k]), stats.Median(xs[k:]), true
		}
	}
	return 0, 0, false
}

const (
	unequal       = 30
	fewOperations = 1000
)

// unequalWork names categories whose contestants did very different numbers of operations, some few.
func unequalWork(a *Analysis) []Finding {
	var out []Finding
	for _, s := range a.Standings {
		var least, most *Entry
		of := func(e *Entry) float64 {
			n := e.Row.Cells[s.Input].Samples
			return float64(n[len(n)/2].N)
		}
		for _, e := range s.Entries[:s.ranked()] {
			if least == nil || of(e) < of(least) {
				least = e
			}
			if most == nil || of(e) > of(most) {
				most = e
			}
		}
		if least == nil || of(least) == 0 || of(least) >= fewOperations || of(most) < unequal*of(least) {
			continue
		}
		out = append(out, Finding{Kind: UnequalWork, Severity: Warning, Subject: s.Category,
			Evidence: []Figure{{"operations of " + most.Contestant, of(most), ""}, {"operations of " + least.Contestant, of(least), ""}},
			Text: fmt.Sprintf("%s on %s is not the same work for all: %s did %s operations in a sample, %s %s. What comes in bursts, or once in a sample, weighs differently.", s.Category, a.Inputs[s.Input].Label,
				most.Contestant, count(of(most)), least.Contestant, count(of(least)))})
	}
	return out
}

func count(v float64) string { return fmt.Sprintf("%.0f", v) }

const (
	jump      = 3
	othersMay = 0.6 // the next largest step, as a share of the jump, on the logarithmic scale
)

// jumps names sweeps in which one step changes the figure by far more than all others.
func jumps(a *Analysis) []Finding {
	var out []Finding
	for _, sweep := range sweepsOf(a.Standings) {
		if len(sweep) < sweepLeast || sweep[0].Sweep.Param == "" {
			continue
		}
		var who []string
		f := Finding{Kind: Jump, Severity: Notice, Subject: sweep[0].Sweep.Family}
		for _, e := range sweep[0].Entries {
			from, to, by, ok := steepest(sweep, e.Contestant)
			if !ok {
				continue
			}
			who = append(who, fmt.Sprintf("%s (%s from %g to %g)", e.Contestant, Factor(by), from, to))
			f.Evidence = append(f.Evidence, Figure{fmt.Sprintf("%s, from %g to %g", e.Contestant, from, to), by, "×"})
		}
		if len(who) == 0 {
			continue
		}
		f.Text = fmt.Sprintf("%s on %s jumps between neighbours: %s. The other steps are far smaller, so that a limit lies there, of the workload, the scheduler or the design.", sweep[0].Sweep.Family, a.Inputs[sweep[0].Input].Label, listed(who))
		out = append(out, f)
	}
	return out
}

func steepest(sweep []*Standing, contestant string) (from, to, by float64, ok bool) {
	var before *Entry
	var steps []float64
	for _, s := range sweep {
		e := s.Entry(contestant)
		if e == nil || e.Place == 0 {
			continue
		}
		if before != nil {
			step := math.Abs(math.Log(e.Figure / before.Figure))
			if len(steps) == 0 || step > slices.Max(steps) {
				from, to, by = before.Row.Sweep.X, e.Row.Sweep.X, math.Exp(step)
			}
			steps = append(steps, step)
		}
		before = e
	}
	if len(steps) < sweepLeast-1 {
		return 0, 0, 0, false
	}
	slices.Sort(steps)
	return from, to, by, by > jump && steps[len(steps)-2] < othersMay*steps[len(steps)-1]
}

// metrics names figures beside the time that are the same whatever is measured, and counters of work that are zero.
func metrics(a *Analysis) []Finding {
	var out []Finding
	type key struct{ category, unit string }
	for i, in := range a.Inputs {
		values := make(map[key][]float64)
		rows := make(map[key]int)
		var order []key
		for _, r := range a.Rows {
			c := r.Cells[i]
			if c == nil {
				continue
			}
			for _, unit := range slices.Sorted(maps.Keys(c.Metrics)) {
				k := key{r.Category, unit}
				if values[k] == nil {
					order = append(order, k)
				}
				values[k] = append(values[k], c.Metrics[unit]...)
				rows[k]++
			}
		}
		for _, k := range order {
			least, most := slices.Min(values[k]), slices.Max(values[k])
			if least != most || len(values[k]) < 3 {
				continue
			}
			if least == 0 {
				out = append(out, Finding{Kind: NothingHappened, Severity: Problem, Subject: k.category, Evidence: []Figure{{k.unit, 0, ""}, {"samples", float64(len(values[k])), ""}},
					Text: fmt.Sprintf("%s on %s never does what it counts: %s is zero in every sample. The time is that of something else.", k.category, in.Label, k.unit)})
			} else if rows[k] >= 3 {
				out = append(out, Finding{Kind: ConstantMetric, Severity: Info, Subject: k.category, Evidence: []Figure{{k.unit, least, ""}, {"samples", float64(len(values[k])), ""}},
					Text: fmt.Sprintf("%s on %s: %s is %g in every sample of every contestant. It is a condition of the workload, or not measured; it tells nothing about them.", k.category, in.Label, k.unit, least)})
			}
		}
	}
	return out
}

// secondEntries reports on contestants that were entered twice.
func secondEntries(a *Analysis) []Finding {
	var out []Finding
	for _, s := range a.Standings {
		if s.Again == nil || !s.Again.Apart {
			continue
		}
		out = append(out, Finding{Kind: ToldApart, Severity: Problem, Subject: s.Category, Evidence: []Figure{{"ratio", s.Again.Ratio, "×"}, {"p", s.Again.P, ""}},
			Text: fmt.Sprintf("%s on %s tells two entries of %s apart, by %s: its noise is not what the test takes it for, and its verdicts are not to be relied on.", s.Category, a.Inputs[s.Input].Label, s.Again.First, percent(math.Abs(s.Again.Ratio-1)))})
	}
	return out
}

// garbled names rows of a series whose number is no number.
func garbled(a *Analysis) []Finding {
	type series struct {
		numbers []string
		odd     []*group.Row
	}
	by := make(map[string]*series)
	var order []string
	for _, r := range a.Rows {
		i := strings.LastIndexAny(r.Category, "_=")
		if i < 0 || i == len(r.Category)-1 || !strings.Contains(r.Category, "/") {
			continue
		}
		stem, rest := r.Category[:i], r.Category[i+1:]
		if by[stem] == nil {
			by[stem] = new(series)
			order = append(order, stem)
		}
		switch s := by[stem]; {
		case strings.Trim(rest, "0123456789") == "":
			s.numbers = append(s.numbers, rest)
		case len(rest) == 1 && !strings.ContainsAny(strings.ToLower(rest), "abcdefghijklmnopqrstuvwxyz"):
			s.odd = append(s.odd, r)
		}
	}
	var names []string
	f := Finding{Kind: Garbled, Severity: Notice, Subject: "names"}
	for _, stem := range order {
		if s := by[stem]; len(s.numbers) > 0 {
			for _, r := range s.odd {
				names = append(names, short(r))
				f.Evidence = append(f.Evidence, Figure{r.Name, float64([]rune(r.Category[len(stem)+1:])[0]) - '0', "as a digit"})
			}
		}
	}
	if names == nil {
		return nil
	}
	f.Text = fmt.Sprintf("%s a character where the others of the series have a number: %s. A number was probably printed as a character; as a digit it would be the one that the evidence gives.", plural(len(names), "row has", "rows have"), listed(names))
	return []Finding{f}
}

const fewRows = 3

// arithmetic says that a mean over rows would be decided by few of them.
func arithmetic(a *Analysis) []Finding {
	var out []Finding
	for i, in := range a.Inputs {
		var means []float64
		sum := 0.0
		for _, r := range a.Rows {
			if c := a.Cell(r, i); c.Time.N > 0 {
				means = append(means, c.Time.Mean)
				sum += c.Time.Mean
			}
		}
		if len(means) < 5*fewRows {
			continue
		}
		slices.Sort(means)
		top := 0.0
		for _, m := range means[len(means)-fewRows:] {
			top += m
		}
		if top > sum/2 {
			out = append(out, Finding{Kind: Arithmetic, Severity: Info, Subject: in.Label, Evidence: []Figure{{"share of the slowest three", top / sum, ""}, {"arithmetic mean", sum / float64(len(means)), "ns/op"}, {"middle row", stats.Median(means), "ns/op"}},
				Text: fmt.Sprintf("An arithmetic mean over the %d rows of %s would say nothing of most of them: the slowest %d hold %s of the sum. It would be %s, where the middle row needs %s.", len(means), in.Label, fewRows, percent(top/sum), Nanoseconds(sum/float64(len(means))), Nanoseconds(stats.Median(means)))})
		}
	}
	return out
}

// critical says what a fixed critical value would leave out.
func critical(a *Analysis) []Finding {
	var out []Finding
	for _, p := range a.Pairs {
		sig := a.Significance(p)
		if p.Incomparable != "" || sig.Fixed == sig.Raw {
			continue
		}
		f := Finding{Kind: Critical, Severity: Info, Subject: a.Name(p), Evidence: []Figure{{"rows by the fixed value", float64(sig.Fixed), ""}, {"rows by their own degrees of freedom", float64(sig.Raw), ""}, {"rows after Holm's correction", float64(sig.Holm), ""}},
			Text: fmt.Sprintf("Between %s a fixed critical value of %g would find %d significant rows; by their own degrees of freedom there are %d, and %d after Holm's correction for %d tests.", a.Name(p), FixedCritical, sig.Fixed, sig.Raw, sig.Holm, sig.Tested)}
		out = append(out, f)
	}
	return out
}

const extraBytes = 1.5

// heavier names contestants that need far more bytes than a rival with as many allocations: a buffer or a backlog that
// grows is not an allocation for each operation.
func heavier(a *Analysis) []Finding {
	var out []Finding
	for i, in := range a.Inputs {
		var rows []string
		f := Finding{Kind: MemoryGrowth, Severity: Notice, Subject: in.Label}
		for _, s := range a.of(i) {
			for _, e := range s.Entries {
				for _, o := range s.Entries {
					if e.Dubious+o.Dubious == "" && e.Bytes.N > 0 && o.Bytes.N > 0 && o.Bytes.Mean >= 8 && o.Allocs.Mean > 0.5 &&
						math.Abs(e.Allocs.Mean-o.Allocs.Mean) < 0.05 && e.Bytes.Mean > extraBytes*o.Bytes.Mean && e.Bytes.Mean > o.Bytes.Mean+8 {
						rows = append(rows, short(e.Row))
						if len(f.Evidence) < evidenceFigures {
							f.Evidence = append(f.Evidence, Figure{short(e.Row), e.Bytes.Mean, "B/op"}, Figure{"and " + o.Contestant, o.Bytes.Mean, "B/op"})
						}
						break
					}
				}
			}
		}
		if len(rows) > 0 {
			f.Text = fmt.Sprintf("On %s %s half as many bytes again as a rival with the same number of allocations: %s. What is not allocated for an operation is a buffer or backlog that grows with the run.", in.Label, plural(len(rows), "row needs", "rows need"), listed(rows))
			out = append(out, f)
		}
	}
	return out
}
