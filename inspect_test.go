package eventloop

import (
	"runtime"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/internal/queue"
)

// What these tests look at inside a loop, in one place.

// asleep reports whether the owner is parked, or has decided to.
func asleep(l *Loop) bool {
	l.in.mu.lock()
	defer l.in.mu.unlock()
	return l.in.sleeping
}

// untilAsleep waits until the loop sleeps. There is no event for that to wait on, so it polls, without sleeping.
func untilAsleep(t testing.TB, l *Loop) {
	for deadline := time.Now().Add(patience); !asleep(l); {
		runtime.Gosched()
		if time.Now().After(deadline) {
			t.Fatal("hangs: the loop does not go to sleep")
		}
	}
}

// keptSlots counts the slots of all queues, used or not. The loop must be parked.
func keptSlots(l *Loop) int {
	l.in.mu.lock()
	defer l.in.mu.unlock()
	in := &l.in
	n := l.ticks.Cap() + l.micros.Cap() + l.afterward.Cap() + cap(in.ticks) + cap(in.micros) +
		l.timers.Slots()
	for _, q := range []*queue.Inbox{&in.external, &in.internal, &in.immediates} {
		n += q.Cap()
	}
	for _, b := range []*queue.Backlog{&l.external, &l.internal, &l.immediates} {
		n += b.Cap()
	}
	return n
}
