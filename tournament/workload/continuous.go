package workload

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/eventloop-go/eventloop/tournament/result"
)

// continuousProducers is the number of goroutines of the published category.
const continuousProducers = 4

// BatchBudgetContinuous is four goroutines that never pause.
var BatchBudgetContinuous = Workload{
	Name:     "MicroBatchBudget_Continuous",
	Excluded: "it counts N tasks and runs more; corrected: MicroBatchBudget_ContinuousExact",
	Kind:     result.KindLoop,
	About:    "4 goroutines submit signalled tasks until N ran, looked at every 100 µs; more than N are submitted, and run",
	Run: func(t *Trial) error {
		var stop atomic.Bool
		var producers sync.WaitGroup
		errs := make([]error, continuousProducers)
		t.Start()
		for p := range errs {
			producers.Add(1)
			go func() {
				defer producers.Done()
				errs[p] = caught(func() error { return t.submitUntil(&stop) })
			}()
		}
		t.waitFor(t.N, 100*time.Microsecond)
		t.Stop()
		stop.Store(true)
		producers.Wait()
		return errors.Join(errs...)
	},
}

// submitUntil submits signalled tasks until stop is set.
func (t *Trial) submitUntil(stop *atomic.Bool) error {
	loop, ran, pending := t.Loop, &t.Ran, &t.Pending
	n := 0
	defer func() { t.Submitted(n) }()
	for !stop.Load() {
		pending.Add(1)
		if err := loop.Submit(func() { ran.Add(1); pending.Done() }); err != nil {
			t.abandoned.Store(true)
			return err
		}
		n++
	}
	return nil
}
