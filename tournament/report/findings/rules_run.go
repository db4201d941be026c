package findings

import (
	"fmt"
	"strconv"

	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// conditions are what the inputs should share, unless it is what is being compared.
var conditions = []struct {
	name  string
	of    func(*parse.Input) string // empty if not stated
	why   string
	grave Severity
}{
	{"operating system", func(in *parse.Input) string { return in.Env.GOOS }, "", Info},
	{"architecture", func(in *parse.Input) string { return in.Env.GOARCH }, "differences may come from the processor as much as from the operating system", Warning},
	{"GOMAXPROCS", func(in *parse.Input) string { return number(in.Env.GOMAXPROCS) }, "contended and parallel rows measure another situation", Warning},
	{"processor", func(in *parse.Input) string { return in.Env.CPU }, "the machines are not the same", Warning},
	{"Go version", func(in *parse.Input) string { return in.Env.GoVersion }, "runtime and compiler changes are mixed into every row", Warning},
	{"execution", func(in *parse.Input) string { return string(Execution(in.Env)) }, "times of an emulated machine are not comparable with those of a real one, and are not ranked", Problem},
	{"length of a sample", func(in *parse.Input) string { return number(int(in.Protocol.Benchtime.Milliseconds())) }, "rows that drift with the number of operations drift differently", Notice},
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func confounds(a *Analysis) []Finding {
	if len(a.Inputs) < 2 {
		return nil
	}
	var out []Finding
	var unstated []string
	for _, c := range conditions {
		var texts []string
		var order []string
		by := make(map[string][]string)
		missing := false
		for _, in := range a.Inputs {
			v := c.of(in)
			if v == "" {
				missing = true
				continue
			}
			if by[v] == nil {
				order = append(order, v)
			}
			by[v] = append(by[v], in.Label)
		}
		if missing {
			unstated = append(unstated, c.name)
		}
		if len(order) < 2 || c.grave == Info {
			continue
		}
		f := Finding{Kind: Confound, Severity: c.grave, Subject: c.name}
		for _, v := range order {
			texts = append(texts, fmt.Sprintf("%s (%s)", v, text.List(by[v], evidenceRows)))
			if n, err := strconv.ParseFloat(v, 64); err == nil {
				f.Evidence = append(f.Evidence, Figure{text.List(by[v], evidenceRows), n, c.name})
			}
		}
		f.Text = fmt.Sprintf("Not the same in all inputs: %s. It is %s; %s.", c.name, text.List(texts, evidenceRows), c.why)
		out = append(out, f)
	}
	if len(unstated) > 0 {
		out = append(out, Finding{Kind: Confound, Severity: Notice, Subject: "not stated",
			Text: fmt.Sprintf("Not every input states its %s; differences there cannot be ruled out.", text.List(unstated, evidenceRows))})
	}
	return out
}

func failedChecks(a *Analysis) []Finding {
	var out []Finding
	for _, in := range a.Inputs {
		type key struct{ suite, contestant string }
		seen := make(map[key]bool)
		for _, c := range in.Checks {
			k := key{c.Suite, c.Contestant}
			if c.Status != result.Fail || seen[k] {
				continue
			}
			seen[k] = true
			f := Finding{Kind: FailedCheck, Severity: Problem, Subject: c.Contestant,
				Text: fmt.Sprintf("%s fails %s on %s.", c.Contestant, c.Suite, in.Label), Evidence: []Figure{{"took", c.Duration.Seconds(), "s"}}}
			if c.Race {
				f.Text = fmt.Sprintf("%s fails %s on %s under the race detector.", c.Contestant, c.Suite, in.Label)
			}
			if c.Detail != "" {
				f.Text += " It says: " + shorten(c.Detail)
			}
			out = append(out, f)
		}
	}
	return out
}

func shorten(s string) string {
	const most = 300
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
