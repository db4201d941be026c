package findings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

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
	f.Text = fmt.Sprintf("%s a character where the others of the series have a number: %s. A number was probably printed as a character; as a digit it would be the one that the evidence gives.", text.Count(len(names), "row has", "rows have"), text.List(names, evidenceRows))
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
				Text: fmt.Sprintf("An arithmetic mean over the %d rows of %s would say nothing of most of them: the slowest %d hold %s of the sum. It would be %s, where the middle row needs %s.", len(means), in.Label, fewRows, text.Percent(top/sum), text.Duration(sum/float64(len(means))), text.Duration(stats.Median(means)))})
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
