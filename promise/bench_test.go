package promise_test

import (
	"context"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// onLoop runs body b.N times on a loop, each time as part of a callback of its own batch, and drains.
//
// What body makes is settled and has run by the time the clock stops.
func onLoop(b *testing.B, batch int, body func(loop *eventloop.Loop)) {
	b.ReportAllocs()
	loop := eventloop.New()
	left := b.N
	var step func()
	step = func() {
		n := min(left, batch)
		for range n {
			body(loop)
		}
		if left -= n; left > 0 {
			_ = loop.SubmitInternal(step)
		} else {
			_ = loop.Shutdown(context.Background())
		}
	}
	if err := loop.Submit(step); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	if err := loop.Run(context.Background()); err != nil {
		b.Fatal(err)
	}
}

func addOne(v int) (int, error) { return v + 1, nil }

func double(v int) (int, error) { return 2 * v, nil }

func BenchmarkCreateThenThenResolveDrain(b *testing.B) {
	onLoop(b, 1, func(loop *eventloop.Loop) {
		p, r := promise.WithResolvers[int](loop)
		promise.Then(promise.Then(p, addOne), double)
		r.Resolve(1)
	})
}

func BenchmarkCreateThenThenResolveDrain_Batch64(b *testing.B) {
	onLoop(b, 64, func(loop *eventloop.Loop) {
		p, r := promise.WithResolvers[int](loop)
		promise.Then(promise.Then(p, addOne), double)
		r.Resolve(1)
	})
}

// One operation is one Then of a chain of 100, made, settled at its root, and drained.
func BenchmarkThenInChain(b *testing.B) {
	b.ReportAllocs()
	loop := eventloop.New()
	left := b.N
	var step func()
	step = func() {
		n := min(left, 100)
		p, r := promise.WithResolvers[int](loop)
		for range n {
			p = promise.Then(p, addOne)
		}
		r.Resolve(1)
		if left -= n; left > 0 {
			_ = loop.SubmitInternal(step)
		} else {
			_ = loop.Shutdown(context.Background())
		}
	}
	_ = loop.Submit(step)
	b.ResetTimer()
	_ = loop.Run(context.Background())
}

func BenchmarkRace_100(b *testing.B) {
	ps := make([]*promise.Promise[int], 100)
	onLoop(b, 1, func(loop *eventloop.Loop) {
		for i := range ps {
			ps[i], _ = promise.WithResolvers[int](loop)
		}
		promise.Race(loop, ps...)
	})
}

func BenchmarkRace_100Settled(b *testing.B) {
	ps := make([]*promise.Promise[int], 100)
	onLoop(b, 1, func(loop *eventloop.Loop) {
		var r promise.Resolver[int]
		for i := range ps {
			ps[i], r = promise.WithResolvers[int](loop)
		}
		promise.Race(loop, ps...)
		r.Resolve(1)
	})
}

func BenchmarkFanOut_100(b *testing.B) {
	onLoop(b, 1, func(loop *eventloop.Loop) {
		p, r := promise.WithResolvers[int](loop)
		for range 100 {
			promise.Then(p, addOne)
		}
		r.Resolve(1)
	})
}

func BenchmarkCheckResolved_Overhead(b *testing.B) {
	var p *promise.Promise[int]
	onLoop(b, 64, func(loop *eventloop.Loop) {
		if p == nil || p.Loop() != loop {
			p = promise.Resolve(loop, 1)
		}
		promise.Then(p, addOne)
	})
}
