package component

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"weak"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// settles makes promises on an idle loop, each settled with 1 when do has returned it.
func settles(b *testing.B, do func(*eventloop.Loop) *promise.Promise[int]) {
	l := loopUp(b)
	right := 0
	for range b.N {
		if r, ok := do(l).Result(); ok && r.Value == 1 {
			right++
		}
	}
	expect(b, "promises fulfilled with 1", right, b.N)
}

func resolved(l *eventloop.Loop) *promise.Promise[int] {
	p, r := promise.WithResolvers[int](l)
	r.Resolve(1)
	return p
}

func creates(b *testing.B) {
	l := loopUp(b)
	pending := 0
	for range b.N {
		p, _ := promise.WithResolvers[int](l)
		if _, settled := p.Result(); !settled {
			pending++
		}
	}
	expect(b, "pending promises", pending, b.N)
}

func BenchmarkPromiseCreate(b *testing.B)        { creates(b) }
func BenchmarkPromiseCreation(b *testing.B)      { creates(b) }
func BenchmarkPromiseResolution(b *testing.B)    { settles(b, resolved) }
func BenchmarkPromiseWithResolvers(b *testing.B) { settles(b, resolved) }

func BenchmarkPromiseResolve(b *testing.B) {
	l := loopUp(b)
	right := 0
	for range b.N {
		p, r := promise.WithResolvers[string](l)
		r.Resolve("value")
		if v, ok := p.Result(); ok && v.Value == "value" {
			right++
		}
	}
	expect(b, "promises fulfilled", right, b.N)
}

func BenchmarkPromiseResolve_Memory(b *testing.B) {
	settles(b, func(l *eventloop.Loop) *promise.Promise[int] { return promise.Resolve(l, 1) })
}

func BenchmarkPromiseTry(b *testing.B) {
	fn := func() (int, error) { return 1, nil }
	settles(b, func(l *eventloop.Loop) *promise.Promise[int] { return promise.Try(l, fn) })
}

// reacts makes promises whose reactions run on the loop. do gets the counter of the reactions that have run.
func reacts(b *testing.B, counted bool, each int, do func(l *eventloop.Loop, ran *int), opts ...eventloop.Option) {
	l := loopUp(b, opts...)
	ran := 0
	laps(b, counted, func(n int) {
		for range n {
			do(l, &ran)
		}
	}, func() { drain(b, l); drain(b, l) })
	expect(b, "reactions", ran, b.N*each)
}

// chain attaches handlers that pass the value on.
func chain(length int) func(*eventloop.Loop, *int) {
	return func(l *eventloop.Loop, ran *int) {
		p, r := promise.WithResolvers[int](l)
		for range length {
			p = promise.Then(p, func(v int) (int, error) { *ran++; return v, nil })
		}
		r.Resolve(1)
	}
}

func BenchmarkPromiseThen(b *testing.B)              { reacts(b, besides, 1, chain(1)) }
func BenchmarkPromiseThen_Drained(b *testing.B)      { reacts(b, within, 1, chain(1)) }
func BenchmarkPromiseChain(b *testing.B)             { reacts(b, besides, 3, chain(3)) }
func BenchmarkPromiseChain_Drained(b *testing.B)     { reacts(b, within, 3, chain(3)) }
func BenchmarkPromiseThenChain(b *testing.B)         { reacts(b, besides, 3, chain(3)) }
func BenchmarkPromiseThenChain_Drained(b *testing.B) { reacts(b, within, 3, chain(3)) }

// all combines three pending promises and resolves them. A handler counts the combined one, because otherwise nothing
// would show that it was settled. The published row has no such handler.
func all(l *eventloop.Loop, ran *int) {
	var ps [3]*promise.Promise[int]
	var rs [3]promise.Resolver[int]
	for i := range ps {
		ps[i], rs[i] = promise.WithResolvers[int](l)
	}
	promise.Then(promise.All(l, ps[:]...), func([]int) (int, error) { *ran++; return 0, nil })
	for _, r := range rs {
		r.Resolve(1)
	}
}

func allResolved(l *eventloop.Loop, ran *int) {
	p := promise.All(l, promise.Resolve(l, 1), promise.Resolve(l, 2), promise.Resolve(l, 3))
	promise.Then(p, func([]int) (int, error) { *ran++; return 0, nil })
}

func race(l *eventloop.Loop, ran *int) {
	p := promise.Race(l, promise.Resolve(l, 1), promise.Resolve(l, 2), promise.Resolve(l, 3))
	promise.Then(p, func(int) (int, error) { *ran++; return 0, nil })
}

func BenchmarkPromiseAll(b *testing.B)                { reacts(b, besides, 1, all) }
func BenchmarkPromiseAll_Drained(b *testing.B)        { reacts(b, within, 1, all) }
func BenchmarkPromiseAll_Memory(b *testing.B)         { reacts(b, besides, 1, allResolved) }
func BenchmarkPromiseAll_Memory_Drained(b *testing.B) { reacts(b, within, 1, allResolved) }
func BenchmarkPromiseRace(b *testing.B)               { reacts(b, besides, 1, race) }
func BenchmarkPromiseRace_Drained(b *testing.B)       { reacts(b, within, 1, race) }

var errRejected = errors.New("rejected")

// rejects makes unhandled rejections, and a silent handler for them that counts.
func rejects(b *testing.B, counted bool, do func(*eventloop.Loop)) {
	reported := 0
	l := loopUp(b, promise.WithUnhandledRejection(func(*promise.Rejection) { reported++ }))
	laps(b, counted, func(n int) {
		for range n {
			do(l)
		}
	}, func() { drain(b, l); drain(b, l) })
	expect(b, "rejections reported", reported, b.N)
}

func reject(l *eventloop.Loop) { promise.Reject[int](l, errRejected) }

func createAndReject(l *eventloop.Loop) {
	_, r := promise.WithResolvers[int](l)
	r.Reject(errRejected)
}

func BenchmarkPromiseReject(b *testing.B)            { rejects(b, besides, reject) }
func BenchmarkPromiseReject_Drained(b *testing.B)    { rejects(b, within, reject) }
func BenchmarkPromiseRejection(b *testing.B)         { rejects(b, besides, createAndReject) }
func BenchmarkPromiseRejection_Drained(b *testing.B) { rejects(b, within, createAndReject) }

// BenchmarkPromiseGC forces a collection at every tenth operation.
func BenchmarkPromiseGC(b *testing.B) {
	l := loopUp(b)
	settled := 0
	for i := range b.N {
		for range 100 {
			if _, ok := resolved(l).Result(); ok {
				settled++
			}
		}
		if i%10 == 0 {
			runtime.GC()
		}
	}
	expect(b, "promises settled", settled, b.N*100)
}

// BenchmarkPromiseGC_Freed sees that the promises are freed: of a hundred in each operation, made, handled and settled, none is
// left after the collection at every tenth operation.
func BenchmarkPromiseGC_Freed(b *testing.B) {
	l := loopUp(b)
	freed, handled := 0, 0
	var made []weak.Pointer[promise.Promise[int]]
	collect := func() {
		drain(b, l)
		drain(b, l)
		runtime.GC()
		for _, p := range made {
			if p.Value() == nil {
				freed++
			}
		}
		made = made[:0]
	}
	b.ResetTimer()
	for i := range b.N {
		for range 100 {
			p := resolved(l)
			promise.Then(p, func(v int) (int, error) { handled++; return v, nil })
			made = append(made, weak.Make(p))
		}
		if i%10 == 9 || i == b.N-1 {
			collect()
		}
	}
	expect(b, "handlers run", handled, b.N*100)
	if kept := b.N*100 - freed; kept > b.N/10+1 { // the loop's last objects may still be in a register
		b.Fatalf("%d of %d promises were not freed", kept, b.N*100)
	}
}

// A tracker is the published loop's map of promises with handlers. The product needs no such map: its promises know
// whether they are handled.
type tracker struct {
	mu sync.RWMutex
	m  map[*promise.Promise[int]]bool
}

func (t *tracker) track(p *promise.Promise[int]) bool {
	t.mu.Lock()
	t.m[p] = true
	t.mu.Unlock()
	t.mu.RLock()
	found := t.m[p]
	t.mu.RUnlock()
	t.mu.Lock()
	delete(t.m, p)
	t.mu.Unlock()
	return found
}

func BenchmarkPromiseHandlerTracking_Optimized(b *testing.B) {
	l := loopUp(b)
	t := tracker{m: make(map[*promise.Promise[int]]bool)}
	found := 0
	for range b.N {
		if p, _ := promise.WithResolvers[int](l); t.track(p) {
			found++
		}
	}
	expect(b, "promises found", found, b.N)
}

func BenchmarkPromiseHandlerTracking_Parallel_Optimized(b *testing.B) {
	l := loopUp(b)
	t := tracker{m: make(map[*promise.Promise[int]]bool)}
	var found atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		n := int64(0)
		for pb.Next() {
			if p, _ := promise.WithResolvers[int](l); t.track(p) {
				n++
			}
		}
		found.Add(n)
	})
	expect(b, "promises found", int(found.Load()), b.N)
}

// promisifies starts functions on goroutines of their own. In the published row a second goroutine awaits each promise,
// here at most inFlight at a time; the twin has a handler instead.
func promisifies(b *testing.B, await bool) {
	const inFlight = 256
	l := loopUp(b)
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	var right atomic.Int64
	var pending sync.WaitGroup
	for left := b.N; left > 0; left -= inFlight {
		n := min(left, inFlight)
		pending.Add(n)
		for range n {
			p := promise.Promisify(ctx, l, func(context.Context) (int, error) { return 1, nil })
			if !await {
				promise.Then(p, func(v int) (int, error) { right.Add(int64(v)); pending.Done(); return v, nil })
				continue
			}
			go func() {
				defer pending.Done()
				if v, err := p.Wait(ctx); err == nil {
					right.Add(int64(v))
				}
			}()
		}
		pending.Wait()
	}
	expect(b, "promises fulfilled with 1", int(right.Load()), b.N)
}

func BenchmarkPromisifyAllocation(b *testing.B)         { promisifies(b, true) }
func BenchmarkPromisifyAllocation_Handled(b *testing.B) { promisifies(b, false) }
