//go:build explore

package js_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/explore"
	"github.com/eventloop-go/eventloop/js"
)

// The ops of programs with abort signals and events.
const (
	sigAbort = iota
	sigAny
	sigListen
	sigUnlisten
	sigContext
	sigCancel
	sigFromContext
	sigTimeout
	sigEvent
	sigTask
	sigPanic
	sigGoexit
	sigShutdown
	sigClose
)

func TestExploreSignals(t *testing.T) {
	explore.Family{Name: t.Name(), Options: 1, Actors: 3, Ops: 6, Run: runSignals, Kinds: []explore.OpKind{
		sigAbort:       {Name: "abort", Weight: 6},
		sigAny:         {Name: "any", Weight: 5},
		sigListen:      {Name: "listen", Weight: 7, Callback: true},
		sigUnlisten:    {Name: "unlisten", Weight: 3},
		sigContext:     {Name: "context", Weight: 3},
		sigCancel:      {Name: "cancel", Weight: 2},
		sigFromContext: {Name: "fromcontext", Weight: 1},
		sigTimeout:     {Name: "timeout", Weight: 1},
		sigEvent:       {Name: "event", Weight: 3, Inside: 1},
		sigTask:        {Name: "task", Weight: 4, Callback: true},
		sigPanic:       {Name: "panic", Weight: 1, Inside: 1},
		sigGoexit:      {Name: "goexit", Weight: 1, Inside: 1},
		sigShutdown:    {Name: "shutdown", Weight: 1},
		sigClose:       {Name: "close", Weight: 1},
	}}.Explore(t)
}

var errSignal = errors.New("the program has aborted this")

// A sigWorld is the judge of one run.
type sigWorld struct {
	loop            *eventloop.Loop
	env             *js.Env
	owner, clock    int
	actors          int
	signals         []*sigNode
	slots           [4]*sigNode
	ears            []*sigEar
	contexts        []*sigContextOf
	events          int // of the program
	ended, returned bool
	thrown, handled int
	ctx             context.Context
	cancel          context.CancelCauseFunc
}

// A sigNode is a signal with its sources.
type sigNode struct {
	s        *js.AbortSignal
	c        *js.AbortController // nil if it was made in another way
	sources  []*sigNode
	ctx      bool // made of the context
	due      int64
	timed    bool
	aborting int // calls of Abort in progress
	began    int // when the first call of Abort began, or 0
	reason   error
}

// A sigEar is a listener for "abort".
type sigEar struct {
	node    *sigNode
	l       *js.Listener
	end     int  // of the call that adds it
	removed bool // a removal has begun
	once    bool
	heard   int // trusted events
	events  int
}

// A sigContextOf is a context of a signal.
type sigContextOf struct {
	node      *sigNode
	ctx       context.Context
	cancel    context.CancelFunc
	cancelled bool
}

func runSignals(p explore.Program) {
	w := &sigWorld{owner: -1}
	w.ctx, w.cancel = context.WithCancelCause(context.Background())
	w.loop = eventloop.New(eventloop.WithPanicHandler(func(*eventloop.PanicError) { w.handled++ }))
	w.env = js.New(w.loop)
	for i := range w.slots {
		w.controller(i)
	}
	w.actors = len(p.Actors)
	explore.GoNamed("loop", func() {
		defer func() { w.owner, w.returned = -1, true }()
		w.owner = explore.Self()
		_ = w.loop.Run(context.Background())
	})
	for _, ops := range p.Actors {
		explore.GoNamed("actor", func() {
			defer func() { w.actors-- }()
			w.perform(ops)
		})
	}
	explore.Until("actors", func() bool { return w.actors == 0 })
	explore.Quiet()
	w.quiet()
	explore.Sleep(time.Second) // a loaded machine's time slices add up
	explore.Quiet()
	w.quiet()
	w.ended = true
	if err := w.loop.Shutdown(context.Background()); err != nil {
		explore.Fail("Shutdown returns %v", err)
	}
	explore.Quiet()
	w.judge()
	for _, c := range w.contexts {
		c.cancel()
	}
}

func (w *sigWorld) controller(slot int) {
	c := w.env.NewAbortController()
	w.add(slot, &sigNode{s: c.Signal(), c: c})
}

func (w *sigWorld) add(slot int, n *sigNode) {
	w.signals = append(w.signals, n)
	w.slots[slot] = n
}

func (w *sigWorld) onLoop() bool { return w.owner >= 0 && explore.Self() == w.owner }

func (w *sigWorld) stamp() int {
	w.clock++
	return w.clock
}

func (w *sigWorld) perform(ops []explore.Op) {
	for i := range ops {
		w.performOne(&ops[i])
	}
}

func (w *sigWorld) performOne(op *explore.Op) {
	slot := int(op.A) % len(w.slots)
	n, other := w.slots[slot], w.slots[int(op.B)%len(w.slots)]
	switch op.Code {
	case sigAbort:
		w.abort(n)
	case sigAny:
		w.add((slot+1)%len(w.slots), &sigNode{s: w.env.AbortSignalAny(n.s, other.s), sources: []*sigNode{n, other}})
	case sigListen:
		w.listen(n, op.B%2 == 0, func() { w.perform(op.Sub) })
	case sigUnlisten:
		for _, e := range w.ears {
			if e.node == n && !e.removed {
				e.removed = true
				n.s.RemoveEventListener("abort", e.l)
				break
			}
		}
	case sigContext:
		parent := context.Background()
		if op.B%2 == 0 {
			parent = w.ctx
		}
		ctx, cancel := n.s.Context(parent)
		w.contexts = append(w.contexts, &sigContextOf{node: n, ctx: ctx, cancel: cancel, cancelled: op.B%2 == 0})
	case sigCancel:
		explore.Point("cancel")
		if op.B < 2 {
			w.cancel(errSignal)
		} else if len(w.contexts) > 0 {
			c := w.contexts[int(op.A)%len(w.contexts)]
			c.cancelled = true
			c.cancel()
			if c.ctx.Err() == nil {
				explore.Fail("a context is cancelled, and has not ended")
			}
		}
	case sigFromContext:
		s, _ := w.env.AbortSignalFromContext(w.ctx)
		w.add(slot, &sigNode{s: s, ctx: true})
	case sigTimeout:
		due := int64(explore.Elapsed()) + int64(op.B%4)*1e6
		if s, err := w.env.AbortSignalTimeout(float64(op.B % 4)); err == nil {
			w.add(slot, &sigNode{s: s, timed: true, due: due})
		}
	case sigEvent:
		w.event(n)
	case sigTask:
		_ = w.loop.Submit(func() { w.perform(op.Sub) })
	case sigPanic:
		if w.onLoop() {
			w.thrown++
			panic(errSignal)
		}
	case sigGoexit:
		if w.onLoop() {
			w.thrown++
			runtime.Goexit()
		}
	case sigShutdown, sigClose:
		w.ended = true
		if op.Code == sigClose {
			_ = w.loop.Close()
			return
		}
		gone, cancel := context.WithCancelCause(context.Background())
		cancel(errSignal)
		_ = w.loop.Shutdown(gone)
	}
}

// abort aborts a signal. When the call returns, its dependents are aborted too.
func (w *sigWorld) abort(n *sigNode) {
	if n.c == nil {
		return
	}
	var known []*sigNode
	for _, d := range w.signals {
		if d.madeOf(n) {
			known = append(known, d)
		}
	}
	if n.began == 0 {
		n.began = w.stamp()
	}
	n.aborting++
	if err := n.c.Abort(errSignal); err != nil && !(errors.Is(err, eventloop.ErrLoopTerminated) && w.ended) {
		explore.Fail("Abort returns %v", err)
	}
	n.aborting--
	for _, d := range known {
		if n.aborting == 0 && !d.s.Aborted() { // a call that comes second does not wait for the first
			explore.Fail("Abort has returned, and a signal made of the one that it aborts has not aborted")
		}
	}
	w.judge()
}

func (n *sigNode) madeOf(source *sigNode) bool {
	if n == source {
		return true
	}
	for _, s := range n.sources {
		if s.madeOf(source) {
			return true
		}
	}
	return false
}

func (w *sigWorld) listen(n *sigNode, once bool, body func()) {
	e := &sigEar{node: n, once: once}
	w.ears = append(w.ears, e)
	e.l = js.NewListener(func(ev *js.Event) {
		if !w.onLoop() {
			explore.Fail("a listener is called on goroutine %d", explore.Self())
		}
		if e.events++; ev.IsTrusted() {
			e.heard++
		}
		if e.heard > 1 || e.once && e.events > 1 || ev.IsTrusted() && !n.s.Aborted() {
			explore.Fail("a listener hears %d events, of which %d say that the signal has aborted: %t", e.events, e.heard, n.s.Aborted())
		}
		body()
	})
	var opts []js.ListenerOption
	if once {
		opts = append(opts, js.WithOnce())
	}
	if err := n.s.AddEventListener("abort", e.l, opts...); err != nil {
		explore.Fail("AddEventListener returns %v", err)
	}
	e.end = w.stamp()
}

// event dispatches an event of the program's own, which aborts nothing.
func (w *sigWorld) event(n *sigNode) {
	if w.events++; !w.onLoop() || w.events > 10 { // or a listener that dispatches would go on for ever
		return
	}
	var want []*sigEar
	events := make(map[*sigEar]int)
	for _, e := range w.ears {
		if e.node == n && e.end > 0 && !e.removed && !(e.once && (e.events > 0 || n.s.Aborted())) {
			want = append(want, e)
			events[e] = e.events
		}
	}
	if _, err := n.s.DispatchEvent(w.env.NewEvent("abort")); err != nil {
		explore.Fail("DispatchEvent returns %v", err)
	}
	for _, e := range want {
		if e.events == events[e] && !e.removed {
			explore.Fail("an event was dispatched, and a listener has not been called")
		}
	}
}

// judge judges the invariants of every moment.
func (w *sigWorld) judge() {
	for _, n := range w.signals {
		aborted, reason := n.s.Aborted(), n.s.Reason()
		if aborted && reason == nil || n.reason != nil && reason != n.reason {
			explore.Fail("a signal was aborted with %v and is now with %v", n.reason, reason)
		}
		n.reason = reason
		if reason != nil && !n.may() {
			explore.Fail("a signal has aborted with %v, and nothing has aborted it", reason)
		}
	}
}

// may reports whether something can have aborted the signal.
func (n *sigNode) may() bool {
	if n.began > 0 || n.ctx || n.timed && n.due <= int64(explore.Elapsed()) {
		return true
	}
	for _, s := range n.sources {
		if s.may() {
			return true
		}
	}
	return false
}

// quiet judges a moment at which all goroutines are blocked.
func (w *sigWorld) quiet() {
	w.judge()
	for _, n := range w.signals {
		for _, s := range n.sources {
			if s.s.Aborted() && !n.s.Aborted() {
				explore.Fail("a signal has aborted, and one made of it has not")
			}
		}
		if n.ctx && w.ctx.Err() != nil && !n.s.Aborted() {
			explore.Fail("a context has ended, and the signal made of it has not aborted")
		}
		if n.timed && !w.ended && n.due+1e6 < int64(explore.Elapsed()-explore.Lapsed()) && !n.s.Aborted() {
			explore.Fail("a signal with a time-out has not aborted")
		}
	}
	for _, c := range w.contexts {
		if c.node.s.Aborted() && c.ctx.Err() == nil {
			explore.Fail("a signal has aborted, and a context of it has not ended")
		}
		if c.ctx.Err() != nil && !c.node.s.Aborted() && !c.cancelled {
			explore.Fail("a context of a signal has ended with %v, and the signal has not aborted", context.Cause(c.ctx))
		}
	}
	if w.ended {
		return
	}
	for _, e := range w.ears {
		if e.heard == 0 && !e.removed && !(e.once && e.events > 0) && e.node.began > e.end && e.end > 0 && e.node.c != nil {
			explore.Fail("a signal has aborted, and a listener that was added before has not been called")
		}
	}
	// Goexit while another unwinds the same callback is one end of it.
	if w.handled > w.thrown || w.handled == 0 && w.thrown > 0 {
		explore.Fail("the panic handler was called %d times for %d panics", w.handled, w.thrown)
	}
}
