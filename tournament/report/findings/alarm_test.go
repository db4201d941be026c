package findings

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// five is a run of a category on five contestants that differ, in so many processes with a log-normal noise.
func five(category string, level float64, factors []float64, processes int, noise float64, r *rand.Rand) []result.Row {
	var out []result.Row
	for c, name := range []string{"Main", "AlternateOne", "AlternateTwo", "Baseline", "Channel"} {
		row := result.Row{Category: category, Kind: result.KindLoop, Contestant: name}
		for p := range processes {
			row.Samples = append(row.Samples, result.Sample{Process: p + 1, Round: 1, N: 1000, NsPerOp: level * factors[c] * math.Exp(noise*r.NormFloat64()), BytesPerOp: 24, AllocsPerOp: 1})
		}
		out = append(out, row)
	}
	return out
}

func fileOf(t *testing.T, rows ...[]result.Row) *Analysis {
	t.Helper()
	in, err := parse.From(&result.File{Environment: result.Environment{GOOS: "linux", GOARCH: "amd64"}, Rows: slices.Concat(rows...)})
	if err != nil {
		t.Fatal(err)
	}
	return Analyse(group.Match(in), Options{})
}

func TestDuplicatesAreShownByTheIntervalsOfAllContestants(t *testing.T) {
	factors := []float64{1, 1.6, 2.4, 1.9, 1.2}
	found, false_ := 0, 0
	const rounds = 20
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 1))
		same := fileOf(t, five("PingPong", 100, factors, 20, 0.1, r), five("GCPressure_Allocations", 100, factors, 20, 0.1, r))
		// Another workload that costs about the same: two of the contestants differ by a third.
		other := fileOf(t, five("PingPong", 100, factors, 20, 0.1, r), five("BurstSubmit", 100, []float64{0.75, 1.6, 2.4, 1.9, 1.55}, 20, 0.1, r))
		found += len(of(same, Duplicates))
		false_ += len(of(other, Duplicates))
	}
	if found < rounds*9/10 || false_ > 0 {
		t.Errorf("found %d of %d duplicates, and %d that are none", found, rounds, false_)
	}
	r := rand.New(rand.NewPCG(1, 1))
	none(t, fileOf(t, five("PingPong", 100, factors, 1, 0.02, r), five("GCPressure_Allocations", 100, factors, 1, 0.02, r)), Duplicates) // no interval
}

func TestASweepThatItsReplicaDoesNotRepeatIsNoInverseScaling(t *testing.T) {
	points := sweep("Main", 53, 50, 48, 70, 72)
	again := func(ns ...float64) []line {
		out := sweep("Main", ns...)
		for i := range out {
			out[i].name += result.ReplicaSuffix
		}
		return out
	}
	of := func(ls ...[]line) *Analysis {
		return analyse(Options{}, input(t, "x", "execution: native\n", concat(ls...)...))
	}
	one(t, of(points, again(53, 51, 49, 69, 72)), InverseScale, "Main")
	none(t, of(points, again(53, 51, 66, 51, 50)), InverseScale)
}

// committed are runs that no rule was made on: those of other platforms.
func committed(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../../docs/results/*/*/results.json")
	if err != nil || len(files) == 0 {
		t.Skip("this is a module without its repository: the archive of a release has no results")
	}
	return files
}

func TestARunAgainstItselfRaisesNothing(t *testing.T) {
	for _, file := range committed(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var ins []*parse.Input
		for _, name := range []string{"a", "b"} {
			path := filepath.Join(t.TempDir(), name+".json")
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			in, err := parse.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			ins = append(ins, in)
		}
		a := Analyse(group.Match(ins...), Options{Earlier: true})
		for _, kind := range []Kind{Regression, Improvement} {
			none(t, a, kind)
		}
		for _, f := range of(a, Confound) {
			if f.Subject != "not stated" {
				t.Errorf("%s: %v", file, f)
			}
		}
	}
}

func TestContestantsThatAreOneProgramRaiseNothing(t *testing.T) {
	for _, file := range committed(t) {
		f, err := result.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		// The contestants are the samples of one, dealt out to four names.
		var rows []result.Row
		seen := make(map[string]bool)
		for _, row := range f.Rows {
			if _, again := result.ReplicaOf(row.Contestant); again || seen[row.Category] || len(row.Samples) == 0 || row.Kind == result.KindLoad {
				continue
			}
			seen[row.Category] = true
			for _, name := range []string{"Main", "AlternateOne", "AlternateTwo", "Channel"} {
				r := row
				r.Contestant = name
				r.Samples = slices.Clone(row.Samples)
				rows = append(rows, r)
			}
		}
		f.Rows = rows
		in, err := parse.From(f)
		if err != nil {
			t.Fatal(err)
		}
		a := Analyse(group.Match(in), Options{})
		for _, kind := range []Kind{TooGood, Convergence, Duplicates, Mislabelled, Collapse, Regression, Improvement, ControlFailed} {
			none(t, a, kind)
		}
	}
}
