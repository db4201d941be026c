package workload

import (
	"time"

	"github.com/eventloop-go/eventloop/tournament/result"
)

// BurstSubmit is a burst, and the wait for it.
var BurstSubmit = Workload{
	Name:  "BurstSubmit",
	Kind:  result.KindLoop,
	About: "bursts of 1,000 signalled tasks, waiting after each; what is left of N after whole bursts is not run, but counted",
	Burst: 1000,
	Run: func(t *Trial) error {
		t.Start()
		for range t.N / 1000 {
			if err := t.submitSignalled(1000); err != nil {
				return err
			}
			t.Pending.Wait()
		}
		t.Stop()
		t.Submitted(t.N / 1000 * 1000)
		return nil
	},
}

// batchBurst is the burst size of the published batch budget categories.
const batchBurst = 1024

// BatchBudgetThroughput is bursts with pauses.
//
// A sleep of 10 µs lasts that long only while another goroutine keeps the scheduler looking at its timers. Where the
// loop has already run the burst, the process has nothing to do but wait for the timer, and the runtime rounds such a
// wait up, on Linux to a millisecond. So a loop pays for being done, and one that lags behind is spared: the twin has
// the figure without.
var BatchBudgetThroughput = Workload{
	Name:  "MicroBatchBudget_Throughput/Burst=1024",
	Kind:  result.KindLoop,
	About: "bursts of 1,024 signalled tasks with a sleep of 10 µs between them, which counts; wait at the end",
	Burst: batchBurst,
	Run: func(t *Trial) error {
		t.Start()
		for left := t.N; left > 0; left -= batchBurst {
			if left < t.N {
				time.Sleep(10 * time.Microsecond)
			}
			if err := t.submitSignalled(min(left, batchBurst)); err != nil {
				return err
			}
		}
		t.Pending.Wait()
		t.Stop()
		t.Submitted(t.N)
		return nil
	},
}

// BatchBudgetLatency is bursts, each waited for.
var BatchBudgetLatency = Workload{
	Name:  "MicroBatchBudget_Latency/Burst=1024",
	Kind:  result.KindLoop,
	About: "bursts of 1,024 tasks that only signal, waiting after each",
	Burst: batchBurst,
	Run: func(t *Trial) error {
		t.Start()
		for left := t.N; left > 0; left -= batchBurst {
			if err := t.submitSignals(min(left, batchBurst)); err != nil {
				return err
			}
			t.Pending.Wait()
		}
		t.Stop()
		// A task that is lost leaves Pending waiting for ever, one that runs again makes it negative, which panics:
		// a count of their own would make these tasks another category.
		t.Submitted(t.N)
		t.Ran.Add(int64(t.N))
		return nil
	},
}

// submitSignals submits n tasks that only signal.
func (t *Trial) submitSignals(n int) error {
	loop, pending := t.Loop, &t.Pending
	for range n {
		pending.Add(1)
		if err := loop.Submit(func() { pending.Done() }); err != nil {
			return err
		}
	}
	return nil
}
