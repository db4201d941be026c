//go:build explore

package js_test

import (
	"context"
	"errors"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/internal/explore"
	"github.com/eventloop-go/eventloop/js"
)

// A global is the judge of one run: an environment, and what a program has asked of it. Only one goroutine goes on at a
// time, so it needs no lock, and its clock orders everything.
type global struct {
	env      *js.Env
	loop     *eventloop.Loop
	auto     bool
	options  uint
	owner    int
	returned bool
	clock    int
	depth    int
	lastEnd  int // when the last callback of a phase ended
	thrown   int
	handled  int
	resets   int

	callbacks []*callback
	slots     [3]*callback
	actors    int

	stopped  int
	stopTime int64
	// The time for which the machine has delayed some goroutine before. The environment reads the clock and then sets
	// a timer of the loop, which comes later by the time in between.
	stopLapsed int64
	closed     bool // the loop was closed, so the rest does not run
	wiped      []wipe
}

// A wipe is a call of Env.Close.
type wipe struct{ begin, end, ops int }

type callbackKind uint8

const (
	timeoutKind callbackKind = iota
	intervalKind
	immediateKind
	microtaskKind
	tickKind
)

func (k callbackKind) String() string {
	return [...]string{"timeout", "interval", "immediate", "microtask", "tick"}[k]
}

// macro reports whether ticks and microtasks drain after it.
func (k callbackKind) macro() bool { return k <= immediateKind }

// A callback is one that the environment was asked to run.
type callback struct {
	g          *global
	kind       callbackKind
	timeout    *js.Timeout
	immediate  *js.Immediate
	id         uint64
	ms         int64
	begin, end int
	earliest   int64 // when it was first due, on a clock read when the call began
	latest     int64 // and when the call had returned
	arms       int
	rearmed    bool // a call of Refresh has begun
	ran        int
	cleared    bool // a clearing call has begun
	clearedOps int  // operations of the loop when that had returned, or −1
	refused    bool
	ref, unref bool // such a call has begun
}

var errScript = errors.New("the program has thrown this")

func newGlobal(options uint) *global {
	g := &global{owner: -1, auto: options&1 != 0, options: options}
	g.loop = g.newLoop()
	g.env = js.New(g.loop)
	return g
}

func (g *global) newLoop() *eventloop.Loop {
	opts := []eventloop.Option{eventloop.WithPanicHandler(func(e *eventloop.PanicError) {
		if g.handled++; e.Value != errScript && e.Value != eventloop.ErrGoexit {
			explore.Fail("the panic handler is called with %v\n%s", e.Value, e.Stack)
		}
	})}
	if g.options&2 != 0 {
		opts = append(opts, eventloop.WithBusyPolling(200*time.Nanosecond))
	}
	if g.options&4 != 0 {
		opts = append(opts, inspect.WithMetrics())
	}
	if g.auto {
		opts = append(opts, eventloop.WithAutoExit())
	}
	return eventloop.New(opts...)
}

func (g *global) run(loop *eventloop.Loop) {
	defer func() { g.owner, g.returned = -1, true }()
	g.owner = explore.Self()
	if err := loop.Run(context.Background()); err != nil && !g.closed {
		explore.Fail("Run returns %v", err)
	}
}

func (g *global) stamp() int {
	g.clock++
	return g.clock
}

func virtual() int64 { return int64(explore.Elapsed()) }

func (g *global) onLoop() bool { return g.owner >= 0 && explore.Self() == g.owner }

// ask makes a callback.
func (g *global) ask(kind callbackKind, ms int64, body func(c *callback), call func(c *callback, fn func()) error) *callback {
	c := &callback{g: g, kind: kind, ms: ms, begin: g.stamp(), earliest: virtual() + ms*1e6, arms: 1, clearedOps: -1}
	g.callbacks = append(g.callbacks, c)
	err := call(c, func() { c.run(body) })
	c.end, c.latest = g.stamp(), virtual()+ms*1e6
	if err != nil {
		c.refused = true
		if err != eventloop.ErrLoopTerminated || g.stopped == 0 && !g.auto || c.ran > 0 {
			explore.Fail("a %v is refused with %v, and has run %d times", kind, err, c.ran)
		}
	}
	g.active()
	return c
}

// active judges the count of references that keep the loop open.
func (g *global) active() {
	if n := g.env.Active(); n < 0 {
		explore.Fail("Active is %d", n)
	}
}

// margin is how many operations the loop may do between the one that decides that a callback runs and its beginning.
const margin = 12

func (c *callback) run(body func(c *callback)) {
	g := c.g
	explore.Note("%v callback begins", c.kind)
	c.ran++
	switch {
	case !g.onLoop():
		explore.Fail("a %v callback runs on goroutine %d", c.kind, explore.Self())
	case g.depth > 0:
		explore.Fail("a %v callback runs inside another", c.kind)
	case c.refused:
		explore.Fail("a refused %v callback runs", c.kind)
	case c.kind != intervalKind && c.ran > c.arms:
		explore.Fail("a %v callback that was set %d times runs for the %dth", c.kind, c.arms, c.ran)
	case c.clearedOps >= 0 && explore.Ops(g.owner)-c.clearedOps > margin:
		explore.Fail("a cleared %v callback runs", c.kind)
	case c.kind <= intervalKind && !c.rearmed && virtual() < c.earliest+int64(c.ran-1)*c.ms*1e6:
		explore.Fail("a %v callback runs early, at %d ns; it was first due at %d", c.kind, virtual(), c.earliest)
	}
	for _, w := range g.wiped {
		if c.kind.macro() && c.end > 0 && c.end < w.begin && explore.Ops(g.owner)-w.ops > margin && !c.rearmed {
			explore.Fail("a %v callback runs after Env.Close", c.kind)
		}
	}
	g.ordered(c)
	g.depth++
	defer func() {
		g.depth--
		if c.kind.macro() {
			g.lastEnd = g.stamp()
		}
	}()
	body(c)
}

// ordered judges that nothing runs after c that should have run before it.
func (g *global) ordered(c *callback) {
	for _, o := range g.callbacks {
		if o == c || o.ran > 0 || o.end == 0 || o.refused || o.cleared || g.wipedSince(o) {
			continue
		}
		switch {
		case c.kind.macro() && !o.kind.macro() && o.end < g.lastEnd:
			explore.Fail("a %v callback runs before a %v that was queued before the last callback ended", c.kind, o.kind)
		case o.kind != c.kind || o.end > c.begin || c.rearmed || o.rearmed || c.ran > 1:
		case c.kind == timeoutKind && o.ms != c.ms, c.kind == intervalKind:
		case c.kind == immediateKind && (o.unref || c.unref):
		default:
			explore.Fail("a %v callback runs before one that was set before it", c.kind)
		}
	}
}

// wipedSince reports whether Env.Close may have cleared c.
func (g *global) wipedSince(c *callback) bool {
	for _, w := range g.wiped {
		if (w.end == 0 || w.end > c.begin) && c.kind.macro() {
			return true
		}
	}
	return false
}

// clear clears a callback, by its handle or its number.
func (c *callback) clear(byID bool) {
	c.cleared = true
	switch {
	case c.immediate != nil:
		c.immediate.Close()
	case c.timeout != nil:
		c.timeout.Close()
	case byID && c.kind == immediateKind:
		c.g.env.ClearImmediate(c.id)
	case c.kind == immediateKind:
		return
	default:
		c.g.env.ClearTimeout(c.id)
	}
	if c.clearedOps < 0 && c.timeout != nil || c.immediate != nil {
		c.clearedOps = explore.Ops(c.g.owner)
	}
	c.g.active()
}

// quiet judges a moment at which all goroutines are blocked.
func (g *global) quiet() {
	if g.stopped > 0 || g.returned {
		return
	}
	refs := false
	for _, c := range g.callbacks {
		refs = refs || c.kind.macro() && (!c.unref || c.ref) && !c.refused && (c.kind == intervalKind || c.ran < c.arms) && !c.cleared
		switch {
		case c.ran > 0, c.refused, c.cleared, c.rearmed, c.unref, g.wipedSince(c):
		case c.kind <= intervalKind && c.latest+1e6+int64(explore.Lapsed()) > virtual():
		default:
			explore.Fail("the loop sleeps while a %v callback waits that was due at %d ns", c.kind, c.latest)
		}
	}
	if n := g.env.Active(); n < 0 || n > 0 && !refs {
		explore.Fail("Active is %d, and nothing is pending", n)
	}
}

// finish ends the loop, moves the environment to another one, and lets that end by itself.
func (g *global) finish() {
	g.stop()
	if err := g.loop.Shutdown(context.Background()); err != nil {
		explore.Fail("Shutdown returns %v", err)
	}
	explore.Quiet()
	if g.handled != g.thrown {
		explore.Fail("the panic handler was called %d times for %d panics", g.handled, g.thrown)
	}
	for _, c := range g.callbacks {
		if c.ran > 0 || c.refused || c.cleared || c.rearmed || c.unref || g.closed || g.wipedSince(c) || c.end == 0 || c.end > g.stopped {
			continue
		}
		switch {
		case c.kind == intervalKind:
		case c.kind == timeoutKind && c.latest+g.stopLapsed > g.stopTime:
		default:
			explore.Fail("a %v callback is lost, which was due at %d ns when the loop was shut down at %d", c.kind, c.latest, g.stopTime)
		}
	}
	g.active()
	g.move()
}

// move takes the pending timeouts to another loop, where they run, and clears the rest.
func (g *global) move() {
	for _, c := range g.callbacks {
		c.refused = c.refused || c.ran == 0 && !c.kind.macro() // these stayed with the first loop
	}
	g.auto, g.stopped, g.returned, g.closed = true, 0, false, false
	loop := g.newLoop()
	g.loop = loop
	g.env.Hooks().Move(loop)
	g.active()
	explore.GoNamed("second loop", func() { g.run(loop) })
	explore.Sleep(500 * time.Millisecond)
	explore.Quiet()
	for _, c := range g.callbacks {
		if c.kind == intervalKind {
			c.clear(true)
		}
	}
	explore.Quiet()
	if g.stopped > 0 {
		return // a callback that was moved has ended the second loop too
	}
	if n := g.env.Active(); n != 0 {
		explore.Fail("Active is %d when everything has run or was cleared", n)
	}
	if !g.returned {
		explore.Fail("nothing keeps the loop open, and it does not end")
	}
	for _, c := range g.callbacks {
		if c.kind == timeoutKind && c.ran == 0 && !c.refused && !c.cleared && !c.rearmed && !c.unref && !g.wipedSince(c) {
			explore.Fail("a timeout that was pending when the environment was moved is lost")
		}
	}
}

func (g *global) stop() {
	if g.stopped == 0 && !g.returned {
		g.stopped, g.stopTime, g.stopLapsed = g.stamp(), virtual(), int64(explore.Lapsed())
	}
}
