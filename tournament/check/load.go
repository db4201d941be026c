package check

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/eventloop-go/eventloop/tournament/internal/stopwatch"
)

// GCPressure is counting while the garbage collector works.
var GCPressure = Suite{
	Name:  "GCPressure_Correctness",
	About: "10,000 tasks while the garbage is collected every millisecond: executed and refused are 10,000",
	Run: func(t *Trial) error {
		r, err := t.Start()
		if err != nil {
			return err
		}
		stop := make(chan struct{})
		var collector sync.WaitGroup
		collector.Add(1)
		go func() {
			defer collector.Done()
			every := time.NewTicker(time.Millisecond)
			defer every.Stop()
			for {
				select {
				case <-stop:
					return
				case <-every.C:
					runtime.GC()
				}
			}
		}()
		defer collector.Wait()
		defer close(stop)
		const tasks = 10_000
		var ran, accepted int64
		for range tasks {
			payload := make([]byte, 64)
			if r.Submit(func() {
				payload[0]++ // what a task refers to is alive until it has run
				ran++
			}) == nil {
				accepted++
			}
		}
		if err := r.End(); err != nil {
			return err
		}
		t.Note("%d executed, %d refused", ran, tasks-accepted)
		return conserved(accepted, ran)
	},
}

// MemoryLeak is load, again and again.
var MemoryLeak = Suite{
	Name:     "MemoryLeak",
	About:    "fourteen rounds of 10,000 tasks with a payload each: the heap after a collection stays level",
	Isolated: true, // the heap is the process's
	Run: func(t *Trial) error {
		r, err := t.Start()
		if err != nil {
			return err
		}
		const rounds, tasks, payload = 14, 10_000, 256
		const slack = 2 * tasks * payload // a loop may hold on to the batch it ran last; a leak of all would be eight rounds
		var level [rounds]int64
		for round := range rounds {
			for range tasks {
				data := make([]byte, payload)
				if err := r.Submit(func() { data[0]++ }); err != nil {
					return err
				}
			}
			if err := r.Round("the end of a round"); err != nil {
				return err
			}
			level[round] = heapAfterGC()
		}
		// Two rounds may grow the queues. After that the lowest of the early and of the late levels are compared, for
		// other goroutines of the process allocate as well.
		grown := slices.Min(level[10:]) - slices.Min(level[2:6])
		t.Note("%+d KiB from early to late rounds of %d KiB", grown>>10, tasks*payload>>10)
		if grown > slack {
			return fmt.Errorf("the heap grew by %d KiB over eight rounds of %d KiB", grown>>10, tasks*payload>>10)
		}
		return r.End()
	},
}

func heapAfterGC() int64 {
	runtime.GC()
	runtime.GC() // objects held by finalizers and pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// MultiProducerStress is many producers, counted and timed.
var MultiProducerStress = Suite{
	Name:  "MultiProducerStress",
	About: "10 producers submit 10,000 tasks each: all are accounted for, those of each producer run in order; the latency is reported",
	Run: func(t *Trial) error {
		r, err := t.Start()
		if err != nil {
			return err
		}
		const producers, tasks = 10, 10_000
		var (
			accepted atomic.Int64
			last     [producers]int
			waits    = make([]time.Duration, 0, producers*tasks) // the loop's
			disorder error
			all      sync.WaitGroup
		)
		for p := range producers {
			last[p] = -1
			all.Add(1)
			go func() {
				defer all.Done()
				for i := range tasks {
					submitted := stopwatch.Now()
					if r.Submit(func() {
						waits = append(waits, stopwatch.Since(submitted))
						if last[p] >= i && disorder == nil {
							disorder = fmt.Errorf("task %d of producer %d ran after task %d", i, p, last[p])
						}
						last[p] = i
					}) == nil {
						accepted.Add(1)
					}
				}
			}()
		}
		if err := t.wait(all.Wait, "the producers"); err != nil {
			return err
		}
		if err := r.End(); err != nil {
			return err
		}
		slices.Sort(waits)
		if n := len(waits); n > 0 {
			t.Note("latency p50 %v, p95 %v, p99 %v, most %v", at(waits, 50), at(waits, 95), at(waits, 99), waits[n-1].Round(time.Microsecond))
		}
		return errors.Join(conserved(accepted.Load(), int64(len(waits))), disorder)
	},
}

// at returns a percentile of sorted durations.
func at(sorted []time.Duration, percent int) time.Duration {
	return sorted[(len(sorted)-1)*percent/100].Round(time.Microsecond)
}
