package promise_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

func TestRandomProgramsRunAsTheModelDoes(t *testing.T) {
	programs := 3000
	if testing.Short() {
		programs = 300
	}
	for seed := range uint64(programs) {
		r := rand.New(rand.NewPCG(seed, 1))
		code := make([]byte, 20+r.IntN(600))
		for i := range code {
			code[i] = byte(r.Uint32())
		}
		compare(t, code)
	}
}

func FuzzProgramsRunAsTheModelDoes(f *testing.F) {
	f.Add([]byte{0, 5, 0, 5, 0, 1, 0, 13, 0, 1, 2, 14, 0, 1})
	f.Add([]byte{0, 16, 0, 0, 0, 4, 0, 17, 0, 0, 1, 11, 2, 19, 18})
	f.Fuzz(func(t *testing.T, code []byte) {
		if len(code) < 4096 {
			compare(t, code)
		}
	})
}

// Promises settled and attached to from several goroutines have no single order to compare. But every handler runs
// once, with its promise's value, and handlers that one goroutine attached to one promise run in order.
func TestPromisesSettledFromManyGoroutinesKeepEveryHandlerAndItsOrder(t *testing.T) {
	const goroutines, roots, perRoot = 4, 1000, 25
	loop := eventloop.New()
	ended := make(chan error, 1)
	go func() { ended <- loop.Run(context.Background()) }()

	type mark struct{ goroutine, seq int }
	ran := make([][]mark, roots) // by root; the loop's
	bad := 0
	ps := make([]*promise.Promise[int], roots)
	rs := make([]promise.Resolver[int], roots)
	for i := range ps {
		ps[i], rs[i] = promise.WithResolvers[int](loop)
		if i%3 == 0 { // settled by the loop, not by the goroutine
			ps[i] = promise.Then(ps[i], func(v int) (int, error) { return v, nil })
		}
	}
	oops := errors.New("odd")
	var wg, handlers sync.WaitGroup
	won := make([][]bool, goroutines)
	for g := range goroutines {
		won[g] = make([]bool, roots)
		wg.Add(1)
		handlers.Add(roots * perRoot)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewPCG(uint64(g), 2))
			for i := range ps {
				settleAt := r.IntN(perRoot)
				for seq := range perRoot {
					promise.Then(ps[i], func(v int) (int, error) {
						if v != i || i%2 == 1 {
							bad++
						}
						return v + 1, nil
					}).Catch(func(err error) (int, error) {
						if err != oops || i%2 == 0 {
							bad++
						}
						return i + 1, nil
					}).Finally(func() {
						ran[i] = append(ran[i], mark{g, seq})
						handlers.Done()
					})
					if seq == settleAt {
						if i%2 == 0 {
							won[g][i] = rs[i].Resolve(i)
						} else {
							won[g][i] = rs[i].Reject(oops)
						}
					}
				}
			}
		}()
	}
	wg.Wait()
	handlers.Wait()
	if err := loop.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	<-ended
	if bad > 0 {
		t.Errorf("%d handlers ran with a wrong outcome", bad)
	}
	for i := range ran {
		if len(ran[i]) != goroutines*perRoot {
			t.Fatalf("promise %d: %d handlers ran, want %d", i, len(ran[i]), goroutines*perRoot)
		}
		var next [goroutines]int
		for _, m := range ran[i] {
			if m.seq != next[m.goroutine] {
				t.Fatalf("promise %d: goroutine %d: handler %d ran when %d was due", i, m.goroutine, m.seq, next[m.goroutine])
			}
			next[m.goroutine]++
		}
		winners := 0
		for g := range goroutines {
			if won[g][i] {
				winners++
			}
		}
		if winners != 1 {
			t.Fatalf("promise %d was settled by %d goroutines", i, winners)
		}
	}
}

// Each round races one goroutine that settles against one that attaches.
func TestAMillionRacesOfSettlingAndAttachingLoseNoReactionAndDoubleNone(t *testing.T) {
	rounds := 1_000_000
	if testing.Short() {
		rounds = 20_000
	}
	loop := eventloop.New()
	ended := make(chan error, 1)
	go func() { ended <- loop.Run(context.Background()) }()

	const window = 1000
	counts := make([]uint8, window*2) // the loop's
	type pair struct {
		p *promise.Promise[int]
		r promise.Resolver[int]
	}
	pairs := make([]pair, window)
	start, done := make(chan struct{}), make(chan struct{})
	go func() {
		for range start {
			for i := range pairs {
				pairs[i].r.Resolve(i)
			}
			done <- struct{}{}
		}
	}()
	for n := 0; n < rounds; n += window {
		for i := range pairs {
			pairs[i].p, pairs[i].r = promise.WithResolvers[int](loop)
		}
		start <- struct{}{}
		for i := range pairs {
			count := func(k int) func(int) (int, error) {
				return func(v int) (int, error) {
					if v != i || k == 1 && counts[2*i] != 1 {
						counts[2*i] += 100
					}
					counts[2*i+k]++
					return v, nil
				}
			}
			promise.Then(pairs[i].p, count(0))
			promise.Then(pairs[i].p, count(1))
		}
		<-done
		var err error
		if doErr := loop.Do(context.Background(), func() {
			for i, c := range counts {
				if c != 1 {
					err = fmt.Errorf("round %d: reaction %d of promise %d ran %d times", n, i%2, i/2, c)
				}
				counts[i] = 0
			}
		}); doErr != nil || err != nil {
			t.Fatal(doErr, err)
		}
	}
	close(start)
	if err := loop.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	<-ended
}
