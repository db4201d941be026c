package report

import (
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/choose"
	"github.com/eventloop-go/eventloop/tournament/load"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// loaded adds open-loop categories: the 99th percentile of Main, in microseconds; the others are slower by a factor.
func loaded(main map[string]float64) func(*result.File) {
	factors := []struct {
		name string
		by   float64
	}{{"Main", 1}, {"Main-Again", 1.02}, {"Channel", 1.01}, {"Baseline", 3}, {load.Control.Name, 0.1}}
	return func(f *result.File) {
		for category, us := range main {
			for _, c := range factors {
				r := result.Row{Category: category, Kind: result.KindLoad, Contestant: c.name, Control: c.name == load.Control.Name}
				for i := range 5 {
					p99 := us * 1e3 * c.by * (1 + 0.001*float64(i))
					r.Samples = append(r.Samples, result.Sample{N: 1000, NsPerOp: p99, Metrics: map[string]float64{
						"p50-ns": p99 / 2, "p99-ns": p99, "p99.9-ns": 2 * p99, choose.Sustained: 1, choose.Processor: 11_000,
						choose.Capacity: 90_000, choose.Limit1ms: 80_000,
					}})
				}
				f.Rows = append(f.Rows, r)
			}
		}
	}
}

var someLoads = loaded(map[string]float64{
	"Load/cost=10us/rate=10k": 100, "Load/cost=10us/rate=30k": 110, "Load/cost=10us/rate=50k": 130,
	"Load/cost=10us/share=90": 400, "LoadLimit/cost=10us": 10,
})

func TestReportsSayWhatToChooseUnderWhichLoad(t *testing.T) {
	in := func(goos string) *parse.Input { return madeUp(t, goos, "amd64", someLoads) }
	for name, inputs := range map[string][]*parse.Input{"one": {in("linux")}, "several": {in("linux"), in("darwin"), madeUp(t, "windows", "amd64", nil)}} {
		r, _ := Report(inputs, ReportOptions{})
		text := markdown(t, r)
		contains(t, text, "## When to choose what", "| 50k tasks a second of 10µs of work | Main or Channel (level or undecided) | 130 µs … 132 µs | Baseline 391 µs |",
			"tasks at 90 % of each one's capacity", "Highest rates within 100 µs and 1 ms", "| 10µs of work | Channel | – | 80k | 90k |")
		if strings.Contains(text, unloaded) || strings.Contains(text, "Take Main-Again") {
			t.Errorf("%s: contradicts itself", name)
		}
		curves := 0
		for _, s := range r.Sections {
			for _, b := range s.Blocks {
				if c, ok := b.(*render.LineChart); ok && strings.HasPrefix(c.Title, "Latency, tasks with 10µs of work") {
					curves++
					if len(c.Lines) != 4 || len(c.Lines[0].Points) != 3 || c.Lines[0].Points[2].X != 50_000 {
						t.Errorf("%s: %+v", name, c)
					}
				}
			}
		}
		if want := map[string]int{"one": 1, "several": 2}[name]; curves != want {
			t.Errorf("%s: %d curves", name, curves)
		}
	}
	r, _ := Report([]*parse.Input{in("linux")}, ReportOptions{Narrative: true})
	contains(t, markdown(t, r), "## Under load", "Take Main or Channel: they are level.")
}

func TestWithoutOpenLoopCategoriesReportsSaySo(t *testing.T) {
	in := madeUp(t, "linux", "amd64", nil)
	for _, narrative := range []bool{false, true} {
		r, _ := Report([]*parse.Input{in}, ReportOptions{Narrative: narrative})
		if text := markdown(t, r); strings.Count(text, "The results have no open-loop categories with samples") != 1 || strings.Contains(text, "| When there are |") {
			t.Errorf("narrative %v:\n%s", narrative, text)
		}
	}
}
