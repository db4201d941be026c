package workload

import (
	"errors"
	"fmt"
	"time"
)

// settle waits until everything the loop has accepted has run, and fails if that does not come to pass or if more ran.
//
// It sends a probe behind the tasks to read the counts on the loop. It waits for tasks that arrive late, and reports
// tasks that are missing when patience is at its end. When the count is right a second probe looks for tasks that run
// again.
func (t *Trial) settle(ended <-chan error, patience time.Duration) error {
	deadline := time.Now().Add(patience)
	want := t.submitted.Load()
	known := int64(-1) // the last probe's count
	for right := 0; right < 2; {
		ran, err := t.probe(ended, time.Until(deadline))
		switch {
		case errors.Is(err, ErrHangs) && known >= 0:
			return &LossError{Submitted: want, Ran: known}
		case err != nil:
			return err
		case ran > want:
			return &LossError{Submitted: want, Ran: ran}
		case ran == want:
			right++
		default:
			time.Sleep(time.Millisecond)
		}
		known = ran
	}
	return nil
}

// probe asks the loop how many tasks ran.
func (t *Trial) probe(ended <-chan error, patience time.Duration) (int64, error) {
	ran := make(chan int64, 1)
	refused := make(chan error, 1)
	go func() {
		if err := t.Loop.Submit(func() { ran <- t.emptyRan + t.Ran.Load() }); err != nil {
			refused <- err
		}
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case n := <-ran:
		return n, nil
	case err := <-refused:
		return 0, fmt.Errorf("a task submitted after the workload was refused: %w", err)
	case err := <-ended:
		return 0, early(err)
	case <-timer.C:
		return 0, fmt.Errorf("a task submitted after the workload did not run: %w", ErrHangs)
	}
}
