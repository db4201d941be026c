package report

import (
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// The gate is tried on runs that are drawn from the noise of a committed run: every sample is a row's figure times one of
// that row's own deviations. A process besides is faster or slower as a whole, and so is a run: all that the machine does
// to neighbours alike.
const (
	drawn     = 60   // processes
	ofProcess = 0.05 // deviation of a process
	ofRun     = 0.08 // of a run
)

// judged are the rows that the gate is tried on: the contestants of a tournament without variants, in categories that the
// committed run measured with five samples.
func judged(t *testing.T) *result.File {
	t.Helper()
	all, err := result.Load(filepath.Join("..", "..", "docs", "results", "linux-amd64", "earlier"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("this is a module without its repository: the archive of a release has no results")
	}
	if err != nil {
		t.Fatal(err)
	}
	contestants := map[string]bool{"Main": true, "AlternateOne": true, "AlternateTwo": true, "Baseline": true, "Channel": true}
	categories := map[string]bool{"PingPong": true, "MultiProducer": true, "BurstSubmit_Exact": true, "MultiProducerContention_Executed": true,
		"MicroBatchBudget_Latency/Burst=1024": true, "MicroBatchBudget_ContinuousExact": true, "MicroCASContention_Executed/N=08": true, "PingPongLatency": true}
	f := &result.File{Environment: all.Environment, Protocol: all.Protocol}
	for _, r := range all.Rows {
		if contestants[r.Contestant] && categories[r.Category] {
			f.Rows = append(f.Rows, r)
		}
	}
	if len(f.Rows) != len(contestants)*len(categories) {
		t.Fatalf("%d rows", len(f.Rows))
	}
	return f
}

// draw makes a run from the noise of another. One row may be slower by a factor.
func draw(t *testing.T, from *result.File, r *rand.Rand, category, contestant string, factor float64) *parse.Input {
	t.Helper()
	f := &result.File{Environment: from.Environment, Protocol: from.Protocol}
	machine := math.Exp(ofRun * r.NormFloat64())
	process := make([]float64, drawn)
	for p := range process {
		process[p] = machine * math.Exp(ofProcess*r.NormFloat64())
	}
	add := func(row result.Row, by float64, suffix string) {
		figures := row.Samples
		row.Contestant += suffix
		row.Samples = nil
		for p := range drawn {
			s := figures[r.IntN(len(figures))]
			s.NsPerOp *= by * process[p]
			s.Process, s.Round = p+1, 1
			row.Samples = append(row.Samples, s)
		}
		f.Rows = append(f.Rows, row)
	}
	for _, row := range from.Rows {
		by := 1.0
		if row.Category == category && row.Contestant == contestant {
			by = factor
		}
		add(row, by, "")
		if row.Contestant == "Main" {
			add(row, by, result.ReplicaSuffix)
		}
	}
	in, err := parse.From(f)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func slowed(then, now *parse.Input) []*findings.PairRow {
	a := findings.Analyse(group.Match(then, now), findings.Options{Earlier: true, Threshold: 0.05})
	return a.Regressions(a.Pairs[0])
}

func TestTwoRunsOfOneCommitPassTheGateTenTimesOutOfTen(t *testing.T) {
	from := judged(t)
	r := rand.New(rand.NewPCG(10, 10))
	for i := range 10 {
		if rows := slowed(draw(t, from, r, "", "", 1), draw(t, from, r, "", "", 1)); len(rows) > 0 {
			t.Errorf("pair %d: %s seems %.1f%% slower", i, rows[0].Row.Label, 100*(rows[0].Change.Ratio-1))
		}
	}
}

func TestABuildThatIsTenPercentSlowerInOnePathFailsTheGateTenTimesOutOfTen(t *testing.T) {
	from := judged(t)
	for _, category := range []string{"PingPong", "BurstSubmit_Exact", "MicroBatchBudget_Latency/Burst=1024"} {
		r := rand.New(rand.NewPCG(11, 11))
		for i := range 10 {
			rows := slowed(draw(t, from, r, "", "", 1), draw(t, from, r, category, "Main", 1.1))
			found := false
			for _, row := range rows {
				found = found || row.Row.Category == category
				if row.Row.Category != category {
					t.Errorf("%s, pair %d: %s seems %.1f%% slower", category, i, row.Row.Label, 100*(row.Change.Ratio-1))
				}
			}
			if !found {
				t.Errorf("%s, pair %d passes", category, i)
			}
		}
	}
}
