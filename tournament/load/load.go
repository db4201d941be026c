package load

import (
	"cmp"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/eventloop-go/eventloop/tournament/choose"
	"github.com/eventloop-go/eventloop/tournament/internal/stopwatch"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/stats"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

// The bounds of the work that may be left at the end of a lap whose loop keeps up.
const (
	behindAtLeast = 2 * time.Millisecond
	behindShare   = 0.02
)

// shortest is the length of a sample that has a thousand tasks at 50k a second, ten of them beyond the 99th percentile.
// On a busy machine it has several of the 10 ms for which a goroutine that computes keeps its processor.
const (
	shortest     = 20 * time.Millisecond
	shortestBusy = 100 * time.Millisecond
)

// slack is how long a loop that keeps up may have tasks left at the end of a lap of that length. On a busy machine it waits
// for a time slice of each goroutine that is ready before it, the generator's among them.
func slack(s Spec, length time.Duration) time.Duration {
	slices := 2 * time.Duration(s.Computing) * 10 * time.Millisecond
	return max(behindAtLeast, slices, time.Duration(behindShare*float64(length)))
}

// Spec is an open-loop category by its name.
type Spec = choose.Spec

// Workload is the category of a spec.
func Workload(s Spec) workload.Workload {
	return category(s, func() int64 { return int64(stopwatch.Now()) })
}

func category(s Spec, now func() int64) workload.Workload {
	run := measure
	if s.Limit {
		run = search
	}
	length := shortest
	if s.Computing != result.Idle {
		length = shortestBusy
	}
	return workload.Workload{
		Name:  s.Name(),
		Kind:  result.KindLoad,
		About: s.About(),
		Needs: needs(s.Mix),
		Procs: s.Procs,
		// Percentiles need more operations than a mean does.
		Shortest: length,
		Run: func(t *workload.Trial) error {
			end := workload.Beside(s.Computing, t)
			defer end()
			d := newDriver(s, t, now)
			if d.shared {
				t.Report(choose.Shared, 1)
			}
			if runtime.GOMAXPROCS(0) > runtime.NumCPU() {
				t.Report(choose.Oversubscribed, 1)
			}
			return run(s, t, d)
		},
	}
}

// measure is a trial at one rate.
func measure(s Spec, t *workload.Trial, d *driver) error {
	rate := float64(s.Rate)
	if s.Rate == 0 {
		capacity, err := d.capacity()
		if err != nil {
			return err
		}
		t.Report(choose.Capacity, capacity)
		rate = capacity * float64(s.Share) / 100
	}
	if err := d.warm(rate); err != nil {
		return err
	}
	d.heap.begin()
	t.Start()
	o, err := d.offer(t.N, rate)
	if err != nil {
		return err
	}
	t.Stop()
	o.report(t, d, rate)
	return nil
}

// A trialOutcome is the result of a number of tasks at one rate.
type trialOutcome struct {
	*latencies
	sustained bool
	processor time.Duration
}

// offer lets n tasks arrive.
func (d *driver) offer(n int, rate float64) (o trialOutcome, err error) {
	o = trialOutcome{latencies: newLatencies(), sustained: true}
	for number, left := uint64(1), n; left > 0; number++ {
		size := min(left, lap)
		left -= size
		d.arrive(size, rate, number)
		out, err := d.perform(size, 0)
		if err != nil {
			return o, err
		}
		if err := o.add(d, size); err != nil {
			return o, err
		}
		o.sustained = o.sustained && out.behind <= slack(d.spec, out.elapsed-out.behind)
		o.processor += out.processor
	}
	return o, nil
}

// arrive draws when n tasks are due.
func (d *driver) arrive(n int, rate float64, number uint64) {
	d.reserve(n)
	newSchedule(rate, d.spec.Bursts, number).fill(d.due)
}

// warm lets tasks arrive for a few milliseconds, of which nothing is kept.
func (d *driver) warm(rate float64) error {
	n := int(rate * warmTime.Seconds())
	_, err := d.offer(min(max(n, warmLeast), lap), rate)
	return err
}

const (
	warmTime  = 2 * time.Millisecond
	warmLeast = 20
)

// report sets the figures of a trial.
func (o *trialOutcome) report(t *workload.Trial, d *driver, rate float64) {
	t.Report(workload.NsPerOp, float64(o.p99()))
	for _, p := range percentiles {
		t.Report(p.name, float64(o.end.ValueAtPercentile(p.at)))
		t.Report("start-"+p.name, float64(o.start.ValueAtPercentile(p.at)))
	}
	if d.spec.Computing != result.Idle {
		t.Report("queued-p50-ns", float64(o.queued.ValueAtPercentile(50)))
		t.Report("queued-p99-ns", float64(o.queued.ValueAtPercentile(99)))
	}
	t.Report("max-ns", float64(o.end.Max()))
	t.Report("start-max-ns", float64(o.start.Max()))
	t.Report("late-p50-ns", float64(o.late.ValueAtPercentile(50)))
	t.Report("late-p99-ns", float64(o.late.ValueAtPercentile(99)))
	t.Report("late-max-ns", float64(o.late.Max()))
	if o.fired.TotalCount() > 0 {
		t.Report("timer-late-p50-ns", float64(o.fired.ValueAtPercentile(50)))
		t.Report("timer-late-p99-ns", float64(o.fired.ValueAtPercentile(99)))
	}
	if o.processor > 0 && !d.shared && d.spec.Computing == result.Idle {
		t.Report(choose.Processor, float64(o.processor)/float64(o.n))
	}
	sustained := 0.0
	if o.sustained {
		sustained = 1
	}
	t.Report(choose.Sustained, sustained)
	t.Report(choose.Offered, rate)
	t.Report(choose.Heap, float64(d.heap.grown()))
}

// capacities are those that this process has found. A contestant's is found once for tasks of one kind, so that all
// shares are of the same.
var capacities struct {
	sync.Mutex
	found map[capacityKey]float64
}

type capacityKey struct {
	spec       Spec
	contestant string
}

// capacity finds how many tasks the loop can run in a second, if some thousand are always waiting: the median of a few
// attempts.
func (d *driver) capacity() (float64, error) {
	key := capacityKey{d.spec, d.trial.Contestant}
	key.spec.Rate, key.spec.Share, key.spec.Limit, key.spec.Bursts = 0, 0, false, false
	capacities.Lock()
	known := capacities.found[key]
	capacities.Unlock()
	if known > 0 {
		return known, nil
	}
	var found [5]float64
	n := 256
	for i := 0; i < len(found); {
		d.reserve(n)
		clear(d.due)
		out, err := d.perform(n, capacityWindow)
		if err != nil {
			return 0, fmt.Errorf("find the capacity: %w", err)
		}
		if out.elapsed < capacityTime && n < lap {
			n = min(4*n, lap)
			continue
		}
		found[i] = float64(n) / max(out.elapsed, 1).Seconds()
		i++
	}
	capacity := stats.Median(found[:])
	capacities.Lock()
	defer capacities.Unlock()
	if capacities.found == nil {
		capacities.found = make(map[capacityKey]float64)
	}
	capacities.found[key] = cmp.Or(capacities.found[key], capacity)
	return capacities.found[key], nil
}

const (
	capacityTime   = 10 * time.Millisecond
	capacityWindow = 1024
)
