package eventloop

import (
	"errors"
	"sync"
	"testing"
)

func TestEnqueueFromQueuesWhatTakeReturns(t *testing.T) {
	var log journal
	runMain(t, func(l *Loop) {
		must(t, l.ScheduleMicrotask(log.does("before")))
		must(t, l.EnqueueFrom(func() Job { return jobFunc(log.does("taken")) }))
		must(t, l.EnqueueFrom(func() Job { return nil }))
		l.Owner().EnqueueFrom(func() Job { return jobFunc(log.does("taken by the Owner")) })
		l.Owner().EnqueueFrom(func() Job { return nil })
		must(t, l.ScheduleMicrotask(log.does("after")))
	})
	log.expect(t, "before taken taken by the Owner after")
}

func TestEnqueueFromThatIsRefusedDoesNotTake(t *testing.T) {
	bad := func() Job { t.Error("take was called"); return nil }
	if err := new(Loop).EnqueueFrom(bad); !errors.Is(err, ErrZeroLoop) {
		t.Errorf("zero loop: %v", err)
	}
	l := New()
	must(t, l.Close())
	if err := l.EnqueueFrom(bad); !errors.Is(err, ErrLoopTerminated) {
		t.Errorf("closed loop: %v", err)
	}
}

// The loop's lock is held while take runs. A take that panics must not keep it: every later call would hang.
func TestEnqueueFromWithABadTakeLeavesTheLoopAlive(t *testing.T) {
	l := running(t)
	if err := l.EnqueueFrom(nil); !errors.Is(err, ErrNilCallback) {
		t.Errorf("nil: %v", err)
	}
	if got := panicOf(func() { _ = l.EnqueueFrom(func() Job { panic("oops") }) }); got != "oops" {
		t.Errorf("the panic did not reach the caller: %q", got)
	}
	on(t, l, func() {})
}

// A change made by take is seen by others only with its job queued: what they queue when they have seen it runs later.
func TestEnqueueFromIsOneStepWithTheChangeItMakes(t *testing.T) {
	l := running(t)
	for range scale(20_000) {
		var mu sync.Mutex
		settled := false
		var order journal
		done := make(chan struct{})
		go func() {
			for seen := false; !seen; {
				mu.Lock()
				seen = settled
				mu.Unlock()
			}
			_ = l.ScheduleMicrotask(func() { order.say("late"); close(done) })
		}()
		must(t, l.EnqueueFrom(func() Job {
			mu.Lock()
			settled = true
			mu.Unlock()
			return jobFunc(order.does("early"))
		}))
		await(t, "the late microtask", done)
		order.expect(t, "early late")
	}
}
