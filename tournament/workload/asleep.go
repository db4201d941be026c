package workload

import (
	"fmt"
	"slices"
	"time"

	"github.com/eventloop-go/eventloop/internal/cpuusage"
	"github.com/eventloop-go/eventloop/tournament/internal/stopwatch"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// pause is how long the loop is left alone before it is woken. It is longer than any loop's work before sleep.
const pause = 2 * time.Millisecond

// Awake is the unit of the share of a processor that the process used while the loop was left alone. Categories that
// wake a sleeping loop report it: it proves that the loop slept.
const Awake = "processors-awake"

// mostAwake is the share above which a loop did not sleep. The submitter's own waking up is a few percent.
const mostAwake = 0.5

// An AwakeError says that a loop did not sleep when it should have.
type AwakeError struct {
	Share float64 // of a processor
}

// Error says how much was used.
func (e *AwakeError) Error() string {
	return fmt.Sprintf("the loop does not sleep: %.0f %% of a processor was used while there was nothing to do", 100*e.Share)
}

// WakeupAsleep measures what the name of MicroWakeupSyscall_Sleeping says.
var WakeupAsleep = Workload{
	Name:   "MicroWakeupSyscall_Asleep",
	Kind:   result.KindTwin,
	TwinOf: "MicroWakeupSyscall_Sleeping",
	About:  "submit a task to a loop that was left alone for 2 ms and used no processor in that time; the median of the times from a submission until its task runs",
	Run: func(t *Trial) error {
		began := stopwatch.Now()
		ran := make(chan time.Duration, 1)
		task := func() {
			at := stopwatch.Since(began)
			t.emptyRan++
			ran <- at
		}
		return t.wake(t.N, func(int) (time.Duration, error) {
			submitted := stopwatch.Since(began)
			if err := t.Loop.Submit(task); err != nil {
				return 0, err
			}
			t.Submitted(1)
			return <-ran - submitted, nil
		})
	},
}

// WakeupBurstFromAsleep is MicroWakeupSyscall_Burst without the pause, and with the work.
var WakeupBurstFromAsleep = Workload{
	Name:   "MicroWakeupSyscall_BurstFromAsleep",
	Kind:   result.KindTwin,
	TwinOf: "MicroWakeupSyscall_Burst",
	About:  "100 empty submissions to a loop that was left alone for 2 ms and used no processor in that time; the median of the times from the first until the last has run, for one of the 100",
	Burst:  wakeupBurst,

	WholeBursts: true,
	Run: func(t *Trial) error {
		done := make(chan struct{}, 1)
		last := func() {
			t.emptyRan++
			done <- struct{}{}
		}
		return t.wake(t.N/wakeupBurst, func(int) (time.Duration, error) {
			began := stopwatch.Now()
			if err := t.submitEmpty(wakeupBurst - 1); err != nil {
				return 0, err
			}
			if err := t.Loop.Submit(last); err != nil {
				return 0, err
			}
			t.Submitted(1)
			<-done
			return stopwatch.Since(began) / wakeupBurst, nil
		})
	},
}

// wake lets the loop sleep, and times one's wake-up, repeatedly. It reports the times, and the processor time of the
// pauses, which must be next to nothing. We do not inspect the loop: inspection stops the world and makes processors
// spin that would otherwise sleep.
func (t *Trial) wake(times int, one func(i int) (time.Duration, error)) error {
	waits := make([]time.Duration, 0, times)
	var used, paused time.Duration
	t.Start()
	for i := range times {
		before, began := cpuusage.Total(), stopwatch.Now()
		time.Sleep(pause)
		if t.Abandoned() {
			return nil
		}
		paused += stopwatch.Since(began)
		used += cpuusage.Total() - before
		wait, err := one(i)
		if err != nil {
			return err
		}
		waits = append(waits, wait)
	}
	t.Stop()
	share := float64(used) / float64(paused)
	if times >= enoughPauses && share > mostAwake {
		return &AwakeError{share}
	}
	slices.Sort(waits)
	t.Report(NsPerOp, max(1, float64(waits[len(waits)/2])))
	t.Report("p90-ns", float64(waits[len(waits)*9/10]))
	t.Report("p99-ns", float64(waits[len(waits)*99/100]))
	t.Report(Awake, share)
	return nil
}

// enoughPauses is the number below which the clock of processor time, which moves in steps on some systems, proves nothing.
const enoughPauses = 20
