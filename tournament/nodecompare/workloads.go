// Package nodecompare runs four promise workloads on package promise and on Node's own promises, and puts the two side
// by side. It is a benchmark, for machines with node on the PATH:
//
//	go test -bench . ./nodecompare
package nodecompare

import (
	"context"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// A Workload is one of the four. Its JavaScript twin has the same name in workloads.js.
type Workload struct {
	Name string
	// Run does n operations on a new loop, a batch in each macrotask, which is drained before the next. It returns
	// the sum of the last handlers' values.
	Run func(n, batch int) (sum int, err error)
	// Sum is what Run must return for n operations.
	Sum func(n int) int
	// Batches are the interesting batch sizes: which side is faster depends on them.
	Batches []int
}

// How many operations run in one macrotask. With one, each is drained before the next, as when each event makes its
// own promises, and the cost of a turn of the loop counts. With many, the cost of promises alone is left. With all of
// them, the promises pile up, and the garbage collectors count most. A chain is as long as its batch.
const (
	One  = 1
	Some = 100
	Many = 1000
	Pile = 100_000
)

// Workloads returns all four.
func Workloads() []Workload {
	sizes := []int{One, Many, Pile}
	return []Workload{
		{"create-resolve-then-then", createResolveThenThen, func(n int) int { return 2 * n }, sizes},
		{"sequential-chain", sequentialChain, func(n int) int { return n }, []int{Some, Many, Pile}},
		{"await-loop", awaitLoop, func(n int) int { return n }, []int{One}},
		{"all-of-ten", allOfTen, func(n int) int { return 10 * n }, sizes},
	}
}

func addOne(v int) (int, error) { return v + 1, nil }

// batches runs body n times, a batch in each macrotask, so that each batch is drained before the next.
func batches(n, batch int, body func(loop *eventloop.Loop)) error {
	loop := eventloop.New(eventloop.WithAutoExit())
	var step func()
	step = func() {
		k := min(n, batch)
		for range k {
			body(loop)
		}
		if n -= k; n > 0 {
			_ = loop.ScheduleImmediate(step)
		}
	}
	if err := loop.ScheduleImmediate(step); err != nil {
		return err
	}
	return loop.Run(context.Background())
}

func createResolveThenThen(n, batch int) (sum int, err error) {
	keep := func(v int) (int, error) { sum += v; return v, nil }
	err = batches(n, batch, func(loop *eventloop.Loop) {
		p, r := promise.WithResolvers[int](loop)
		promise.Then(promise.Then(p, addOne), keep)
		r.Resolve(1)
	})
	return sum, err
}

// sequentialChain makes one chain in each macrotask, of as many links as the batch has operations; an operation is one
// link.
func sequentialChain(n, batch int) (sum int, err error) {
	keep := func(v int) (int, error) { sum += v; return v, nil }
	left := n
	err = batches((n+batch-1)/batch, 1, func(loop *eventloop.Loop) {
		links := min(left, batch)
		left -= links
		p, r := promise.WithResolvers[int](loop)
		for range links - 1 {
			p = promise.Then(p, addOne)
		}
		promise.Then(p, keep)
		r.Resolve(1)
	})
	return sum, err
}

// awaitLoop waits for one resolved promise after the other, in a coroutine.
func awaitLoop(n, _ int) (sum int, err error) {
	loop := eventloop.New(eventloop.WithAutoExit())
	promise.Async(context.Background(), loop, func(c *promise.Coroutine) (int, error) {
		for range n {
			v, err := promise.Await(c, promise.Resolve(loop, 1))
			if err != nil {
				return 0, err
			}
			sum += v
		}
		return sum, nil
	})
	err = loop.Run(context.Background())
	return sum, err
}

func allOfTen(n, batch int) (sum int, err error) {
	keep := func(vs []int) (int, error) { sum += len(vs); return 0, nil }
	var ps [10]*promise.Promise[int]
	var rs [10]promise.Resolver[int]
	err = batches(n, batch, func(loop *eventloop.Loop) {
		for i := range ps {
			ps[i], rs[i] = promise.WithResolvers[int](loop)
		}
		promise.Then(promise.All(loop, ps[:]...), keep)
		for i := range rs {
			rs[i].Resolve(i)
		}
	})
	return sum, err
}
