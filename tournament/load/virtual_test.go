package load

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/choose"
	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

// A virtual clock advances by a little at every reading, and by the time that a fake contestant claims for an
// operation. Fakes run tasks where they are submitted, so that one goroutine has the clock.
type virtual struct{ at int64 }

func (v *virtual) now() int64 {
	v.at += 200
	return v.at
}

// A fake is the control with another Submit.
type fake struct {
	*direct
	submit func(number int, task func())
	n      int
}

func (f *fake) Submit(task func()) error {
	f.n++
	f.submit(f.n, task)
	return nil
}

const patience = time.Minute

// fresh is a control that ends with the test, because a trial that fails leaves its loop behind.
func fresh(t *testing.T) *direct {
	d := &direct{ended: make(chan struct{})}
	t.Cleanup(func() { _ = d.Shutdown(context.Background()) })
	return d
}

// sample runs the category on a virtual clock with a fake whose number-th submission is treated by submit.
func sample(t *testing.T, s Spec, n int, patience time.Duration, submit func(clock *virtual, number int, task func())) (result.Sample, error) {
	t.Helper()
	clock := &virtual{}
	w := category(s, clock.now)
	return w.Sample(contestant.Contestant{Name: t.Name(), New: func() (contestant.Loop, error) {
		return &fake{direct: fresh(t), submit: func(number int, task func()) { submit(clock, number, task) }}, nil
	}}, n, patience)
}

func TestAStallIsInTheLatencyOfEveryTaskThatItDelays(t *testing.T) {
	// One task in 10,000 takes 50 ms, in which 500 others should have started.
	s, err := sample(t, Spec{Rate: 10_000}, 10_000, patience, func(clock *virtual, number int, task func()) {
		if number == 5_000 {
			clock.at += int64(50 * time.Millisecond)
		}
		task()
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range []string{"p99-ns", "start-p99-ns", "late-p99-ns"} {
		if p99 := time.Duration(s.Metrics[unit]); p99 < 35*time.Millisecond || p99 > 50*time.Millisecond {
			t.Errorf("%s is %v", unit, p99)
		}
	}
	if p50 := time.Duration(s.Metrics["p50-ns"]); p50 > 10*time.Microsecond {
		t.Errorf("p50 is %v", p50)
	}
	if s.NsPerOp != s.Metrics["p99-ns"] || s.Metrics["max-ns"] < 50e6 || s.Metrics[choose.Sustained] != 1 || s.Metrics[choose.Offered] != 10_000 {
		t.Errorf("%+v", s)
	}
}

func TestALoopThatIsSlowerThanTheArrivalsDoesNotSustainThem(t *testing.T) {
	for service, want := range map[time.Duration]float64{50 * time.Microsecond: 1, 110 * time.Microsecond: 0, 150 * time.Microsecond: 0} {
		s, err := sample(t, Spec{Rate: 10_000}, 5_000, patience, func(clock *virtual, _ int, task func()) {
			clock.at += int64(service)
			task()
		})
		if err != nil || s.Metrics[choose.Sustained] != want {
			t.Errorf("%v a task at 10,000 a second: sustained %v, %v", service, s.Metrics[choose.Sustained], err)
		}
	}
}

func TestSharesAreOfWhatTheContestantCanRun(t *testing.T) {
	s, err := sample(t, Spec{Share: 50}, 5_000, patience, func(clock *virtual, _ int, task func()) {
		clock.at += int64(100 * time.Microsecond)
		task()
	})
	if capacity := s.Metrics[choose.Capacity]; err != nil || capacity < 9_800 || capacity > 10_000 || s.Metrics[choose.Offered] != capacity/2 || s.Metrics[choose.Sustained] != 1 {
		t.Errorf("%v, %v", s.Metrics, err)
	}
}

func TestTheSearchFindsTheHighestRatesWithinTheLimits(t *testing.T) {
	s, err := sample(t, Spec{Limit: true}, 5_000, patience, func(clock *virtual, _ int, task func()) {
		clock.at += int64(30 * time.Microsecond)
		task()
	})
	if err != nil {
		t.Fatal(err)
	}
	// A queue with one server and a fixed service time has a known 99th percentile. It is some two services at a
	// third of the capacity, and a dozen at four fifths.
	wide, narrow, capacity := s.Metrics[choose.Limit1ms], s.Metrics[choose.Limit100us], s.Metrics[choose.Capacity]
	if narrow < 0.2*capacity || narrow > 0.6*capacity || wide < 0.8*capacity || wide > capacity {
		t.Errorf("%v within 100 µs and %v within 1 ms, of %v", narrow, wide, capacity)
	}
	if s.N < 5_000*2 {
		t.Errorf("%d operations are all of several rates", s.N)
	}
}

func TestTheSearchTriesNoRateForALimitThatTheTaskItselfExceeds(t *testing.T) {
	tried := func(cost time.Duration) int {
		s, err := sample(t, Spec{Limit: true, Cost: cost}, 200, patience, func(clock *virtual, _ int, task func()) {
			clock.at += int64(150 * time.Microsecond)
			task()
		})
		if err != nil || s.Metrics[choose.Limit100us] != 0 || s.Metrics[choose.Limit1ms] == 0 {
			t.Errorf("%v: %v, %v", cost, s.Metrics, err)
		}
		return s.N / 200
	}
	all, few := tried(0), tried(100*time.Microsecond)
	if all < len(shares) || few >= len(shares) {
		t.Errorf("%d rates were tried where 100 µs is never reached, %d where it cannot be", all, few)
	}
}

func TestNoRateIsWithinALimitThatASingleTaskExceeds(t *testing.T) {
	s, err := sample(t, Spec{Limit: true}, 200, patience, func(clock *virtual, _ int, task func()) {
		clock.at += int64(300 * time.Microsecond)
		task()
	})
	if err != nil || s.Metrics[choose.Limit100us] != 0 || s.Metrics[choose.Limit1ms] <= 0 {
		t.Errorf("%v, %v", s.Metrics, err)
	}
}

func TestALostTaskFails(t *testing.T) {
	_, err := sample(t, Spec{Rate: 100_000}, 1_000, 300*time.Millisecond, func(_ *virtual, number int, task func()) {
		if number != 500 {
			task()
		}
	})
	if !errors.Is(err, workload.ErrHangs) || !strings.Contains(err.Error(), "lost") {
		t.Errorf("%v", err)
	}
}

func TestATaskThatRunsTwiceFails(t *testing.T) {
	_, err := sample(t, Spec{Rate: 100_000}, 1_000, patience, func(_ *virtual, number int, task func()) {
		if task(); number == 500 {
			task()
		}
	})
	if err == nil || !strings.Contains(err.Error(), "more than once") {
		t.Errorf("%v", err)
	}
}

func TestARefusedTaskFails(t *testing.T) {
	w := Workload(Spec{Rate: 100_000})
	full := errors.New("full")
	n := 0
	_, err := w.Sample(contestant.Contestant{Name: "Full", New: func() (contestant.Loop, error) {
		return refusing{direct: fresh(t), n: &n, err: full}, nil
	}}, 1_000, patience)
	if !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
}

type refusing struct {
	*direct
	n   *int
	err error
}

func (r refusing) Submit(task func()) error {
	if *r.n++; *r.n == 500 {
		return r.err
	}
	task()
	return nil
}
