package eventloop

import (
	"time"

	"github.com/eventloop-go/eventloop/internal/queue"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// What the loop does between its batches, so that it and its producers do not stand in each other's way: it gives way,
// it lets a burst gather, and, by option, it looks for work for a while before it parks. All of it is bounded, and none
// of it decides what runs.

const (
	pauseBatch = 64  // a batch as large as this needs no pause
	pauseSpin  = 600 // iterations of an empty loop
	fedTurns   = 64  // turns for which the last look at who feeds the loop counts

	gatherTurns  = 40
	gatherSpin   = 4000 // about a microsecond
	gatherGrowth = 8
)

// giveWay gives way to producers before the loop looks for more work.
//
// After a batch of one, somebody is probably waiting for that task's outcome and will then submit the next. Yielding
// the processor to them is cheaper than being parked and woken.
//
// After a small batch of more than one, work is streaming in. A loop that grabs tiny batches fights its producers for
// the cache lines of the lock and the queue, so it stays away for a few hundred nanoseconds, and finds a larger batch.
//
// Neither helps a loop whose callbacks submit the next batch themselves.
func (l *Loop) giveWay() {
	switch {
	case l.batch == 0 || l.batch >= pauseBatch || l.ioReady || l.hasTasks() || l.feedsItself():
	case l.batch == 1:
		l.pass()
		sched.Yield()
	case l.parallel:
		l.pass()
		sched.Pause(pauseSpin)
	}
}

// feedsItself reports whether callbacks of the loop submit its work: then the next batch is there as soon as the last
// has run. It looks into the ingress now and then only, for the answer changes seldom.
func (l *Loop) feedsItself() bool {
	if l.fedLook--; l.fedLook < 0 {
		l.in.mu.lock()
		l.fed = l.in.pending != 0 && (l.batch == 1 || l.in.external.Newest() >= l.batch)
		l.in.mu.unlock()
		l.fedLook = fedTurns
	}
	return l.fed
}

// gather lets a burst come in before the loop, just woken by its first tasks, begins to run them: running them beside
// the goroutine that submits the rest makes both slower, for they meet on every line that a task shares with it. It
// waits only as long as tasks come in at several a microsecond, until they fill a batch, and some 50 µs at most. The
// lock is held.
func (l *Loop) gather() {
	in := &l.in
	n := in.external.Newest()
	if !l.parallel || n < 2 || in.external.Full() > 0 || in.state != stateRunning || in.internal.Len() > 0 {
		return
	}
	l.pass()
	for range gatherTurns {
		in.mu.unlock()
		sched.Pause(gatherSpin)
		in.mu.lock()
		grown := in.external.Newest() - n
		if n += grown; grown < gatherGrowth || n >= queue.BatchSize-gatherGrowth {
			return
		}
	}
}

const (
	busyPause  = 200 // iterations of an empty loop between two looks
	busyLooks  = 8   // looks between yielding the processor and reading the clock
	busyRound  = 100 // nanoseconds: a round takes longer on any machine
	busyMisses = 3   // vain attempts in a row before the loop begins to leave some out
	busySkips  = 64  // parks at most before it tries again
)

// WithBusyPolling has the loop look for new work for up to limit before it parks. A parked goroutine has to be woken, and
// its processor too, if that has gone to sleep; a loop that looks starts at once: BenchmarkWakeUp. The price is processor
// time: up to a whole processor for as long as the loop has had nothing to do for less than limit. An idle loop still
// sleeps.
//
// Choose a limit of a few times the usual gap between tasks. If nothing comes in time again and again, the loop tries
// less often, until it pays again. Goroutines that wait for a processor get it. With GOMAXPROCS 1 the option does
// nothing. The default, and what is not positive, is not to look.
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
	l.pass()
	end := l.now() + b.limit
	// The number of rounds is bounded too, for a clock that stands still, as in a bubble of testing/synctest.
	for rounds := b.limit/busyRound + 1; rounds > 0 && l.now() < min(end, until); rounds-- {
		for range busyLooks {
			sched.Pause(busyPause)
			if l.comeIn() {
				b.misses = 0
				return
			}
		}
		sched.Yield()
	}
	if end > until {
		return // for a timer, which is work too
	}
	if b.misses++; b.misses > busyMisses {
		b.skip = min(1<<(b.misses-busyMisses), busySkips)
	}
}

// comeIn reports whether something has come in since the owner last took it over.
func (l *Loop) comeIn() bool {
	in := &l.in
	if !in.mu.tryLock() {
		return false
	}
	found := in.pending != 0
	in.mu.unlock()
	return found
}
