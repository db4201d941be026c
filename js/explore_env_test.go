//go:build explore

package js_test

import (
	"context"
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/explore"
)

// The ops of programs.
const (
	exTimeout = iota
	exTimeoutID
	exInterval
	exImmediate
	exImmediateID
	exMicrotask
	exTick
	exClear
	exRefresh
	exRef
	exUnref
	exID
	exTask
	exSleep
	exSpend
	exPanic
	exGoexit
	exCloseEnv
	exShutdown
	exCloseLoop
)

func jsKinds() []explore.OpKind {
	return []explore.OpKind{
		exTimeout:     {Name: "timeout", Weight: 7, Callback: true},
		exTimeoutID:   {Name: "timeoutid", Weight: 2, Callback: true},
		exInterval:    {Name: "interval", Weight: 3, Callback: true},
		exImmediate:   {Name: "immediate", Weight: 5, Callback: true},
		exImmediateID: {Name: "immediateid", Weight: 2, Callback: true},
		exMicrotask:   {Name: "micro", Weight: 3, Callback: true},
		exTick:        {Name: "tick", Weight: 2, Callback: true},
		exClear:       {Name: "clear", Weight: 5},
		exRefresh:     {Name: "refresh", Weight: 3},
		exRef:         {Name: "ref", Weight: 1},
		exUnref:       {Name: "unref", Weight: 1},
		exID:          {Name: "id", Weight: 1},
		exTask:        {Name: "task", Weight: 3, Callback: true},
		exSleep:       {Name: "sleep", Weight: 2, Inside: -1},
		exSpend:       {Name: "spend", Weight: 1, Inside: 1},
		exPanic:       {Name: "panic", Weight: 1, Inside: 1},
		exGoexit:      {Name: "goexit", Weight: 1, Inside: 1},
		exCloseEnv:    {Name: "closeenv", Weight: 1},
		exShutdown:    {Name: "shutdown", Weight: 1},
		exCloseLoop:   {Name: "closeloop", Weight: 1},
	}
}

func TestExploreEnv(t *testing.T) {
	explore.Family{Name: t.Name(), Kinds: jsKinds(), Options: 3, Actors: 3, Ops: 5, Run: runEnv}.Explore(t)
}

func runEnv(p explore.Program) {
	g := newGlobal(p.Options)
	g.actors = len(p.Actors)
	loop := g.loop
	explore.GoNamed("loop", func() { g.run(loop) })
	for _, ops := range p.Actors {
		explore.GoNamed("actor", func() {
			defer func() { g.actors-- }()
			g.perform(ops)
		})
	}
	explore.Until("actors", func() bool { return g.actors == 0 })
	explore.Quiet()
	g.quiet()
	if p.Options&1 != 0 || len(p.Actors) < 3 {
		explore.Sleep(time.Second) // a loaded machine's time slices add up
		explore.Quiet()
		g.quiet()
	}
	g.finish()
}

var milliseconds = [...]int64{1, 1, 2, 3}

func (g *global) perform(ops []explore.Op) {
	for i := range ops {
		g.performOne(&ops[i])
	}
}

func (g *global) performOne(op *explore.Op) {
	e, slot := g.env, int(op.A)%len(g.slots)
	c := g.slots[slot]
	body := func(*callback) { g.perform(op.Sub) }
	ms := milliseconds[int(op.B)%len(milliseconds)]
	switch op.Code {
	case exTimeout:
		g.slots[slot] = g.ask(timeoutKind, ms, body, func(c *callback, fn func()) (err error) {
			c.timeout, err = e.NewTimeout(fn, float64(ms))
			return err
		})
	case exTimeoutID:
		g.slots[slot] = g.ask(timeoutKind, ms, body, func(c *callback, fn func()) (err error) {
			c.id, err = e.SetTimeout(fn, float64(ms))
			return err
		})
	case exInterval:
		g.slots[slot] = g.ask(intervalKind, ms, func(c *callback) {
			if c.ran >= 3 && c.end > 0 {
				c.clear(false)
			}
			g.perform(op.Sub)
		}, func(c *callback, fn func()) (err error) {
			c.timeout, err = e.NewInterval(fn, float64(ms))
			return err
		})
	case exImmediate:
		g.slots[slot] = g.ask(immediateKind, 0, body, func(c *callback, fn func()) (err error) {
			c.immediate, err = e.NewImmediate(fn)
			return err
		})
	case exImmediateID:
		g.slots[slot] = g.ask(immediateKind, 0, body, func(c *callback, fn func()) (err error) {
			c.id, err = e.SetImmediate(fn)
			return err
		})
	case exMicrotask:
		g.ask(microtaskKind, 0, body, func(_ *callback, fn func()) error { return e.QueueMicrotask(fn) })
	case exTick:
		g.ask(tickKind, 0, body, func(_ *callback, fn func()) error { return e.NextTick(fn) })
	case exClear:
		if c != nil && !c.refused {
			c.clear(op.B%2 == 0)
		}
	case exRefresh:
		g.refresh(c)
	case exRef, exUnref:
		g.ref(c, op.Code == exUnref)
	case exID:
		if c != nil && c.timeout != nil {
			c.id = c.timeout.ID()
		}
	case exTask:
		_ = g.loop.Submit(func() {
			g.depth++
			defer func() { g.depth-- }()
			g.perform(quietly(op.Sub))
		})
	case exSleep:
		explore.Sleep(time.Duration(ms*1e6 - int64(op.B/4)*400_000)) // not always in step with the timers
	case exSpend:
		explore.Pass(time.Duration(ms * 1e6))
	case exPanic:
		if g.onLoop() {
			g.thrown++
			panic(errScript)
		}
	case exGoexit:
		if g.onLoop() {
			g.thrown++
			runtime.Goexit()
		}
	case exCloseEnv:
		i := len(g.wiped)
		g.wiped = append(g.wiped, wipe{begin: g.stamp(), ops: math.MaxInt})
		e.Close()
		g.wiped[i].end, g.wiped[i].ops = g.stamp(), explore.Ops(g.owner)
		g.active()
	case exShutdown:
		g.stop()
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(errScript) // it only begins
		_ = g.loop.Shutdown(ctx)
	case exCloseLoop:
		g.stop()
		g.closed = true
		_ = g.loop.Close()
	}
}

// quietly leaves out operations that end a callback.
func quietly(ops []explore.Op) []explore.Op {
	var kept []explore.Op
	for _, op := range ops {
		if op.Code != exPanic && op.Code != exGoexit {
			kept = append(kept, op)
		}
	}
	return kept
}

func (g *global) refresh(c *callback) {
	if c == nil || c.timeout == nil {
		return
	}
	if g.resets++; g.resets > 8 { // or a timer that refreshes itself would go on for ever
		return
	}
	c.rearmed = true
	c.arms++
	if err := c.timeout.Refresh(); err != nil && (err != eventloop.ErrLoopTerminated || g.stopped == 0 && !g.auto) {
		explore.Fail("Refresh returns %v", err)
	}
	g.active()
}

func (g *global) ref(c *callback, unref bool) {
	if c == nil {
		return
	}
	c.ref = c.ref || !unref
	if unref && (c.timeout != nil || c.immediate != nil) {
		c.unref = true
	}
	switch {
	case c.timeout != nil && unref:
		c.timeout.Unref()
	case c.timeout != nil:
		c.timeout.Ref()
	case c.immediate != nil && unref:
		c.immediate.Unref()
	case c.immediate != nil:
		c.immediate.Ref()
	}
	g.active()
}
