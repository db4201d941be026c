package summary

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/render"
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

// WriteRatios writes Markdown tables. One has, for each category of loops, the medians of Main, Baseline and Channel, and
// Main's as a share of the others', with the bound where there is one. Categories in which others compete, such as
// those of promises, follow with the medians of all who do.
func WriteRatios(w io.Writer, f *result.File) error { return writeTables(w, f, Of(f), bounds) }

// WritePublished writes the tables of [WriteRatios] for the published categories alone, and without bounds.
func WritePublished(w io.Writer, f *result.File) error {
	published := slices.DeleteFunc(Of(f), func(c Category) bool { return c.Kind != result.KindLoop && c.Kind != result.KindPromise })
	return writeTables(w, f, published, nil)
}

func writeTables(w io.Writer, f *result.File, categories []Category, bounds map[string]Bound) error {
	var b strings.Builder
	e, p := &f.Environment, &f.Protocol
	fmt.Fprintf(&b, "%s/%s, %s, GOMAXPROCS %d, %s, %s. Medians of %d %s samples of %v, ns/op.\n",
		e.GOOS, e.GOARCH, e.CPU, e.GOMAXPROCS, e.GoVersion, e.Date.UTC().Format("2006-01-02"), p.Count, p.Order, p.Benchtime)
	if e.Execution != result.ExecutionNative {
		fmt.Fprintf(&b, "\nNot native: %s %s.\n", e.Execution, e.Emulator)
	}
	if f.Interrupted {
		b.WriteString("\nThe run was interrupted: rows may have fewer samples, or none.\n")
	}
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

func writeLoopRatios(b *strings.Builder, categories []Category, bounds map[string]Bound) {
	b.WriteString("\n| category | Main | Baseline | Channel | Main ÷ Baseline | Main ÷ Channel |\n|---|--:|--:|--:|--:|--:|\n")
	for _, c := range categories {
		bound := bounds[c.Name]
		main, baseline, channel := c.Standing("Main"), c.Standing("Baseline"), c.Standing("Channel")
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", c.Name, median(main), median(baseline), median(channel),
			ratio(main, baseline, bound.Baseline), ratio(main, channel, bound.Channel))
	}
	if bounds != nil {
		b.WriteString("\nA ratio in bold misses its bound.\n")
	}
}

// writeStandings writes a table for contestants that have no bound to keep: the medians, and who won.
func writeStandings(b *strings.Builder, categories []Category) {
	b.WriteString("\n| category |")
	rule := "|---|"
	for _, s := range categories[0].Standings {
		fmt.Fprintf(b, " %s |", s.Contestant)
		rule += "--:|"
	}
	fmt.Fprintf(b, " winner |\n%s---|\n", rule)
	for i := range categories {
		c := &categories[i]
		fmt.Fprintf(b, "| %s |", c.Name)
		for _, s := range c.Standings {
			fmt.Fprintf(b, " %s |", median(c.Standing(s.Contestant)))
		}
		winner := c.Winner
		switch {
		case winner == "":
			winner = "–"
		case c.Level:
			winner = "level: " + c.Winner + ", " + c.RunnerUp
		}
		fmt.Fprintf(b, " %s |\n", winner)
	}
}

func median(s *Standing) string {
	if s == nil {
		return "–"
	}
	return Figure(s.Median)
}

func ratio(a, b *Standing, bound float64) string {
	if a == nil || b == nil || b.Median == 0 {
		return "–"
	}
	r := a.Median / b.Median
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
