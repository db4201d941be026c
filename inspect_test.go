package eventloop

import (
	"runtime"
	"testing"
	"time"
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
	n := len(l.ticks.ring) + len(l.micros.ring) + len(l.afterward.ring) + cap(in.ticks) + cap(in.micros) +
		cap(l.timers.entries) + cap(l.arrived) + cap(l.rearmed) + cap(in.timers)
	for _, q := range []*inbox{&in.external, &in.internal, &in.immediates} {
		n += cap(q.tail) + cap(q.full) + len(q.full)*batchLimit + len(q.spare)*batchLimit
	}
	for _, b := range []*backlog{&l.external, &l.internal, &l.immediates} {
		n += cap(b.cur) + cap(b.rest) + len(b.rest)*batchLimit + len(b.spare)*batchLimit
	}
	return n
}
