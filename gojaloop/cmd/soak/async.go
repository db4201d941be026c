package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
	"github.com/eventloop-go/eventloop/promise"
)

// longer is a time that always outlasts the test.
const longer = time.Hour

// within is p with a time-out.
func within(l *eventloop.Loop, d time.Duration, p *promise.Promise[int]) *promise.Promise[int] {
	return promise.WithTimeout(context.Background(), l, d, func(context.Context) *promise.Promise[int] { return p })
}

// promises are settled from other goroutines, race each other and the time, and go from loop to loop.
func (s *load) promises(k *ledger) {
	var ends sync.WaitGroup
	l, other := s.loop(), s.loop()
	for n := range 20 {
		it := k.begin(&ends)
		p, r := promise.WithResolvers[int](l)
		late, lateResolver := promise.WithResolvers[int](other)
		loser, loserResolver := promise.WithResolvers[int](l)
		never, _ := promise.WithResolvers[int](l) // nobody settles it
		doubled := promise.Then(promise.On(other, p), func(v int) (int, error) { return 2 * v, nil })
		winner := promise.Race(l, doubled, never, within(l, longer, loser))
		fails := promise.Then(p, func(int) (int, error) { return 0, errFault })
		first := promise.Any(l, fails, winner, late)
		all := promise.All(l, first, winner, late)
		all.Finally(func() {
			r, _ := all.Result()
			v, err := r.Value, r.Err
			k.check(err == nil && v[0] == 2*n && v[1] == 2*n && v[2] == -1, "got %v, %v for %d", v, err, n)
			it.end()
		})
		go func() {
			k.check(r.Resolve(n) && !r.Resolve(-n), "a promise was not settled once")
			v, err := winner.Wait(context.Background())
			k.check(err == nil && v == 2*n, "Wait: %d, %v", v, err)
			loserResolver.Resolve(-1) // the timer of its time-out goes with it
			lateResolver.Resolve(-1)
		}()
		if n == 0 {
			over := k.begin(&ends)
			within(l, millis(5), never).Catch(func(err error) (int, error) {
				k.check(errors.Is(err, promise.ErrTimeout), "WithTimeout: %v", err)
				over.end()
				return 0, nil
			})
		}
	}
	ends.Wait()
}

// coroutines wait for timers, for functions that block, and for contexts that end; some fail.
func (s *load) coroutines(k *ledger) {
	var ends sync.WaitGroup
	l := s.loop()
	for range 20 {
		it := k.begin(&ends)
		ctx, cancel := context.WithCancel(context.Background())
		fails, ended := rand.IntN(100) == 0, rand.IntN(4) == 0
		p := promise.Spawn(ctx, l, func(c *promise.Coroutine) (int, error) {
			sum := 0
			for i := range 3 {
				v, err := promise.Await(c, promise.Promisify(ctx, l, func(context.Context) (int, error) { return i, nil }))
				if err == nil {
					_, err = promise.Await(c, promise.Sleep(ctx, l, millis(2)))
				}
				if err != nil {
					return sum, err
				}
				sum += v
			}
			if fails {
				panic(errFault)
			}
			return sum, nil
		})
		p.Finally(func() {
			cancel()
			r, _ := p.Result()
			v, err := r.Value, r.Err
			switch {
			case err == nil:
				k.check(v == 3 && !fails, "a coroutine returned %d", v)
			case ended:
				k.check(errors.Is(err, context.Canceled) || fails, "a coroutine that was ended: %v", err)
			default:
				k.check(fails, "a coroutine: %v", err)
			}
			it.end()
		}).Catch(func(error) (int, error) { return 0, nil })
		if ended {
			go func() { time.Sleep(millis(3)); cancel() }()
		}
	}
	ends.Wait()
}

const program = `
	const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
	async function work(n) {
		let sum = 0;
		for (let i = 1; i <= n; i++) {
			await (i % 5 ? Promise.resolve() : sleep(1));
			queueMicrotask(() => { sum += i });
		}
		setInterval(() => {}, 1000); // a runtime that has this left is replaced
		await new Promise((resolve) => setImmediate(resolve));
		return sum;
	}
	const tidy = (n) => Array.from({length: n}, (_, i) => i + 1).reduce((a, b) => a + b, 0);`

func newPool() (*gojaloop.Pool, error) {
	compiled, err := gojaloop.Compile("soak.js", program)
	if err != nil {
		return nil, err
	}
	return gojaloop.NewPool(context.Background(), gojaloop.PoolConfig{Program: compiled, Size: 2, MaxUses: 20})
}

// scripts run in runtimes of a pool. Some leave a timer behind, so that the pool replaces the runtime.
func (s *load) scripts(k *ledger) {
	var ends sync.WaitGroup
	for range 5 {
		it := k.begin(&ends)
		name := "tidy"
		if rand.IntN(5) == 0 {
			name = "work"
		}
		sum, err := gojaloop.Call[int](context.Background(), s.pool, name, 20)
		k.check(err == nil && sum == 210, "%s returned %d, %v", name, sum, err)
		it.end()
	}
	ends.Wait()
}
