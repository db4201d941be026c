package eventloop

import (
	"time"

	"github.com/eventloop-go/eventloop/internal/sched"
)

const (
	busyPause  = 200 // iterations of an empty loop between two looks
	busyLooks  = 8   // looks between yielding the processor and reading the clock
	busyRound  = 100 // nanoseconds: a round takes longer on any machine
	busyMisses = 3   // failed attempts in a row before the loop begins to leave some out
	busySkips  = 64  // parks at most before it tries again
)

// WithBusyPolling has the loop look for new work for up to limit before it parks. A parked goroutine has to be woken,
// and its processor too, if that sleeps; a polling loop starts at once: BenchmarkWakeUp. The price is processor time:
// up to a whole processor while the gaps between tasks are shorter than limit. An idle loop still sleeps.
//
// Choose a limit of a few times the usual gap between tasks. If polling finds nothing several times in a row, the
// loop polls less often, until polling pays again. Other goroutines that need the processor get it. Off by default,
// for limit ≤ 0, and with GOMAXPROCS 1.
func WithBusyPolling(limit time.Duration) Option {
	return optionFunc(func(l *Loop) { l.busy.limit = int64(limit) })
}

// busyPolling is the state of WithBusyPolling.
type busyPolling struct {
	limit  int64 // in nanoseconds
	misses int   // attempts in a row that found nothing
	skip   int   // parks to come without an attempt
}

// busyPoll looks for work for a while, until the time until at most.
func (l *Loop) busyPoll(until int64) {
	b := &l.busy
	if b.limit <= 0 || !l.parallel {
		return
	}
	if b.skip > 0 {
		b.skip--
		return
	}
	l.meterPause()
	end := l.now() + b.limit
	// The number of rounds is bounded too, because a clock may stand still, as in a bubble of testing/synctest.
	for rounds := b.limit/busyRound + 1; rounds > 0 && l.now() < min(end, until); rounds-- {
		for range busyLooks {
			sched.Pause(busyPause)
			if l.hasArrivals() {
				b.misses = 0
				return
			}
		}
		if !sched.YieldIfQuick() { // others need the processors
			b.skip = busySkips
			return
		}
	}
	if end > until {
		return // for a timer, which is work too
	}
	if b.misses++; b.misses > busyMisses {
		b.skip = min(1<<(b.misses-busyMisses), busySkips)
	}
}

// hasArrivals reports whether something has come in since the owner last took it over.
func (l *Loop) hasArrivals() bool {
	in := &l.in
	if !in.mu.tryLock() {
		return false
	}
	found := in.pending != 0
	in.mu.unlock()
	return found
}
