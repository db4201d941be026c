package workload

import (
	"time"

	"github.com/eventloop-go/eventloop/tournament/internal/stopwatch"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// mixedBursts are the burst sizes that the mixed categories go through, again and again.
var mixedBursts = []int{100, 500, 1000, 2000, 5000}

// mixedWhole is the number of operations whose one half is each of the bursts once. N is a multiple of it. Calibrated
// by time alone, N would differ a hundredfold between contestants, and one with a small N would never run a whole
// burst.
const mixedWhole = 2 * (100 + 500 + 1000 + 2000 + 5000)

// BatchBudgetMixed is bursts, then single submissions.
var BatchBudgetMixed = Workload{
	Name:     "MicroBatchBudget_Mixed",
	Excluded: "a loop that lags behind is given more work; corrected: MicroBatchBudget_MixedExact",
	Kind:     result.KindLoop,
	About:    "half of N in bursts of 100, 500, 1,000, 2,000 and 5,000 signalled tasks with sleeps of 10 µs; then single ones, each with a sleep of 1 µs, for all that has not run by then: a loop that lags behind is given more of them; N is a multiple of 17,200, so that bursts are whole",
	Sweep:    true,
	Burst:    mixedWhole,

	WholeBursts: true,
	Run: func(t *Trial) error {
		submitted := 0
		defer func() { t.Submitted(submitted) }()
		t.Start()
		for half, i := t.N/2, 0; submitted < half; i++ {
			n := min(mixedBursts[i%len(mixedBursts)], half-submitted)
			if err := t.submitSignalled(n); err != nil {
				return err
			}
			submitted += n
			time.Sleep(10 * time.Microsecond)
		}
		for left := t.N - int(t.Ran.Load()); left > 0 && !t.Abandoned(); left-- {
			if err := t.submitSignalled(1); err != nil {
				return err
			}
			submitted++
			time.Sleep(time.Microsecond)
		}
		t.Pending.Wait()
		t.Stop()
		return nil
	},
}

// The units in which BatchBudgetMixedExact reports its two halves.
const (
	BurstNs  = "burst-ns"
	SingleNs = "single-ns"
)

// BatchBudgetMixedExact gives every loop the same work, and no sleep.
var BatchBudgetMixedExact = Workload{
	Name:   "MicroBatchBudget_MixedExact",
	Kind:   result.KindTwin,
	TwinOf: "MicroBatchBudget_Mixed",
	About:  "half of N in bursts of 100, 500, 1,000, 2,000 and 5,000 signalled tasks, waiting after each; then the other half one by one, waiting after each; both halves are reported besides; N is a multiple of 17,200, so that bursts are whole",
	Sweep:  true,
	Burst:  mixedWhole,

	WholeBursts: true,
	Run: func(t *Trial) error {
		t.Start()
		began := stopwatch.Now()
		half := t.N / 2
		for left, i := half, 0; left > 0; i++ {
			n := min(mixedBursts[i%len(mixedBursts)], left)
			if err := t.submitSignalled(n); err != nil {
				return err
			}
			t.Pending.Wait()
			left -= n
		}
		turn := stopwatch.Now()
		for range t.N - half {
			if err := t.submitSignalled(1); err != nil {
				return err
			}
			t.Pending.Wait()
		}
		end := stopwatch.Now()
		t.Stop()
		t.Submitted(t.N)
		if half > 0 {
			t.Report(BurstNs, float64(turn.Sub(began).Nanoseconds())/float64(half))
		}
		t.Report(SingleNs, float64(end.Sub(turn).Nanoseconds())/float64(t.N-half))
		return nil
	},
}
