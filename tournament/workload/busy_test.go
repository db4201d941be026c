package workload

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/contestants/channel"
	"github.com/eventloop-go/eventloop/tournament/result"
)

func TestABusyCategoryHasItsGoroutinesComputeWhileItRuns(t *testing.T) {
	for _, w := range Busy() {
		s, err := w.Sample(channel.Contestant, 20, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if w.Kind != result.KindBusy {
			t.Errorf("%s is of kind %s", w.Name, w.Kind)
		}
		_, computed := s.Metrics["computed-pieces/s"]
		if computed == strings.HasSuffix(w.Name, "=none") {
			t.Errorf("%s: computed beside it: %v", w.Name, computed)
		}
		if strings.HasPrefix(w.Name, "BusyRoundTrip") && (s.Metrics["p99-ns"] < s.NsPerOp || s.Metrics["max-ns"] < s.Metrics["p99-ns"]) {
			t.Errorf("%s: p50 %v, p99 %v, max %v", w.Name, s.NsPerOp, s.Metrics["p99-ns"], s.Metrics["max-ns"])
		}
	}
}

func TestNothingComputesAfterATrialThatWasGivenUp(t *testing.T) {
	// The leak check of the package fails if a goroutine goes on.
	stuck := contestant.Contestant{Name: "Stuck", New: func() (contestant.Loop, error) {
		loop, err := channel.Contestant.Make()
		t.Cleanup(func() { _ = loop.Shutdown(context.Background()) })
		return &forgetful{Loop: loop}, err
	}}
	w := busyThroughput(1, result.Overloaded)
	if _, err := w.Sample(stuck, 10, 200*time.Millisecond); err == nil {
		t.Error("a loop that loses tasks has figures")
	}
}

// A forgetful loop drops every task but the first, which warms it up.
type forgetful struct {
	contestant.Loop
	warm bool
}

func (f *forgetful) Submit(task func()) error {
	if f.warm {
		return nil
	}
	f.warm = true
	return f.Loop.Submit(task)
}
