package load

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/choose"
	"github.com/eventloop-go/eventloop/tournament/internal/compute"
	"github.com/eventloop-go/eventloop/tournament/result"
)

func TestACategorysNameSaysAllOfItsSpec(t *testing.T) {
	seen := make(map[string]bool)
	for _, s := range slices.Concat(brief, axes()) {
		if got, ok := choose.Parse(s.Name()); !ok || got != s {
			t.Errorf("%s: %+v, %v", s.Name(), got, ok)
		}
		w := Workload(s)
		if seen[s.Name()] || w.Name != s.Name() || w.Kind != result.KindLoad || w.About == "" {
			t.Errorf("%s stands twice or is not described", s.Name())
		}
		seen[s.Name()] = true
	}
	for _, name := range []string{"", "PingPong", "Load", "Load/cost=10us/rate=many", "MicroCASContention/N=04"} {
		if s, ok := choose.Parse(name); ok {
			t.Errorf("%q is read as %+v", name, s)
		}
	}
}

func TestArrivalsAreExponentiallyApartAndTheSameEveryTime(t *testing.T) {
	due, again := make([]int64, 100_000), make([]int64, 100_000)
	newSchedule(1e6, false, 1).fill(due)
	newSchedule(1e6, false, 1).fill(again)
	if !slices.Equal(due, again) || !slices.IsSorted(due) {
		t.Fatal("not the same, or not in order")
	}
	over := 0
	for i := range due[1:] {
		if due[i+1]-due[i] > 1000 {
			over++
		}
	}
	mean, share := float64(due[len(due)-1])/float64(len(due)), float64(over)/float64(len(due))
	if math.Abs(mean-1000) > 20 || math.Abs(share-1/math.E) > 0.01 {
		t.Errorf("mean gap %v ns, %v are longer than 1 µs", mean, share)
	}
}

func TestBurstsArriveTogetherAtTheSameMeanRate(t *testing.T) {
	due := make([]int64, choose.BurstSize*2_000)
	newSchedule(1e6, true, 1).fill(due)
	for i := range due {
		if due[i] != due[i/choose.BurstSize*choose.BurstSize] {
			t.Fatalf("task %d does not arrive with its burst", i)
		}
	}
	if mean := float64(due[len(due)-1]) / float64(len(due)); math.Abs(mean-1000) > 50 {
		t.Errorf("mean gap %v ns", mean)
	}
}

func TestWorkTakesMoreStepsTheMoreItCosts(t *testing.T) {
	one, hundred := stepsIn(time.Microsecond), stepsIn(100*time.Microsecond)
	if stepsIn(0) != 0 || one < 1 || hundred < 90*one || compute.Steps(1, 3) == compute.Steps(1, 4) {
		t.Errorf("%d and %d steps", one, hundred)
	}
}
