package load_test

import (
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/choose"
	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/contestants"
	"github.com/eventloop-go/eventloop/tournament/contestants/product"
	"github.com/eventloop-go/eventloop/tournament/load"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

// try takes a sample, if the contestant can take part.
func try(t *testing.T, w workload.Workload, c contestant.Contestant, n int) (took bool) {
	t.Helper()
	reason, err := w.Applicable(c)
	if err != nil {
		t.Fatal(err)
	}
	if reason != "" {
		return false
	}
	s, err := w.Sample(c, n, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if s.N < n || s.NsPerOp <= 0 {
		t.Errorf("%+v", s)
	}
	spec, ok := choose.Parse(w.Name)
	if !ok {
		t.Fatalf("%s cannot be read", w.Name)
	}
	units := []string{"p50-ns", "p99.9-ns", "start-p99-ns", "max-ns", "late-p99-ns", choose.Offered}
	if spec.Limit {
		units = []string{choose.Capacity}
	}
	for _, unit := range units {
		if _, ok := s.Metrics[unit]; !ok {
			t.Errorf("%s is missing: %v", unit, s.Metrics)
		}
	}
	if s.Metrics["start-max-ns"] > s.Metrics["max-ns"] {
		t.Errorf("a task ended before it started: %v", s.Metrics)
	}
	return true
}

func TestEveryOpenLoopCategoryRunsOnTheProductAndTheControl(t *testing.T) {
	for _, w := range load.All() {
		n := 50
		if spec, _ := choose.Parse(w.Name); spec.Limit {
			n = 10 // at many rates
		}
		t.Run(w.Name, func(t *testing.T) {
			if !try(t, w, product.Contestant, n) {
				t.Error("not applicable to the product")
			}
			if took := try(t, w, load.Control, n); took != (len(w.Needs) == 0) {
				t.Errorf("the control takes part: %v", took)
			}
		})
	}
}

func TestEveryContestantRunsEveryMixThatItCan(t *testing.T) {
	took := make(map[choose.Mix]int)
	for _, mix := range []choose.Mix{choose.Tasks, choose.Timers, choose.Microtasks, choose.Promises} {
		w := load.Workload(choose.Spec{Rate: 100_000, Mix: mix})
		for _, c := range contestants.All() {
			if c.Unavailable != "" {
				continue
			}
			t.Run(w.Name+"/"+c.Name, func(t *testing.T) {
				if try(t, w, c, 200) {
					took[mix]++
				}
			})
		}
	}
	if took[choose.Timers] < 3 || took[choose.Microtasks] < 2 || took[choose.Promises] < 2 {
		t.Errorf("too few took part: %v", took)
	}
}
