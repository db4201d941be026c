//go:build explore

package promise_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/explore"
	"github.com/eventloop-go/eventloop/promise"
)

// The ops of programs.
const (
	opCreate = iota
	opResolve
	opReject
	opFollow
	opThen
	opCatch
	opFinally
	opThenPromise
	opOn
	opRace
	opAny
	opAll
	opSleep
	opChannel
	opAwait
	opPromisify
	opTask
	opCancel
	opPanic
	opGoexit
	opShutdown
	opClose
	opThenElse
	opAllSettled
	opDynamic
)

func promiseKinds(weights map[int]int) []explore.OpKind {
	kinds := []explore.OpKind{
		opCreate:      {Name: "create", Weight: 5},
		opResolve:     {Name: "resolve", Weight: 7},
		opReject:      {Name: "reject", Weight: 4},
		opFollow:      {Name: "follow", Weight: 2},
		opThen:        {Name: "then", Weight: 6, Callback: true},
		opCatch:       {Name: "catch", Weight: 3, Callback: true},
		opFinally:     {Name: "finally", Weight: 2, Callback: true},
		opThenPromise: {Name: "thenpromise", Weight: 2},
		opOn:          {Name: "on", Weight: 3},
		opRace:        {Name: "race", Weight: 4},
		opAny:         {Name: "any", Weight: 2},
		opAll:         {Name: "all", Weight: 2},
		opSleep:       {Name: "sleep", Weight: 1},
		opChannel:     {Name: "channel", Weight: 2},
		opAwait:       {Name: "await", Weight: 3},
		opPromisify:   {Name: "promisify", Weight: 1, Callback: true},
		opTask:        {Name: "task", Weight: 5, Callback: true},
		opCancel:      {Name: "cancel", Weight: 1},
		opPanic:       {Name: "panic", Weight: 1, Inside: 1},
		opGoexit:      {Name: "goexit", Weight: 1, Inside: 1},
		opShutdown:    {Name: "shutdown", Weight: 1},
		opClose:       {Name: "close", Weight: 1},

		opThenElse:   {Name: "thenelse", Weight: 2, Callback: true},
		opAllSettled: {Name: "allsettled", Weight: 1},
		opDynamic:    {Name: "dynamic", Weight: 2},
	}
	if weights != nil {
		for i := range kinds {
			kinds[i].Weight = weights[i]
		}
	}
	return kinds
}

func TestExplorePromises(t *testing.T) {
	explore.Family{Name: t.Name(), Kinds: promiseKinds(nil), Options: 3, Actors: 3, Ops: 6, Run: runPromises}.Explore(t)
}

func TestExploreReactions(t *testing.T) {
	explore.Family{Name: t.Name(), Options: 3, Actors: 3, Ops: 5, Run: runPromises, Kinds: promiseKinds(map[int]int{
		opResolve: 6, opReject: 3, opThen: 6, opCatch: 3, opFinally: 3, opTask: 4, opCreate: 1, opPanic: 1, opGoexit: 1, opRace: 1, opAwait: 1,
	})}.Explore(t)
}

func TestExploreCombinators(t *testing.T) {
	explore.Family{Name: t.Name(), Options: 3, Actors: 3, Ops: 6, Run: runPromises, Kinds: promiseKinds(map[int]int{
		opCreate: 2, opResolve: 6, opReject: 4, opFollow: 2, opThen: 2, opOn: 4, opRace: 6, opAny: 3, opAll: 3, opTask: 3,
		opThenPromise: 2, opShutdown: 1,
	})}.Explore(t)
}

func TestExploreCompositions(t *testing.T) {
	explore.Family{Name: t.Name(), Options: 3, Actors: 3, Ops: 6, Run: runPromises, Kinds: promiseKinds(map[int]int{
		opCreate: 1, opResolve: 6, opReject: 5, opFollow: 1, opThen: 1, opTask: 3, opOn: 1, opThenPromise: 2, opThenElse: 5, opFinally: 4,
	})}.Explore(t)
}

func runPromises(p explore.Program) {
	g := newGraph(p.Options)
	for i := range g.loops {
		explore.GoNamed("loop", func() { g.run(i) })
	}
	for i := range g.slots {
		g.root(i, i%2&int(p.Options&1))
	}
	g.actors = len(p.Actors)
	for _, ops := range p.Actors {
		explore.GoNamed("actor", func() {
			defer func() { g.actors-- }()
			g.perform(ops)
		})
	}
	explore.Until("actors", func() bool { return g.actors == 0 })
	explore.Quiet()
	g.quiet()
	explore.Sleep(10 * time.Millisecond)
	explore.Quiet()
	g.quiet()
	g.finish()
}

// root makes a promise with a resolver.
func (g *graph) root(slot, loop int) {
	v := g.add("root", loop, func(v *vertex) *promise.Promise[int] {
		p, r := promise.WithResolvers[int](g.loops[loop])
		v.r = r
		return p
	})
	g.slots[slot] = v
}

func (g *graph) perform(ops []explore.Op) {
	for i := range ops {
		g.performOne(&ops[i])
	}
}

func (g *graph) performOne(op *explore.Op) {
	slot := int(op.A) % len(g.slots)
	v, other, to := g.slots[slot], g.slots[int(op.B)%len(g.slots)], (slot+1)%len(g.slots)
	body := func() (int, error) {
		g.perform(op.Sub)
		return g.value(op.B)
	}
	switch op.Code {
	case opCreate:
		g.root(slot, int(op.B)%2)
	case opResolve:
		n := g.stamp()
		v.decide(promise.Result[int]{Value: n}, nil, func() bool { return v.r.Resolve(n) })
	case opReject:
		err := &programError{g.stamp()}
		v.decide(promise.Result[int]{Err: err}, nil, func() bool { return v.r.Reject(err) })
	case opFollow:
		if v.kind == "root" && !other.dependsOn(v) {
			other.touched = true
			v.decide(promise.Result[int]{}, other, func() bool { return v.r.Follow(other.p) })
		}
	case opThen:
		g.slots[to] = v.link("then", func(run func(*promise.Result[int], func() (int, error)) (int, error)) *promise.Promise[int] {
			return promise.Then(v.p, func(n int) (int, error) { return run(&promise.Result[int]{Value: n}, body) })
		})
	case opCatch:
		g.slots[to] = v.link("catch", func(run func(*promise.Result[int], func() (int, error)) (int, error)) *promise.Promise[int] {
			return v.p.Catch(func(err error) (int, error) { return run(&promise.Result[int]{Err: err}, body) })
		})
	case opFinally:
		g.slots[to] = v.link("finally", func(run func(*promise.Result[int], func() (int, error)) (int, error)) *promise.Promise[int] {
			return v.p.Finally(func() { _, _ = run(nil, func() (int, error) { g.perform(op.Sub); return 0, nil }) })
		})
	case opThenPromise:
		// The outcome is other's if v is fulfilled, and v's if not: as a promise that follows.
		g.add("thenpromise", v.loop, func(*vertex) *promise.Promise[int] {
			return promise.ThenPromise(v.p, func(int) *promise.Promise[int] { return other.p })
		}, v, other)
	case opThenElse:
		g.slots[to] = v.link("thenelse", func(run func(*promise.Result[int], func() (int, error)) (int, error)) *promise.Promise[int] {
			return promise.ThenElse(v.p,
				func(n int) (int, error) { return run(&promise.Result[int]{Value: n}, body) },
				func(err error) (int, error) { return run(&promise.Result[int]{Err: err}, body) })
		})
	case opAllSettled:
		loop := int(op.B/4) % 2
		g.slots[to] = g.add("allsettled", loop, func(*vertex) *promise.Promise[int] {
			return promise.Then(promise.AllSettled(g.loops[loop], v.p, other.p), func(rs []promise.Result[int]) (int, error) {
				return settledSum(rs), nil
			})
		}, v, other)
	case opDynamic:
		loop := int(op.B) % 2
		g.slots[to] = g.add("dynamic", loop, func(*vertex) *promise.Promise[int] {
			d := promise.ResolveDynamic(g.loops[loop], v.p)
			if op.B >= 4 { // as a script would
				d = d.Then(func(n any) (any, error) { return promise.ResolveDynamic(g.loops[loop], n), nil }, nil)
			}
			return promise.Then(d.Promise(), func(n any) (int, error) { return n.(int), nil })
		}, v)
	case opOn:
		loop := int(op.B) % 2
		g.slots[to] = g.add("on", loop, func(*vertex) *promise.Promise[int] { return promise.On(g.loops[loop], v.p) }, v)
	case opRace, opAny, opAll:
		g.gather(op, to, v, other)
	case opSleep:
		promise.Sleep(g.ctx, g.loops[slot%2], delays[int(op.B)%len(delays)])
	case opChannel:
		g.channel(v)
	case opAwait:
		g.await(v, op.B%2 == 0)
	case opPromisify:
		promise.Promisify(g.ctx, g.loops[slot%2], func(context.Context) (int, error) {
			g.perform(op.Sub)
			return g.value(op.B)
		}).Finally(func() {})
	case opTask:
		_ = g.loops[slot%2].Submit(func() { g.perform(calls(op.Sub)) })
	case opCancel:
		explore.Point("cancel")
		g.cancel(errProgram)
	case opPanic:
		if g.here() >= 0 {
			panic(errProgram)
		}
	case opGoexit:
		if g.here() >= 0 {
			g.thrown++
			runtime.Goexit()
		}
	case opShutdown, opClose:
		g.end(slot%2, op.Code == opClose)
	}
}

// settledSum is one number for the outcomes of two promises.
func settledSum(rs []promise.Result[int]) (sum int) {
	for i, r := range rs {
		if r.Err != nil {
			r.Value = -1
		}
		sum = sum*1000 + (i+1)*r.Value
	}
	return sum
}

// calls leaves out operations that end a callback, for those of the core: their panics are not promise's affair.
func calls(ops []explore.Op) []explore.Op {
	var kept []explore.Op
	for _, op := range ops {
		if op.Code != opPanic && op.Code != opGoexit {
			kept = append(kept, op)
		}
	}
	return kept
}

// value is the result of a reaction.
func (g *graph) value(b uint8) (int, error) {
	if n := g.stamp(); b%4 != 3 {
		return n, nil
	} else {
		return 0, &programError{n}
	}
}

// decide calls the resolver of v, whose first call decides.
func (v *vertex) decide(r promise.Result[int], follows *vertex, call func() bool) {
	if v.kind != "root" {
		return
	}
	if !call() {
		return
	}
	v.wins++
	v.decided, v.follows = r, follows
}

// dependsOn reports whether v waits for o, or may come to.
func (v *vertex) dependsOn(o *vertex) bool {
	if v == o || v.kind == "root" { // another goroutine may make that one follow anything
		return true
	}
	for _, p := range v.parents {
		if p.dependsOn(o) {
			return true
		}
	}
	return false
}

func (g *graph) gather(op *explore.Op, to int, a, b *vertex) {
	loop := int(op.B/4) % 2
	home, kind := g.loops[loop], map[uint8]string{opRace: "race", opAny: "any", opAll: "all"}[op.Code]
	g.slots[to] = g.add(kind, loop, func(*vertex) *promise.Promise[int] {
		switch op.Code {
		case opRace:
			return promise.Race(home, a.p, b.p)
		case opAny:
			return promise.Any(home, a.p, b.p)
		default:
			return promise.Then(promise.All(home, a.p, b.p), func(values []int) (int, error) { return values[0] + values[1], nil })
		}
	}, a, b)
}

// channel waits for a promise on a goroutine of its own.
func (g *graph) channel(v *vertex) {
	v.touched = true
	g.waiters++
	ch := v.p.Channel()
	explore.GoNamed("channel", func() {
		explore.Until("outcome", func() bool { return len(ch) > 0 })
		got := <-ch
		g.waited("Channel", v, *got, got.Err == eventloop.ErrLoopTerminated)
	})
}

func (g *graph) await(v *vertex, bounded bool) {
	v.touched = true
	if g.here() == v.loop {
		if _, ok := v.result(); !ok {
			if _, err := v.p.Wait(g.ctx); err != eventloop.ErrOnLoop {
				if _, ok := v.result(); !ok {
					explore.Fail("Wait on the loop returns %v", err)
				}
			}
		}
		return
	}
	ctx := context.Background()
	if bounded {
		ctx = g.ctx
	}
	g.waiters++
	explore.GoNamed("await", func() {
		value, err := v.p.Wait(ctx)
		g.waited("Wait", v, promise.Result[int]{Value: value, Err: err}, err == eventloop.ErrLoopTerminated || errors.Is(err, errProgram) && ctx.Err() != nil)
	})
}

// waited judges the result that a goroutine got for a promise: the promise's outcome or, if excused, an interrupted
// wait.
func (g *graph) waited(how string, v *vertex, got promise.Result[int], excused bool) {
	g.waiters--
	if r, ok := v.result(); !excused && (!ok || r != got) {
		explore.Fail("%s tells %v, and the promise is %v, %t", how, got, r, ok)
	}
	if got.Err == eventloop.ErrLoopTerminated && g.ended == [2]bool{} {
		explore.Fail("%s tells that a loop has ended, and none has", how)
	}
}

// end ends a loop.
func (g *graph) end(i int, now bool) {
	g.ended[i] = true
	if now {
		_ = g.loops[i].Close()
		return
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errProgram) // it only begins
	_ = g.loops[i].Shutdown(ctx)
}
