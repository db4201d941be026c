package summary

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/stats"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// A Bound is what the project demands of Main in a category, as the largest ratio to a rival's time.
type Bound struct{ Baseline, Channel float64 }

// bounds has the published categories that have one.
var bounds = map[string]Bound{
	"PingPong":                               {0.70, 1.05},
	"PingPongLatency":                        {0.85, 1.05},
	"MultiProducer":                          {0.45, 0.65},
	"MultiProducerContention":                {0.45, 0.65},
	"GCPressure":                             {0.80, 1.00},
	"GCPressure_Allocations":                 {0.75, 1.10},
	"BurstSubmit":                            {0.60, 0.75},
	"MicroWakeupSyscall_Running":             {0.50, 0.75},
	"MicroWakeupSyscall_Sleeping":            {0.35, 0.60},
	"MicroWakeupSyscall_RapidSubmit":         {0.35, 0.60},
	"MicroBatchBudget_Throughput/Burst=1024": {0.75, 1.05},
	"MicroBatchBudget_Latency/Burst=1024":    {0.50, 1.05},
	"MicroBatchBudget_Continuous":            {0.65, 1.05},
}

// WriteRatios writes Markdown tables. One has, for each category of loops, the figures of Main, Baseline and Channel, and
// Main's as a share of the others', with the bound where there is one. Categories in which others compete, such as
// those of promises, follow with the figures of all who do.
func WriteRatios(w io.Writer, f *result.File) error {
	categories, err := Of(f)
	if err != nil {
		return err
	}
	return writeTables(w, f, categories, bounds)
}

// WritePublished writes a table of the published categories of loops, those that are lost included, with all contestants
// that are no variants of another, and one of those of promises. Of a sweep one point stands for all.
func WritePublished(w io.Writer, f *result.File) error {
	categories, err := Of(f)
	if err != nil {
		return err
	}
	var b strings.Builder
	writeHead(&b, f)
	published := slices.DeleteFunc(categories, func(c Category) bool {
		return c.Kind != result.KindLoop && c.Kind != result.KindPromise || c.Point
	})
	for i := range published {
		published[i].Standings = slices.DeleteFunc(published[i].Standings, func(s Standing) bool {
			return strings.Contains(s.Contestant, "-") // a variant, or a second entry
		})
	}
	for _, group := range Groups(published) {
		writeStandings(&b, group)
	}
	_, err = io.WriteString(w, b.String())
	return err
}

func writeTables(w io.Writer, f *result.File, categories []Category, bounds map[string]Bound) error {
	var b strings.Builder
	writeHead(&b, f)
	var loops, others []Category
	for _, c := range categories {
		if c.enters("Main", "Baseline", "Channel") {
			loops = append(loops, c)
		} else {
			others = append(others, c)
		}
	}
	if len(loops) > 0 {
		writeLoopRatios(&b, loops, bounds)
	}
	for _, group := range Groups(others) {
		writeStandings(&b, group)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeHead says where the figures come from.
func writeHead(b *strings.Builder, f *result.File) {
	e, p := &f.Environment, &f.Protocol
	fmt.Fprintf(b, "%s/%s, %s, GOMAXPROCS %d, %s, %s. Geometric means of %d %s samples of %v, in %s, ns/op.\n",
		e.GOOS, e.GOARCH, e.CPU, e.GOMAXPROCS, e.GoVersion, e.Date.UTC().Format("2006-01-02"), p.Count, p.Order, p.Benchtime, processes(p))
	if e.Execution != result.ExecutionNative {
		fmt.Fprintf(b, "\nNot native: %s %s.\n", e.Execution, e.Emulator)
	}
	if f.Interrupted {
		b.WriteString("\nThe run was interrupted: rows may have fewer samples, or none.\n")
	}
}

func writeLoopRatios(b *strings.Builder, categories []Category, bounds map[string]Bound) {
	b.WriteString("\n| category | Main | Baseline | Channel | Main ÷ Baseline | Main ÷ Channel |\n|---|--:|--:|--:|--:|--:|\n")
	for _, c := range categories {
		bound := bounds[c.Name]
		main, baseline, channel := c.Standing("Main"), c.Standing("Baseline"), c.Standing("Channel")
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", c.Name, figureOf(main), figureOf(baseline), figureOf(channel),
			ratio(main, baseline, bound.Baseline), ratio(main, channel, bound.Channel))
	}
	if bounds != nil {
		b.WriteString("\nA ratio in bold misses its bound.\n")
	}
}

// writeStandings writes a table for contestants that have no bound to keep: the figures, and the verdict.
func writeStandings(b *strings.Builder, categories []Category) {
	b.WriteString("\n| category |")
	rule := "|---|"
	for _, s := range categories[0].Standings {
		if _, again := result.Again(s.Contestant); again {
			continue
		}
		fmt.Fprintf(b, " %s |", s.Contestant)
		rule += "--:|"
	}
	fmt.Fprintf(b, " verdict |\n%s---|\n", rule)
	for i := range categories {
		c := &categories[i]
		fmt.Fprintf(b, "| %s |", c.Name)
		for _, s := range c.Standings {
			if _, again := result.Again(s.Contestant); again {
				continue
			}
			fmt.Fprintf(b, " %s |", figureOf(c.Standing(s.Contestant)))
		}
		fmt.Fprintf(b, " %s |\n", c.Verdict())
	}
}

func figureOf(s *Standing) string {
	if s == nil {
		return "–"
	}
	return Figure(s.Figure)
}

func ratio(a, b *Standing, bound float64) string {
	if a == nil || b == nil || b.Figure == 0 {
		return "–"
	}
	r := a.Figure / b.Figure
	switch {
	case bound == 0:
		return fmt.Sprintf("%.2f", r)
	case r <= bound:
		return fmt.Sprintf("%.2f ≤ %.2f", r, bound)
	case r < bound+0.005:
		return fmt.Sprintf("**%.3f** > %.2f", r, bound)
	default:
		return fmt.Sprintf("**%.2f** > %.2f", r, bound)
	}
}

// Figure writes a number of ns/op for people: three digits that mean something.
func Figure(ns float64) string {
	switch {
	case ns >= 99.95:
		return render.Thousands(ns, 0)
	case ns >= 9.995:
		return fmt.Sprintf("%.1f", ns)
	default:
		return fmt.Sprintf("%.2f", ns)
	}
}

// processes says how many processes took the samples.
func processes(p *result.Protocol) string {
	if p.Processes > 1 {
		return fmt.Sprintf("%d processes", p.Processes)
	}
	return "one process"
}

// Verdict says in a word or two what the category shows.
func (c *Category) Verdict() string {
	switch {
	case c.First == "":
		return "–"
	case c.Void != "":
		return "no win: " + c.Void
	case c.Outcome == stats.Ahead:
		return c.First + " ahead"
	case c.Outcome == stats.Equivalent:
		return "equivalent: " + c.First + ", " + c.RunnerUp
	case c.Replicates < 2:
		return "one sample"
	}
	return "undecided: " + c.First + ", " + c.RunnerUp
}
