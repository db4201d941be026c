package js

import (
	"math"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// An Env has the scheduling functions of a JavaScript global, on one loop. Several may share a loop: their timers are
// ordered within each of them as in Node, and between them by time.
type Env struct {
	loop   *eventloop.Loop
	hooks  adapter.Hooks
	origin time.Time        // of the clock that timers go by, and performance.timeOrigin
	clock  func() time.Time // a test's clock; nil for the machine's
	web    bool             // HTML's rules for delays instead of Node's
	host   Host

	mu         sched.Mutex
	node       iteration
	timers     timerLists
	phase      timerPhase // the timers phase in progress, or the last
	awaited    awaited
	driver     driver
	ending     int64 // when we noticed that the loop takes no timers any more, or never
	nesting    int   // HTML's nesting level of the timer in progress
	timerRefs  int   // timers that keep the loop open
	ids        ids[*Timeout]
	immediates immediates
}

// A Host runs the callbacks of one phase. It calls next repeatedly. Each call runs one callback and reports whether
// there are more. In between the host drains the nextTick queue and the microtasks. An adapter for a script engine
// has its own Host, because the engine has its own microtasks.
type Host func(next func() (more bool))

// An Option configures an [Env].
type Option func(*Env)

// WithWebDelays makes timers follow HTML (8.7, timer initialization steps) instead of Node. A delay is converted as a
// WebIDL long, and 0 stays 0. In a chain of timers that set each other, the seventh and later ones take at least 4
// ms.
func WithWebDelays() Option { return func(e *Env) { e.web = true } }

// WithHost sets how callbacks are run; see [Host].
func WithHost(h Host) Option {
	return func(e *Env) {
		if h != nil {
			e.host = h
		}
	}
}

const never = math.MaxInt64

// New makes an environment on a loop. It needs no closing: its timers end with the loop.
func New(loop *eventloop.Loop, opts ...Option) *Env {
	e := &Env{origin: sched.Now()}
	e.immediates.phase = e.runImmediates
	e.attach(loop)
	if e.clock != nil {
		e.origin = e.clock()
	}
	e.host = e.runOnLoop
	for _, o := range opts {
		if o != nil {
			o(e)
		}
	}
	return e
}

// Loop returns the loop that callbacks run on.
func (e *Env) Loop() *eventloop.Loop { return e.loop }

// Active returns the number of pending, referenced timers and immediates. They keep a script's process alive, like
// the count in Node's process.getActiveResourcesInfo.
func (e *Env) Active() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.timerRefs + e.immediates.refs
}

// runOnLoop is the host for callbacks that are Go functions.
func (e *Env) runOnLoop(next func() bool) {
	more := true
	step := func() { more = next() }
	for more && e.hooks.Callback(step) {
	}
}

// now is the clock of the timers.
func (e *Env) now() int64 {
	if e.clock != nil {
		return int64(e.clock().Sub(e.origin))
	}
	return int64(sched.Since(e.origin))
}

// attach starts on a loop, with the pending timers and immediates.
func (e *Env) attach(loop *eventloop.Loop) {
	e.loop, e.hooks = loop, adapter.Of(loop)
	e.clock = e.hooks.Clock()
	e.node = iteration{next: never, fires: never}
	e.phase = timerPhase{ran: e.phase.ran}
	e.awaited = awaited{never, never}
	e.driver = driver{at: never}
	e.ending = never
	e.immediates.request = notRequested
}

// Close clears all timers and immediates that are pending or running: a script's end. The environment stays usable.
func (e *Env) Close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for e.timers.running.head != nil { // intervals would be set again
		e.timers.running.head.close()
	}
	for len(e.timers.heap) > 0 {
		list := e.timers.heap[0]
		for list.head != nil {
			list.head.close()
		}
		e.timers.drop(list)
	}
	for _, l := range []*immediateList{&e.immediates.running, &e.immediates.waiting} {
		for l.head != nil {
			l.head.close()
		}
	}
}
