package workload

import (
	"runtime"

	"github.com/eventloop-go/eventloop/tournament/result"
)

// PingPong is throughput from one goroutine.
var PingPong = Workload{
	Name:  "PingPong",
	Kind:  result.KindLoop,
	About: "submit a signalled task from one goroutine; wait for all at the end",
	Run:   func(t *Trial) error { return pingPong(t, 0) },
}

// GCPressure is PingPong while the garbage collector works.
var GCPressure = Workload{
	Name:  "GCPressure",
	Kind:  result.KindLoop,
	About: "PingPong with a forced garbage collection before every 1,000th submission",
	Run:   func(t *Trial) error { return pingPong(t, 1000) },
}

// GCPressureAllocations is PingPong, looked at for its allocations.
var GCPressureAllocations = Workload{
	Name:     "GCPressure_Allocations",
	Excluded: "the same operations as PingPong",
	Kind:     result.KindLoop,
	About:    "the operation of PingPong, for its allocations",
	Run:      func(t *Trial) error { return pingPong(t, 0) },
}

// pingPong submits t.N signalled tasks, with a garbage collection before every collect-th unless that is 0.
//
// As published, every task has a new closure: two pointers, 24 bytes.
func pingPong(t *Trial, collect int) error {
	loop, ran, pending := t.Loop, &t.Ran, &t.Pending
	t.Start()
	for i := range t.N {
		if collect > 0 && i%collect == 0 {
			runtime.GC()
		}
		pending.Add(1)
		if err := loop.Submit(func() { ran.Add(1); pending.Done() }); err != nil {
			return err
		}
	}
	pending.Wait()
	t.Stop()
	t.Submitted(t.N)
	return nil
}

// PingPongLatency is the way there and back.
var PingPongLatency = Workload{
	Name:  "PingPongLatency",
	Kind:  result.KindLoop,
	About: "make a channel, submit a task that closes it, receive from it",
	Run: func(t *Trial) error {
		loop := t.Loop
		t.Start()
		for range t.N {
			done := make(chan struct{})
			if err := loop.Submit(func() { close(done) }); err != nil {
				return err
			}
			<-done
		}
		t.Stop()
		// The channels count the tasks: every channel was closed, and closing one twice panics.
		t.Submitted(t.N)
		t.Ran.Add(int64(t.N))
		return nil
	},
}
