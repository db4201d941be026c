package findings

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// made is a tournament of three contestants whose times are the product of a level of the category and a factor of the
// contestant, with noise that differs from sample to sample and contestant to contestant.
func made(t *testing.T, change func(*result.File)) *Analysis {
	t.Helper()
	f := &result.File{Environment: result.Environment{GOOS: "linux", GOARCH: "amd64"}}
	wobble := []float64{1, 1.013, 0.991, 1.007, 0.985}
	add := func(kind result.Kind, category, twinOf string, level func(contestant int) float64) {
		for c, name := range []string{"Main", "AlternateOne", "Baseline"} {
			r := result.Row{Category: category, Kind: kind, TwinOf: twinOf, Contestant: name}
			for i := range 5 {
				r.Samples = append(r.Samples, result.Sample{Process: i + 1, Round: 1, N: 100_000 + 997*(i+c), NsPerOp: level(c) * wobble[(i+c)%5], BytesPerOp: 24, AllocsPerOp: 1,
					Metrics: map[string]float64{"done/op": 1, "asleep": 1 - 0.01*float64(i)}})
			}
			f.Rows = append(f.Rows, r)
		}
	}
	factor := []float64{1, 1.6, 2.4}
	by := func(level float64) func(int) float64 { return func(c int) float64 { return level * factor[c] } }
	add(result.KindLoop, "PingPong", "", by(100))
	add(result.KindTwin, "PingPong_Exact", "PingPong", by(120))
	add(result.KindLoop, "MultiProducer", "", by(160))
	add(result.KindLoop, "BurstSubmit", "", by(55))
	for _, burst := range []int{64, 128, 256, 512, 1024} {
		add(result.KindTwin, fmt.Sprintf("Batch/Burst=%d", burst), "", func(c int) float64 { return 70*factor[c] + 900/float64(burst) })
	}
	if change != nil {
		change(f)
	}
	in, err := parse.From(f)
	if err != nil {
		t.Fatal(err)
	}
	return Analyse(group.Match(in), Options{})
}

// rows changes the rows of a category; "" stands for any.
func rows(category, contestant string, change func(r *result.Row, s *result.Sample, i int)) func(*result.File) {
	return func(f *result.File) {
		for k := range f.Rows {
			r := &f.Rows[k]
			if (r.Category == category || strings.HasPrefix(r.Category, category+"/")) && (contestant == "" || r.Contestant == contestant) {
				for i := range r.Samples {
					change(r, &r.Samples[i], i)
				}
			}
		}
	}
}

func TestAReplicaIsNoContestant(t *testing.T) {
	a := made(t, func(f *result.File) {
		again := f.Rows[0]
		again.Contestant += result.ReplicaSuffix
		f.Rows = append(f.Rows, again)
	})
	none(t, a, ControlFailed)
	for _, s := range a.Standings {
		if s.Entry("Main"+result.ReplicaSuffix) != nil || s.Category == "PingPong" && (s.Replica == nil || s.Replica.Ratio != 1) {
			t.Errorf("%+v", s)
		}
	}
}

func TestAnExcludedCategoryHasNoWinnerAndSaysWhy(t *testing.T) {
	a := made(t, rows("PingPong_Exact", "", func(_ *result.Row, s *result.Sample, _ int) { s.NsPerOp *= 3 }))
	for _, s := range a.Standings {
		if s.Category == "PingPong" && (s.Winner() != nil || !strings.Contains(s.Void, "its corrected version, PingPong_Exact, is 3.60× away")) {
			t.Errorf("%+v", s)
		}
		if s.Category == "PingPong_Exact" && s.Winner() == nil {
			t.Errorf("the corrected version itself is excluded: %s", s.Void)
		}
	}
}

func TestAFailedReplicaLeavesNoVerdict(t *testing.T) {
	replicas := func(factor float64) func(*result.File) {
		return func(f *result.File) {
			for _, r := range slices.Clone(f.Rows) {
				if r.Contestant != "Main" {
					continue
				}
				r.Contestant += result.ReplicaSuffix
				r.Samples = slices.Clone(r.Samples)
				for i := range r.Samples {
					r.Samples[i].NsPerOp *= factor * []float64{0.99, 1.01}[len(f.Rows)%2]
				}
				f.Rows = append(f.Rows, r)
			}
		}
	}
	sound, failed := made(t, replicas(1)), made(t, replicas(0.8))
	none(t, sound, ControlFailed)
	one(t, failed, ControlFailed, "linux/amd64")
	decided := 0
	for i, s := range failed.Standings {
		if sound.Standings[i].Contest.Verdict != stats.Undecided {
			decided++
		}
		if s.Contest.Verdict != stats.Undecided || !strings.HasPrefix(s.Contest.String(), "no verdict, control failed: ") {
			t.Errorf("%s: %s", s.Category, s.Contest.String())
		}
	}
	if decided == 0 {
		t.Error("with a sound replica nothing is decided either")
	}
}
