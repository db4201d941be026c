package workload

import (
	"errors"
	"sync"
	"time"

	"github.com/eventloop-go/eventloop/tournament/result"
)

// MultiProducer is throughput from ten goroutines.
var MultiProducer = Workload{
	Name:  "MultiProducer",
	Kind:  result.KindLoop,
	About: "10 goroutines share the counted submissions; wait, looking every millisecond, until all ran",
	Run: func(t *Trial) error {
		t.Start()
		if err := t.produce(10, t.submitCounted); err != nil {
			return err
		}
		t.waitFor(t.N, time.Millisecond)
		t.Stop()
		t.Submitted(t.N)
		return nil
	},
}

// MultiProducerContention is submission from a hundred goroutines.
var MultiProducerContention = Workload{
	Name:     "MultiProducerContention",
	Excluded: "a fixed sleep of 10 ms is in its time; corrected: MultiProducerContention_Executed",
	Kind:     result.KindLoop,
	About:    "100 goroutines share the counted submissions; then a sleep of 10 ms, which counts, whether all ran or not",
	Run: func(t *Trial) error {
		t.Start()
		if err := t.produce(100, t.submitCounted); err != nil {
			return err
		}
		time.Sleep(10 * time.Millisecond)
		t.Stop()
		t.Submitted(t.N)
		return nil
	},
}

// produce has producers share t.N operations and waits until they have submitted them.
func (t *Trial) produce(producers int, submit func(n int) error) error {
	errs := make([]error, producers)
	var wg sync.WaitGroup
	for p := range producers {
		n := t.N / producers
		if p < t.N%producers {
			n++
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs[p] = caught(func() error { return submit(n) })
		}()
	}
	wg.Wait()
	return errors.Join(errs...)
}

// submitCounted submits n counted tasks. As published, every task has a new closure: 16 bytes.
func (t *Trial) submitCounted(n int) error {
	loop, ran := t.Loop, &t.Ran
	for range n {
		if err := loop.Submit(func() { ran.Add(1) }); err != nil {
			return err
		}
	}
	return nil
}

// submitSignalled submits n signalled tasks.
func (t *Trial) submitSignalled(n int) error {
	loop, ran, pending := t.Loop, &t.Ran, &t.Pending
	for range n {
		pending.Add(1)
		if err := loop.Submit(func() { ran.Add(1); pending.Done() }); err != nil {
			return err
		}
	}
	return nil
}
