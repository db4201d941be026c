package explore

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
)

// A run is one execution of a program under one schedule. All its state hangs here.
//
// Protocol. At any moment exactly one goroutine of a run is going on: cur. It alone reads and writes the run. To let
// another go on, it hands the run over with a send on that one's channel, which is also the happens-before edge. So
// nothing here needs a lock. The goroutine that started the run waits on over.
type run struct {
	strategy strategy
	cur      *g
	gs       []*g // those that have not ended, in the order of their making
	made     int32
	started  int // of those in gs, how many have been called by Go, and not by a timer or a context only
	others   []*g

	now        int64 // virtual time, in nanoseconds
	lapsed     int64
	processors int

	steps     int // operations so far
	limit     int
	decisions int32
	taken     []Decision
	plain     bool // the choice just made needs no decision: see replay

	tracing bool
	trace   []Event

	failure *Failure
	over    chan struct{}
}

// current is the run that goes on, or nil. Functions of this package called meanwhile are taken to be called by its
// current goroutine; without one they are Go's own.
var current atomic.Pointer[run]

// A g is a goroutine of a run.
type g struct {
	r       *run
	id      int32
	name    string
	fn      func()
	resume  chan struct{} // made when it first waits for its turn
	begun   bool          // there is a goroutine of Go's behind it
	fresh   bool          // it has begun, and its choice is its first operation's
	service bool          // it waits for a timer or a context; no deadlock if that never comes
	ops     int           // operations so far
	prio    int           // for PCT: higher goes first

	wait  waiting
	mu    *Mutex
	chans [3]<-chan struct{}
	until func() bool
	at    int64
}

// waiting is the kind of event that a goroutine waits for.
type waiting uint8

const (
	waitsForNothing waiting = iota
	waitsForMutex
	waitsForChannel // one of chans has a token, or is closed
	waitsForRoom    // until reports true
	waitsForTime
	waitsForQuiet // all other goroutines are blocked
)

func (w waiting) String() string {
	return [...]string{"nothing", "a mutex", "a channel", "a condition", "a time", "quiet"}[w]
}

// ready reports whether g can go on.
func (g *g) ready() bool {
	switch g.wait {
	case waitsForNothing:
		return true
	case waitsForMutex:
		return !g.mu.held
	case waitsForChannel:
		return receivable(g.chans[0]) || receivable(g.chans[1]) || receivable(g.chans[2])
	case waitsForRoom:
		return g.until()
	case waitsForTime:
		return g.at <= g.r.now
	default:
		return false
	}
}

// receivable reports whether a receive would not block. It takes nothing: a channel without a token can be received from
// only when it is closed, since no sender waits outside a run.
func receivable(ch <-chan struct{}) bool {
	if len(ch) > 0 {
		return true
	}
	select {
	case _, open := <-ch:
		return !open
	default:
		return false
	}
}

// newG adds a goroutine that has not begun.
func (r *run) newG(name string, fn func(), service bool) *g {
	g := &g{r: r, id: r.made, name: name, fn: fn, service: service}
	r.made++
	if !service {
		r.started++
	}
	r.gs = append(r.gs, g)
	r.strategy.made(g)
	return g
}

// remove takes g out of the run.
func (r *run) remove(g *g) {
	i := slices.Index(r.gs, g)
	r.gs = slices.Delete(r.gs, i, i+1)
	if !g.service {
		r.started--
	}
}

// point is a point of choice before an operation of the goroutine that goes on.
func (r *run) point(op string) {
	if g := r.enter(op); !g.fresh {
		r.pass(g, r.choose(g, true, false))
	} else {
		g.fresh = false
	}
}

// enter counts an operation.
func (r *run) enter(op string) *g {
	g := r.cur
	g.ops++
	if r.steps++; r.steps > r.limit {
		r.fail("livelock", fmt.Sprintf("still going on after %d operations", r.limit))
	}
	if r.tracing {
		r.record(g, op)
	}
	return g
}

// block lets others go on until the event that g waits for, already set in g, has happened. If it has happened
// already, block is an ordinary point of choice.
func (r *run) block(op string) {
	g := r.enter(op)
	ready := g.ready()
	if ready && g.fresh {
		g.fresh, g.wait = false, waitsForNothing
		return
	}
	g.fresh = false
	next := r.choose(g, ready, false)
	if next == nil {
		r.deadlock()
	}
	r.pass(g, next)
	g.wait = waitsForNothing
}

// choose asks the strategy for the next goroutine. from ran last: can reports that it may go on, and yield that it
// should not. If all goroutines are blocked and no timer is set, choose returns nil.
func (r *run) choose(from *g, can, yield bool) *g {
	for {
		if next := r.strategy.next(r, from, can, yield); next != nil {
			if (!can || next != from) && !r.plain {
				r.taken = append(r.taken, Decision{At: r.decisions, Value: int64(next.id), preempts: can && !yield})
			}
			r.decisions++
			return next
		}
		for _, g := range r.gs {
			if g.wait == waitsForQuiet {
				return g
			}
		}
		if !r.jump() {
			return nil
		}
		from, can, yield = nil, false, false // after that, all who can go on are equal
	}
}

// enabled lists the goroutines that can go on, beginning behind g and going round, without g.
func (r *run) enabled(from *g) []*g {
	at := len(r.gs)
	r.others = r.others[:0]
	for i, g := range r.gs {
		if g == from {
			at = i
			break
		}
		if from != nil && g.id > from.id { // from has ended
			at = i - 1
			break
		}
	}
	for i := at + 1; i < len(r.gs); i++ {
		if g := r.gs[i]; g.ready() {
			r.others = append(r.others, g)
		}
	}
	for i := 0; i < min(at+1, len(r.gs)); i++ {
		if g := r.gs[i]; g != from && g.ready() {
			r.others = append(r.others, g)
		}
	}
	return r.others
}

// pass hands the run over to next, and waits for the turn of g.
func (r *run) pass(g, next *g) {
	if next == g {
		return
	}
	if g.resume == nil {
		g.resume = make(chan struct{}, 1)
	}
	r.hand(next)
	<-g.resume
}

func (r *run) hand(next *g) {
	r.cur = next
	if next.begun {
		next.resume <- struct{}{}
		return
	}
	// That a timer fires, or a context has ended, can be seen by others before its function does anything.
	next.begun, next.fresh, next.wait = true, !next.service, waitsForNothing
	if next.service {
		next.service = false
		r.started++
	}
	go next.main()
}

// main is the goroutine of a run. Goexit ends it as a return does.
func (g *g) main() {
	finished := false
	defer func() {
		if !finished {
			if v := recover(); v != nil {
				g.r.fail("panic", fmt.Sprintf("%v\n%s", v, debug.Stack()))
			}
		}
		g.r.exit(g)
	}()
	g.fn()
	finished = true
}

// exit ends g, and the run if no started goroutine is left.
func (r *run) exit(g *g) {
	r.remove(g)
	if r.started > 0 {
		next := r.choose(g, false, false)
		if next == nil {
			r.deadlock()
		}
		r.hand(next)
		return
	}
	r.over <- struct{}{}
}

func (r *run) deadlock() {
	var b strings.Builder
	b.WriteString("nobody can go on, and no timer is set:")
	for _, g := range r.gs {
		if !g.service {
			fmt.Fprintf(&b, " %s waits for %v;", g, g.wait)
		}
	}
	r.fail("deadlock", b.String())
}

// fail ends the run. Its goroutines stay blocked, because unwinding them is not part of the run.
func (r *run) fail(kind, message string) {
	r.failure = &Failure{Kind: kind, Message: message}
	r.over <- struct{}{}
	select {}
}

func (g *g) String() string { return fmt.Sprintf("g%d(%s)", g.id, g.name) }

// execute runs body under a strategy.
func execute(s strategy, limit int, tracing bool, body func()) *run {
	r := &run{strategy: s, limit: limit, tracing: tracing, processors: 2, over: make(chan struct{})}
	if !current.CompareAndSwap(nil, r) {
		panic("explore: a run goes on already")
	}
	r.cur = r.newG("main", body, false)
	s.begin(r)
	r.hand(r.cur)
	<-r.over
	current.Store(nil)
	if r.failure != nil {
		r.failure.Decisions, r.failure.Trace, r.failure.Steps = r.taken, r.trace, r.steps
	}
	return r
}
