package workload

import "github.com/eventloop-go/eventloop/tournament/result"

// MultiProducerContentionExecuted waits for the work instead of for ten milliseconds.
var MultiProducerContentionExecuted = Workload{
	Name:   "MultiProducerContention_Executed",
	Kind:   result.KindTwin,
	TwinOf: "MultiProducerContention",
	About:  "100 goroutines share the counted submissions; the time ends when the last one has run",
	Run:    func(t *Trial) error { return t.produceAndAwait(100) },
}

// produceAndAwait has producers share t.N counted submissions, and times until the last one has run.
func (t *Trial) produceAndAwait(producers int) error {
	t.goal, t.reached = int64(t.N), make(chan struct{})
	t.Start()
	if err := t.produce(producers, t.submitTowardsGoal); err != nil {
		return err
	}
	<-t.reached
	t.Stop()
	t.Submitted(t.N)
	return nil
}

// submitTowardsGoal submits n counted tasks, of which the one that reaches the goal says so.
func (t *Trial) submitTowardsGoal(n int) error {
	loop := t.Loop
	for range n {
		if err := loop.Submit(func() {
			if t.Ran.Add(1) == t.goal {
				close(t.reached)
			}
		}); err != nil {
			return err
		}
	}
	return nil
}

// BurstSubmitExact runs all it counts.
var BurstSubmitExact = Workload{
	Name:   "BurstSubmit_Exact",
	Kind:   result.KindTwin,
	TwinOf: "BurstSubmit",
	About:  "bursts of 1,000 signalled tasks, waiting after each; the last burst is what is left of N",
	Burst:  1000,
	Run: func(t *Trial) error {
		t.Start()
		for left := t.N; left > 0; left -= 1000 {
			if err := t.submitSignalled(min(left, 1000)); err != nil {
				return err
			}
			t.Pending.Wait()
		}
		t.Stop()
		t.Submitted(t.N)
		return nil
	},
}

// WakeupRapidSubmitExecuted ends when the work is done, not when it is queued.
var WakeupRapidSubmitExecuted = Workload{
	Name:   "MicroWakeupSyscall_RapidSubmitExecuted",
	Kind:   result.KindTwin,
	TwinOf: "MicroWakeupSyscall_RapidSubmit",
	About:  "empty submissions back to back; the time ends when the last one has run",
	Run: func(t *Trial) error {
		done := make(chan struct{})
		t.Start()
		if err := t.submitEmpty(t.N - 1); err != nil {
			return err
		}
		if err := t.Loop.Submit(func() { t.emptyRan++; close(done) }); err != nil {
			return err
		}
		<-done
		t.Stop()
		t.Submitted(1)
		return nil
	},
}

// BatchBudgetContinuousExact counts the tasks that run.
var BatchBudgetContinuousExact = Workload{
	Name:   "MicroBatchBudget_ContinuousExact",
	Kind:   result.KindTwin,
	TwinOf: "MicroBatchBudget_Continuous",
	About:  "4 goroutines share exactly N signalled submissions; the time ends when all have run",
	Run: func(t *Trial) error {
		t.Start()
		if err := t.produce(continuousProducers, t.submitSignalled); err != nil {
			return err
		}
		t.Pending.Wait()
		t.Stop()
		t.Submitted(t.N)
		return nil
	},
}
