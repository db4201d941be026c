package workload

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/eventloop-go/eventloop/tournament/result"
)

// WakeupRunning is submission to a loop that is kept busy.
var WakeupRunning = Workload{
	Name:  "MicroWakeupSyscall_Running",
	Kind:  result.KindLoop,
	About: "empty submissions while another goroutine keeps the loop busy: one empty task, sleep 100 ns, repeat",
	Run: func(t *Trial) error {
		var stop atomic.Bool
		var busy sync.WaitGroup
		var busyErr error
		busy.Add(1)
		go func() {
			defer busy.Done()
			n := 0
			for ; !stop.Load() && busyErr == nil; n++ {
				busyErr = t.Loop.Submit(t.Empty())
				time.Sleep(100 * time.Nanosecond)
			}
			t.Submitted(n)
		}()
		t.Start()
		err := t.submitEmpty(t.N)
		t.Stop()
		stop.Store(true)
		busy.Wait()
		if err == nil {
			err = busyErr
		}
		return err
	},
}

// WakeupSleeping is submission that begins with a loop asleep.
var WakeupSleeping = Workload{
	Name:     "MicroWakeupSyscall_Sleeping",
	Excluded: "the loop sleeps for the first submission only; corrected: MicroWakeupSyscall_Asleep",
	Kind:     result.KindLoop,
	About:    "after 50 ms of idleness, empty submissions back to back: asleep for the first one only",
	Run:      rapidSubmit,
}

// WakeupRapidSubmit is submission back to back.
var WakeupRapidSubmit = Workload{
	Name:     "MicroWakeupSyscall_RapidSubmit",
	Excluded: "it ends when the tasks are queued; corrected: MicroWakeupSyscall_RapidSubmitExecuted",
	Kind:     result.KindLoop,
	About:    "the same as MicroWakeupSyscall_Sleeping",
	Run:      rapidSubmit,
}

func rapidSubmit(t *Trial) error {
	t.idle(50 * time.Millisecond)
	t.Start()
	err := t.submitEmpty(t.N)
	t.Stop()
	return err
}

// wakeupBurst is the burst size of the published category.
const wakeupBurst = 100

// WakeupBurst is bursts with pauses.
var WakeupBurst = Workload{
	Name:     "MicroWakeupSyscall_Burst",
	Excluded: "the sleep between bursts is its time; corrected: MicroWakeupSyscall_BurstFromAsleep",
	Kind:     result.KindLoop,
	About:    "100 empty submissions, sleep 100 µs, which counts, repeat",
	Burst:    wakeupBurst,
	Run: func(t *Trial) error {
		t.Start()
		for left := t.N; left > 0; left -= wakeupBurst {
			if err := t.submitEmpty(min(left, wakeupBurst)); err != nil {
				return err
			}
			time.Sleep(100 * time.Microsecond)
		}
		t.Stop()
		return nil
	},
}

// submitEmpty submits the empty task n times.
func (t *Trial) submitEmpty(n int) error {
	loop, empty := t.Loop, t.Empty()
	for range n {
		if err := loop.Submit(empty); err != nil {
			return err
		}
	}
	t.Submitted(n)
	return nil
}
