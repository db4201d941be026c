package js

import (
	"math"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// An Env is what a JavaScript global offers for scheduling, on one loop. Several may share a loop: their timers are
// then ordered within each of them as in Node, and between them by time.
type Env struct {
	loop   *eventloop.Loop
	owner  eventloop.Owner
	origin time.Time // of the clock that timers go by, and performance.timeOrigin
	web    bool      // HTML's rules for delays instead of Node's
	host   Host

	mu         sched.Mutex
	timers     timerLists
	driver     eventloop.Timer // the loop's timer that stands for all of ours
	driven     bool            // driver has been made
	armed      int64           // when the driver fires, in nanoseconds since origin
	inPhase    bool            // timers are being run; the driver is set when that ends
	over       bool            // a host has gone on to the phase behind
	left       *timerPhase     // what RunTimer has left of one, or nil
	ahead      bool            // RunTimer has begun a phase, which runTimers is to end
	checkFirst bool            // immediates run before timers, once
	awaited    int64           // the millisecond of which all timers are waited for, or never
	read       int64           // the millisecond in which the clock was last read, as libuv keeps it
	soonest    int64           // when the first list expires, as far as the phase has told libuv
	wake       int64           // when libuv would run timers again
	nesting    int             // HTML's nesting level of the timer in progress
	timerRefs  int             // timers that keep the loop open
	ids        ids[*Timeout]
	immediates immediates
}

// A Host runs the callbacks of one phase. It calls next, which runs one callback, until that reports that there are
// no more, and lets the nextTick queue and the microtasks drain in between. An adapter for a script engine has its
// own, because the engine has its own microtasks.
type Host func(next func() (more bool))

// An Option configures an [Env].
type Option func(*Env)

// WithWebDelays makes timers follow HTML (8.7, timer initialization steps) instead of Node: a delay is converted as a
// WebIDL long, 0 stays 0, and the seventh timer in a chain of timers that set each other, and those
// after it, take at least 4 ms.
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
	e := &Env{loop: loop, owner: loop.Owner(), origin: sched.Now(), armed: never, awaited: never}
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

// Active tells how many timers and immediates are pending that are not unreferenced: what keeps a script's process
// alive, like the count in Node's process.getActiveResourcesInfo.
func (e *Env) Active() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.timerRefs + e.immediates.refs
}

// runOnLoop is the host for callbacks that are Go functions.
func (e *Env) runOnLoop(next func() bool) {
	more := true
	step := func() { more = next() }
	for more && e.owner.Callback(step) {
	}
}

// now is the clock of the timers.
func (e *Env) now() int64 { return int64(sched.Since(e.origin)) }

// Close clears all timers and immediates that are pending: a script's end. The environment stays usable.
func (e *Env) Close() {
	e.mu.Lock()
	defer e.mu.Unlock()
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
