package workload

import (
	"slices"
	"time"

	"github.com/eventloop-go/eventloop/tournament/internal/stopwatch"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// asleepPatience is how long a loop may take to go to sleep.
const asleepPatience = 10 * time.Second

// AsleepRate is the unit in which twins report how many of their wake-ups found the loop asleep, per wake-up.
const AsleepRate = "asleep/wakeup"

// WakeupAsleep is what MicroWakeupSyscall_Sleeping promises.
var WakeupAsleep = Workload{
	Name:        "MicroWakeupSyscall_Asleep",
	Kind:        result.KindTwin,
	TwinOf:      "MicroWakeupSyscall_Sleeping",
	NeedsParked: true,
	About:       "submit a task to a loop whose goroutine was seen asleep; the time from the submission until the task runs, and nothing else",
	Run: func(t *Trial) error {
		began := stopwatch.Now()
		ran := make(chan time.Duration, 1)
		task := func() {
			at := stopwatch.Since(began)
			t.emptyRan++
			ran <- at
		}
		waits := make([]time.Duration, 0, t.N)
		t.Start()
		for range t.N {
			if err := t.parked.await(asleepPatience); err != nil {
				return err
			}
			submitted := stopwatch.Since(began)
			if err := t.Loop.Submit(task); err != nil {
				return err
			}
			waits = append(waits, <-ran-submitted)
		}
		t.Stop()
		t.Submitted(t.N)
		var total time.Duration
		for _, wait := range waits {
			total += wait
		}
		t.reportAsleep(total)
		slices.Sort(waits)
		t.Report("p50-ns", float64(waits[len(waits)/2]))
		t.Report("p99-ns", float64(waits[len(waits)*99/100]))
		return nil
	},
}

// WakeupBurstFromAsleep is MicroWakeupSyscall_Burst without the pause, and with the work.
var WakeupBurstFromAsleep = Workload{
	Name:        "MicroWakeupSyscall_BurstFromAsleep",
	Kind:        result.KindTwin,
	TwinOf:      "MicroWakeupSyscall_Burst",
	NeedsParked: true,
	About:       "100 empty submissions to a loop whose goroutine was seen asleep; the time from the first until the last has run",
	Burst:       wakeupBurst,
	Run: func(t *Trial) error {
		done := make(chan struct{}, 1)
		last := func() {
			t.emptyRan++
			done <- struct{}{}
		}
		var total time.Duration
		t.Start()
		for left := t.N; left > 0; left -= wakeupBurst {
			if err := t.parked.await(asleepPatience); err != nil {
				return err
			}
			began := stopwatch.Now()
			if err := t.submitEmpty(min(left, wakeupBurst) - 1); err != nil {
				return err
			}
			if err := t.Loop.Submit(last); err != nil {
				return err
			}
			<-done
			total += stopwatch.Since(began)
			t.Submitted(1)
		}
		t.Stop()
		t.reportAsleep(total)
		return nil
	},
}

// reportAsleep makes total the time of the trial. Every wake-up was checked, or the workload would have failed.
func (t *Trial) reportAsleep(total time.Duration) {
	t.Report(NsPerOp, float64(total.Nanoseconds())/float64(t.N))
	t.Report(AsleepRate, 1)
}
