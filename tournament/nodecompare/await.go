package nodecompare

import (
	"context"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// A Step is the work of sequential code between two waits, in several equivalent ways. Node's has the name of the
// step in workloads.js, and awaits in an async function.
type Step struct {
	Name string
	Ways []Way
}

// A Way takes n steps one after the other, and returns the sum of the values it has waited for, 1 for each.
type Way struct {
	Name string
	Run  func(n int) (sum int, err error)
}

// Steps returns the steps: waiting for a settled promise, waiting for one that is settled later, and calling a
// function that waits once and returns.
func Steps() []Step {
	return []Step{
		{"await-settled", []Way{{"coroutine", awaitSettled}, {"then", thenSettled}}},
		{"await-pending", []Way{{"coroutine", awaitPending}, {"then", thenPending}, {"goroutine", receivePending}}},
		{"call-async", []Way{{"coroutine", callAsync}, {"goroutine", callGoroutine}}},
	}
}

// inACoroutine runs body as a coroutine n times, on a loop of its own, and adds up its results.
func inACoroutine(n int, body func(c *promise.Coroutine) (int, error)) (sum int, err error) {
	loop := eventloop.New(eventloop.WithAutoExit())
	var failed error
	promise.Async(context.Background(), loop, func(c *promise.Coroutine) (int, error) {
		for range n {
			v, err := body(c)
			if err != nil {
				failed = err
				return 0, nil
			}
			sum += v
		}
		return sum, nil
	})
	if err := loop.Run(context.Background()); err != nil {
		return sum, err
	}
	return sum, failed
}

func awaitSettled(n int) (int, error) {
	return inACoroutine(n, func(c *promise.Coroutine) (int, error) {
		return promise.Await(c, promise.Resolve(c.Loop(), 1))
	})
}

// A promise is settled by a microtask that was queued before.
func awaitPending(n int) (int, error) {
	var r promise.Resolver[int]
	settle := func() { r.Resolve(1) }
	return inACoroutine(n, func(c *promise.Coroutine) (int, error) {
		var p *promise.Promise[int]
		p, r = promise.WithResolvers[int](c.Loop())
		_ = c.Loop().ScheduleMicrotask(settle)
		return promise.Await(c, p)
	})
}

func callAsync(n int) (int, error) {
	settled := func(c *promise.Coroutine) (int, error) { return promise.Await(c, promise.Resolve(c.Loop(), 1)) }
	return inACoroutine(n, func(c *promise.Coroutine) (int, error) {
		return promise.Await(c, promise.Async(c.Context(), c.Loop(), settled))
	})
}

// byThen attaches to the promise that step makes, n times, each time from the callback of the one before.
func byThen(n int, step func(*eventloop.Loop) *promise.Promise[int]) (sum int, err error) {
	loop := eventloop.New(eventloop.WithAutoExit())
	var next func(int) (int, error)
	next = func(v int) (int, error) {
		sum += v
		if n--; n > 0 {
			promise.Then(step(loop), next)
		}
		return v, nil
	}
	if err := loop.Submit(func() { promise.Then(step(loop), next) }); err != nil {
		return 0, err
	}
	err = loop.Run(context.Background())
	return sum, err
}

func thenSettled(n int) (int, error) {
	return byThen(n, func(loop *eventloop.Loop) *promise.Promise[int] { return promise.Resolve(loop, 1) })
}

func thenPending(n int) (int, error) {
	var r promise.Resolver[int]
	settle := func() { r.Resolve(1) }
	return byThen(n, func(loop *eventloop.Loop) *promise.Promise[int] {
		var p *promise.Promise[int]
		p, r = promise.WithResolvers[int](loop)
		_ = loop.ScheduleMicrotask(settle)
		return p
	})
}

// Another goroutine is asked through one channel and answers through another.
func receivePending(n int) (sum int, err error) {
	ask, answer := make(chan struct{}), make(chan int)
	go func() {
		defer close(answer)
		for range ask {
			answer <- 1
		}
	}()
	for range n {
		ask <- struct{}{}
		sum += <-answer
	}
	close(ask)
	<-answer
	return sum, nil
}

// A goroutine is started for each call. It waits once, on a channel that has a value already, and returns through
// another.
func callGoroutine(n int) (sum int, err error) {
	for range n {
		settled, result := make(chan int, 1), make(chan int, 1)
		settled <- 1
		go func() { result <- <-settled }()
		sum += <-result
	}
	return sum, nil
}
