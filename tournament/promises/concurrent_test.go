package promises_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/promises/design"
)

// One goroutine settles promises while two others attach to them. In any order, every handler runs once, with the
// value, and handlers of one goroutine run in their order.
func TestAttachingWhileOthersSettleLosesDoublesAndReordersNothing(t *testing.T) {
	rounds, batch := 100_000, 1000
	if testing.Short() {
		rounds = 10_000
	}
	const attachers, handlers = 2, 3
	each(t, func(t *testing.T, d design.Design) {
		loop := beside(t)
		e := d.New(loop)
		seen := make([][attachers]int, batch) // how many handlers ran; the loop's
		bad := 0
		for range rounds / batch {
			promises, resolvers := make([]design.Promise, batch), make([]design.Resolver, batch)
			for i := range promises {
				promises[i], resolvers[i] = e.Pending()
			}
			var wg sync.WaitGroup
			var ready atomic.Int32
			var attached atomic.Int64
			meet := func() {
				for ready.Add(1); ready.Load() < 1+attachers; {
					runtime.Gosched()
				}
			}
			wg.Add(1 + attachers)
			go func() {
				defer wg.Done()
				meet()
				for i, r := range resolvers {
					// Settle in the midst of the attaching: the first goroutine is about to attach handler i%4 of this
					// promise. It may have been descheduled, so the wait is bounded.
					for spins := 0; spins < 2000 && attached.Load() < int64(i*handlers+i%(handlers+1)); spins++ {
					}
					r.Resolve(i)
				}
			}()
			for g := range attachers {
				go func() {
					defer wg.Done()
					meet()
					for i, p := range promises {
						for k := range handlers {
							e.Then(p, func(v any) (any, error) {
								if v != i || seen[i][g] != k {
									bad++
								}
								seen[i][g]++
								return nil, nil
							}, nil)
							if g == 0 {
								attached.Add(1)
							}
						}
					}
				}()
			}
			wg.Wait()
			do(t, loop, func() {
				for i := range seen {
					for g := range seen[i] {
						if seen[i][g] != handlers {
							bad++
						}
					}
				}
				clear(seen)
			})
		}
		do(t, loop, func() {
			if bad > 0 {
				t.Errorf("%d handlers were lost, doubled or out of order", bad)
			}
		})
	})
}

func TestOfManyGoroutinesThatSettleOneDecides(t *testing.T) {
	const rounds, settlers = 1000, 4
	each(t, func(t *testing.T, d design.Design) {
		loop := beside(t)
		e := d.New(loop)
		for range rounds {
			p, r := e.Pending()
			var told outcome
			watch(e, p, &told)
			var winner atomic.Int64
			var wg sync.WaitGroup
			for g := range settlers {
				wg.Add(1)
				go func() {
					defer wg.Done()
					if r.Resolve(g) {
						winner.Add(int64(g) + 1)
					}
				}()
			}
			wg.Wait()
			do(t, loop, func() {
				if told.times != 1 || told.value != int(winner.Load())-1 {
					t.Errorf("%+v, decided by %d", told, winner.Load()-1)
				}
			})
		}
	})
}

// Races whose promises are settled from several goroutines have one winner, which settled.
func TestRacesSettledFromManyGoroutinesHaveOneWinner(t *testing.T) {
	const rounds, runners = 2000, 4
	each(t, func(t *testing.T, d design.Design) {
		loop := beside(t)
		e := d.New(loop)
		for range rounds {
			promises, resolvers := make([]design.Promise, runners), make([]design.Resolver, runners)
			for i := range promises {
				promises[i], resolvers[i] = e.Pending()
			}
			var told outcome
			var wg sync.WaitGroup
			wg.Add(1 + runners)
			go func() {
				defer wg.Done()
				watch(e, e.(design.Racer).Race(promises), &told)
			}()
			for i, r := range resolvers {
				go func() {
					defer wg.Done()
					r.Resolve(i)
				}()
			}
			wg.Wait()
			do(t, loop, func() {
				if told.times != 1 || told.value == nil {
					t.Errorf("%+v", told)
				}
			})
		}
	})
}

// A promise may follow one that lives on another loop.
func TestAPromiseFollowsOneOfAnotherLoop(t *testing.T) {
	each(t, func(t *testing.T, d design.Design) {
		here, there := beside(t), beside(t)
		e, far := d.New(here), d.New(there)
		for range 200 {
			p, r := e.Pending()
			q, rq := far.Pending()
			told := make(chan any, 1)
			e.Then(p, func(v any) (any, error) { told <- v; return nil, nil }, nil)
			go rq.Resolve(8)
			r.Resolve(q)
			if v := <-told; v != 8 {
				t.Fatalf("got %v", v)
			}
		}
	})
}
