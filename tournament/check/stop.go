package check

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// ConcurrentStop is a shutdown that many ask for.
var ConcurrentStop = Suite{
	Name:  "ConcurrentStop",
	About: "100 tasks of a millisecond, then 10 goroutines call Shutdown: all return, none panics, and all tasks have run",
	Run: func(t *Trial) error {
		r, err := t.Start()
		if err != nil {
			return err
		}
		const tasks = 100
		var ran int64
		for range tasks {
			if err := r.Submit(func() { time.Sleep(time.Millisecond); ran++ }); err != nil {
				return err
			}
		}
		if err := r.stopFrom(10); err != nil {
			return err
		}
		t.Note("%d tasks ran", ran)
		return conserved(tasks, ran)
	},
}

// ConcurrentStopWithSubmits is the same with producers at work.
var ConcurrentStopWithSubmits = Suite{
	Name:  "ConcurrentStop_WithSubmits",
	About: "4 producers submit until they are refused while 10 goroutines call Shutdown: all return, none panics, what was accepted has run",
	Limit: LimitLoses,
	Run: func(t *Trial) error {
		r, err := t.Start()
		if err != nil {
			return err
		}
		var accepted, ran atomic.Int64
		var producers sync.WaitGroup
		busy := make(chan struct{})
		for range 4 {
			producers.Add(1)
			go func() {
				defer producers.Done()
				for r.Submit(func() { ran.Add(1) }) == nil {
					if accepted.Add(1) == 1000 {
						close(busy)
					}
				}
			}()
		}
		if err := r.Await(busy, "the producers to begin"); err != nil {
			return err
		}
		if err := r.stopFrom(10); err != nil {
			return err
		}
		if err := t.wait(producers.Wait, "the producers to be refused"); err != nil {
			return err
		}
		t.Note("%d tasks accepted", accepted.Load())
		return conserved(accepted.Load(), ran.Load())
	},
}

// ConcurrentStopRepeated is a short life, many times.
var ConcurrentStopRepeated = Suite{
	Name:  "ConcurrentStop_Repeated",
	About: "100 loops are started, run 10 tasks, and are shut down by 3 goroutines each: all return, and all tasks have run",
	Run: func(t *Trial) error {
		const rounds, tasks = 100, 10
		for round := range rounds {
			r, err := t.Start()
			if err != nil {
				return fmt.Errorf("round %d: %w", round, err)
			}
			var ran int64
			for range tasks {
				if err := r.Submit(func() { ran++ }); err != nil {
					return fmt.Errorf("round %d: %w", round, err)
				}
			}
			if err := r.stopFrom(3); err != nil {
				return fmt.Errorf("round %d: %w", round, err)
			}
			if err := conserved(tasks, ran); err != nil {
				return fmt.Errorf("round %d: %w", round, err)
			}
		}
		t.Note("%d rounds", rounds)
		return nil
	},
}

// stopFrom has goroutines call Shutdown at once. When it returns nil the loop has ended.
func (r *Running) stopFrom(goroutines int) error {
	var (
		callers sync.WaitGroup
		errs    = make([]error, goroutines)
		begin   = make(chan struct{})
	)
	for i := range errs {
		callers.Add(1)
		go func() {
			defer callers.Done()
			<-begin
			errs[i] = caught(func() error { return r.Shutdown(r.trial.Context) })
		}()
	}
	close(begin)
	if err := r.trial.wait(callers.Wait, "Shutdown to return everywhere"); err != nil {
		return err
	}
	for _, err := range errs {
		if err != nil {
			return fmt.Errorf("shutdown: %w", err)
		}
	}
	return r.Ended()
}
