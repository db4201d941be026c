package load

import (
	"cmp"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/eventloop-go/eventloop/tournament/internal/stopwatch"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

// The names under which results hold figures beside the percentiles p50-ns, p90-ns, p99-ns, p99.9-ns and max-ns.
// Those are of the time from the intended start to the end of the callback. The prefix "start-" means the time to its
// start. "late-" is the generator's lateness in submitting, by its own fault or by a slow Submit. "queued-", on a
// busy machine, is the time from the submission to the start, without that lateness. "timer-late-" is the lateness of
// timers.
const (
	// Sustained is 1 if the loop kept up with the schedule, 0 if it fell behind.
	Sustained = "sustained"
	// Offered is the number of tasks that arrived in a second.
	Offered = "offered/s"
	// Capacity is the number of tasks in a second that the contestant could run at most.
	Capacity = "capacity/s"
	// Processor is the processor time for a task: that of the whole process, less the time in which the generator
	// waited for the next arrival. It includes the submission, the task with its two readings of the clock, wake-ups
	// and the loop's search for work. It is left out if the generator shares a processor with the loop, because the
	// two cannot be separated then.
	Processor = "processor-ns/op"
	// Heap is the greatest growth of the heap, garbage included.
	Heap = "heap-peak-B"
	// Shared is 1 if generators and loop outnumbered the processors.
	Shared = "shared-processor"
	// Oversubscribed is 1 if GOMAXPROCS was above the number of processors.
	Oversubscribed = "oversubscribed"
	// Limit100us and Limit1ms are the highest rates found at which the 99th percentile stayed within the limit, in tasks a
	// second, or 0.
	Limit100us = "p99-within-100us/s"
	Limit1ms   = "p99-within-1ms/s"
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
func (s Spec) slack(length time.Duration) time.Duration {
	slices := 2 * time.Duration(s.Computing) * 10 * time.Millisecond
	return max(behindAtLeast, slices, time.Duration(behindShare*float64(length)))
}

// Workload is the category of a spec.
func (s Spec) Workload() workload.Workload {
	return s.workload(func() int64 { return int64(stopwatch.Now()) })
}

func (s Spec) workload(now func() int64) workload.Workload {
	run := s.measure
	if s.Limit {
		run = s.search
	}
	length := shortest
	if s.Computing != workload.Idle {
		length = shortestBusy
	}
	return workload.Workload{
		Name:  s.Name(),
		Kind:  result.KindLoad,
		About: s.about(),
		Needs: s.Mix.needs(),
		Procs: s.Procs,
		// Percentiles need more operations than a mean does.
		Shortest: length,
		Run: func(t *workload.Trial) error {
			end := s.Computing.Begin(t)
			defer end()
			d := newDriver(s, t, now)
			if d.shared {
				t.Report(Shared, 1)
			}
			if runtime.GOMAXPROCS(0) > runtime.NumCPU() {
				t.Report(Oversubscribed, 1)
			}
			return run(t, d)
		},
	}
}

// measure is a trial at one rate.
func (s Spec) measure(t *workload.Trial, d *driver) error {
	rate := float64(s.Rate)
	if s.Rate == 0 {
		capacity, err := d.capacity()
		if err != nil {
			return err
		}
		t.Report(Capacity, capacity)
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
		o.sustained = o.sustained && out.behind <= d.spec.slack(out.elapsed-out.behind)
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
	if d.spec.Computing != workload.Idle {
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
	if o.processor > 0 && !d.shared && d.spec.Computing == workload.Idle {
		t.Report(Processor, float64(o.processor)/float64(o.n))
	}
	sustained := 0.0
	if o.sustained {
		sustained = 1
	}
	t.Report(Sustained, sustained)
	t.Report(Offered, rate)
	t.Report(Heap, float64(d.heap.grown()))
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
	capacity := median(found[:])
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
