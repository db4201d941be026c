package measure_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/measure"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// here stands for a process: it carries the order out in this one.
func here(p measure.Plan, orders *[]measure.Order) measure.Launch {
	return func(ctx context.Context, o measure.Order, watch func(measure.Progress)) (*result.File, error) {
		*orders = append(*orders, measure.Order{Process: o.Process, Hints: slices.Clone(o.Hints)})
		p.Count, p.Order = 1, o
		return measure.Run(ctx, p, result.Environment{}, watch), nil
	}
}

func TestEverySampleIsTakenInAProcessOfItsOwnAndCalibratedAnew(t *testing.T) {
	p := &probe{perOp: time.Microsecond}
	plan := measure.Plan{Entries: []measure.Entry{p.entry("A", "x"), p.entry("A", "y")}, Benchtime: 40 * time.Millisecond, Count: 3, Name: "quick"}
	var orders []measure.Order
	var last measure.Progress
	p.call = func() {
		if len(orders) == 2 { // the machine slows down
			p.perOp = 4 * time.Microsecond
		}
	}
	f, err := measure.Replicate(t.Context(), plan, here(plan, &orders), func(now measure.Progress) {
		if now.Done < last.Done || now.Total != 12 || now.Processes != 3 || now.Process < last.Process {
			t.Errorf("%+v after %+v", now, last)
		}
		last = now
	})
	if err != nil || f.Protocol.Processes != 3 || f.Protocol.Count != 3 || last.Done != 12 {
		t.Fatalf("%+v, %v, %+v", f.Protocol, err, last)
	}
	for _, r := range f.Rows {
		for i, s := range r.Samples {
			if s.Process != i+1 || s.Round != 1 {
				t.Errorf("%s: sample %d is of process %d, round %d", r.Contestant, i, s.Process, s.Round)
			}
		}
		if first, later := r.Samples[0].N, r.Samples[2].N; first < 2*later {
			t.Errorf("%s: %d operations before the machine slowed down, %d after", r.Contestant, first, later)
		}
	}
	if orders[0].Hints[0] != 0 || orders[1].Hints[0] != f.Rows[0].Samples[0].N {
		t.Errorf("%+v", orders)
	}
}

func TestASampleOfTheLeastSizeIsNotCalibratedAgain(t *testing.T) {
	p := &probe{perOp: time.Millisecond}
	e := p.entry("A", "x")
	e.Burst = 500
	plan := measure.Plan{Entries: []measure.Entry{e}, Benchtime: 20 * time.Millisecond, Count: 3}
	var orders []measure.Order
	f, err := measure.Replicate(t.Context(), plan, here(plan, &orders), nil)
	if err != nil || len(f.Rows[0].Samples) != 3 || len(p.ns) != 4 {
		t.Errorf("sizes %v, %v: a calibration and three samples would do", p.ns, err)
	}
}

func TestALaterProcessBeginsNearTheNumberOfTheOneBefore(t *testing.T) {
	for _, perOp := range []time.Duration{20, 20 * time.Microsecond, 2 * time.Millisecond} {
		p := &probe{perOp: perOp}
		plan := measure.Plan{Entries: []measure.Entry{p.entry("A", "x")}, Benchtime: 20 * time.Millisecond, Count: 2}
		var orders []measure.Order
		first := 0
		p.call = func() {
			if len(orders) == 1 {
				first = len(p.ns)
			}
		}
		f, err := measure.Replicate(t.Context(), plan, here(plan, &orders), nil)
		if err != nil || len(f.Rows[0].Samples) != 2 {
			t.Fatal(f, err)
		}
		full := f.Rows[0].Samples[0].N
		if later := p.ns[first:]; len(later) != 2 || later[0] > full/2 || later[1] < full/2 || later[1] > 2*full {
			t.Errorf("%v for an operation: sizes %v, then %v; a calibration of a third and a sample would do", perOp, p.ns[:first], later)
		}
		for _, n := range p.ns[:first] {
			if n > 6*full {
				t.Errorf("%v for an operation: sizes %v, although %d fill a sample", perOp, p.ns[:first], full)
			}
		}
	}
}

func TestAProcessThatEndsEarlyKeepsWhatTheOthersMeasured(t *testing.T) {
	p := &probe{perOp: time.Microsecond}
	plan := measure.Plan{Entries: []measure.Entry{p.entry("A", "x")}, Benchtime: time.Millisecond, Count: 3}
	var orders []measure.Order
	good := here(plan, &orders)
	f, err := measure.Replicate(t.Context(), plan, func(ctx context.Context, o measure.Order, watch func(measure.Progress)) (*result.File, error) {
		if o.Process == 3 {
			return nil, errors.New("killed")
		}
		return good(ctx, o, watch)
	}, nil)
	if err == nil || f == nil || len(f.Rows[0].Samples) != 2 {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestAnInterruptEndsTheReplicationWithWhatThereIs(t *testing.T) {
	p := &probe{perOp: time.Microsecond}
	plan := measure.Plan{Entries: []measure.Entry{p.entry("A", "x")}, Benchtime: time.Millisecond, Count: 3}
	ctx, cancel := context.WithCancel(t.Context())
	var orders []measure.Order
	f, err := measure.Replicate(ctx, plan, here(plan, &orders), func(now measure.Progress) {
		if now.Process == 2 {
			cancel()
		}
	})
	if err != nil || !f.Interrupted || len(f.Rows[0].Samples) > 2 || len(orders) != 2 {
		t.Errorf("%+v, %v, %d processes", f, err, len(orders))
	}
}
