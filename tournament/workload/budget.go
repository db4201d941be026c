package workload

import (
	"fmt"
	"time"

	"github.com/eventloop-go/eventloop/tournament/internal/stopwatch"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// batchBurst is the burst size of the published batch budget categories that are not part of the sweeps only.
const batchBurst = 1024

// budgetBursts are the burst sizes of the published sweeps.
var budgetBursts = []int{64, 128, 256, 512, 1024, 2048, 4096}

// The batch budget categories of one burst size.
var (
	BatchBudgetThroughput             = budgetThroughput(batchBurst)
	BatchBudgetThroughputWithoutSleep = budgetThroughputWithoutSleep(batchBurst)
	BatchBudgetLatency                = budgetLatency(batchBurst)
)

// BudgetSweep returns the published sweeps, without the burst size that is among the 14.
func BudgetSweep() []Workload {
	var all []Workload
	for _, burst := range budgetBursts {
		if burst != batchBurst {
			all = append(all, sweep(budgetThroughput(burst)), sweep(budgetLatency(burst)))
		}
	}
	return all
}

// BudgetSweepTwins returns the corrected versions of the sweeps.
func BudgetSweepTwins() []Workload {
	var all []Workload
	for _, burst := range budgetBursts {
		if burst != batchBurst {
			all = append(all, sweep(budgetThroughputWithoutSleep(burst)))
		}
	}
	return all
}

func sweep(w Workload) Workload {
	w.Sweep = true
	return w
}

// budgetThroughput is bursts with pauses.
//
// A sleep of 10 µs lasts that long only while another goroutine keeps the scheduler looking at its timers. If the
// loop has already run the burst, the process only waits for the timer. The runtime rounds such a wait up, on Linux
// to a millisecond. So a loop pays for being done, and one that lags behind is spared. The corrected version has the
// figure without this.
func budgetThroughput(burst int) Workload {
	return Workload{
		Name:     fmt.Sprintf("MicroBatchBudget_Throughput/Burst=%d", burst),
		Excluded: fmt.Sprintf("the sleep between bursts is most of its time; corrected: MicroBatchBudget_ThroughputWithoutSleep/Burst=%d", burst),
		Kind:     result.KindLoop,
		About:    fmt.Sprintf("bursts of %s signalled tasks with a sleep of 10 µs between them, which counts; wait at the end", thousands(burst)),
		Burst:    burst,
		Run: func(t *Trial) error {
			t.Start()
			for left := t.N; left > 0; left -= burst {
				if left < t.N {
					time.Sleep(10 * time.Microsecond)
				}
				if err := t.submitSignalled(min(left, burst)); err != nil {
					return err
				}
			}
			t.Pending.Wait()
			t.Stop()
			t.Submitted(t.N)
			return nil
		},
	}
}

// budgetThroughputWithoutSleep leaves the pause out of the time, and the work in.
func budgetThroughputWithoutSleep(burst int) Workload {
	return Workload{
		Name:   fmt.Sprintf("MicroBatchBudget_ThroughputWithoutSleep/Burst=%d", burst),
		Kind:   result.KindTwin,
		TwinOf: fmt.Sprintf("MicroBatchBudget_Throughput/Burst=%d", burst),
		About:  fmt.Sprintf("bursts of %s signalled tasks, waiting after each; the sleep of 10 µs between them is not in the time, so nothing runs in it", thousands(burst)),
		Burst:  burst,
		Run: func(t *Trial) error {
			var total time.Duration
			t.Start()
			for left := t.N; left > 0; left -= burst {
				began := stopwatch.Now()
				if err := t.submitSignalled(min(left, burst)); err != nil {
					return err
				}
				t.Pending.Wait()
				total += stopwatch.Since(began)
				time.Sleep(10 * time.Microsecond)
			}
			t.Stop()
			t.Submitted(t.N)
			t.Report(NsPerOp, float64(total.Nanoseconds())/float64(t.N))
			return nil
		},
	}
}

// budgetLatency is bursts, each waited for.
func budgetLatency(burst int) Workload {
	return Workload{
		Name:  fmt.Sprintf("MicroBatchBudget_Latency/Burst=%d", burst),
		Kind:  result.KindLoop,
		About: fmt.Sprintf("bursts of %s tasks that only signal, waiting after each", thousands(burst)),
		Burst: burst,
		Run: func(t *Trial) error {
			t.Start()
			for left := t.N; left > 0; left -= burst {
				if err := t.submitSignals(min(left, burst)); err != nil {
					return err
				}
				t.Pending.Wait()
			}
			t.Stop()
			// A lost task leaves Pending waiting for ever. One that runs again makes it negative, which panics. A
			// count of their own would make these tasks another category.
			t.Submitted(t.N)
			t.Ran.Add(int64(t.N))
			return nil
		},
	}
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

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}
