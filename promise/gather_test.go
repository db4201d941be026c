package promise_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

func TestCombinatorsOfNothing(t *testing.T) {
	loop := eventloop.New()
	if v := result(t, promise.All[int](loop)).Value; v == nil || len(v) != 0 {
		t.Errorf("All: %v", v)
	}
	if v := result(t, promise.AllSettled[int](loop)).Value; v == nil || len(v) != 0 {
		t.Errorf("AllSettled: %v", v)
	}
	if e := (*promise.AggregateError)(nil); !errors.As(result(t, promise.Any[int](loop)).Err, &e) || len(e.Errors) != 0 || e.Error() == "" {
		t.Errorf("Any: %v", e)
	}
	if _, ok := promise.Race[int](loop).Result(); ok {
		t.Error("Race is settled")
	}
}

func TestCombinatorsKeepTheOrderOfTheirPromises(t *testing.T) {
	loop := eventloop.New(eventloop.WithAutoExit())
	var all *promise.Promise[[]int]
	var settled *promise.Promise[[]promise.Result[int]]
	var some *promise.Promise[int]
	other := errors.New("other")
	_ = loop.Submit(func() {
		a, ra := promise.WithResolvers[int](loop)
		b, rb := promise.WithResolvers[int](loop)
		x, rx := promise.WithResolvers[int](loop)
		all = promise.All(loop, a, b, a)
		settled = promise.AllSettled(loop, a, x, b)
		some = promise.Any(loop, x, promise.Reject[int](loop, other), x)
		some.Catch(keep)
		rb.Resolve(2)
		rx.Reject(errOops)
		ra.Resolve(1)
	})
	if err := loop.Run(bg); err != nil {
		t.Fatal(err)
	}
	if v := result(t, all).Value; !slices.Equal(v, []int{1, 2, 1}) {
		t.Errorf("All: %v", v)
	}
	if v := result(t, settled).Value; !slices.Equal(v, []promise.Result[int]{{Value: 1}, {Err: errOops}, {Value: 2}}) {
		t.Errorf("AllSettled: %v", v)
	}
	err := result(t, some).Err
	if e := (*promise.AggregateError)(nil); !errors.As(err, &e) || !slices.Equal(e.Errors, []error{errOops, other, errOops}) {
		t.Errorf("Any: %v", err)
	}
	if !errors.Is(err, errOops) || !errors.Is(err, other) {
		t.Error("the aggregate does not unwrap")
	}
}

func TestAllRejectsWithTheFirstRejection(t *testing.T) {
	var all *promise.Promise[[]int]
	onALoop(t, func(loop *eventloop.Loop) {
		pending, _ := promise.WithResolvers[int](loop)
		all = promise.All(loop, pending, promise.Reject[int](loop, errOops), promise.Reject[int](loop, errors.New("later")))
		all.Catch(func(error) ([]int, error) { return nil, nil })
	})
	if err := result(t, all).Err; err != errOops {
		t.Errorf("got %v", err)
	}
}

// Races, other reactions and settling meet on the same promises, from several goroutines.
func TestRacesOnPromisesThatOthersUseAtTheSameTime(t *testing.T) {
	rounds := 20_000
	if testing.Short() {
		rounds = 2_000
	}
	loop := beside(t)
	const goroutines = 3
	var wg sync.WaitGroup
	for range rounds {
		ps := make([]*promise.Promise[int], 4)
		rs := make([]promise.Resolver[int], 4)
		for i := range ps {
			ps[i], rs[i] = promise.WithResolvers[int](loop)
		}
		winners := make([]*promise.Promise[int], goroutines)
		thens := make([]*promise.Promise[int], goroutines)
		wg.Add(goroutines)
		for g := range goroutines {
			go func() {
				defer wg.Done()
				k := rand.IntN(len(ps))
				if g%2 == 0 {
					rs[k].Resolve(k)
				}
				winners[g] = promise.Race(loop, ps...)
				thens[g] = promise.Then(ps[k], addOne)
				rs[k].Resolve(k)
			}()
		}
		wg.Wait()
		for g := range goroutines {
			if v, err := winners[g].Wait(context.Background()); err != nil || result(t, ps[v]).Value != v {
				t.Fatalf("race: %v, %v", v, err)
			}
			if v, err := thens[g].Wait(context.Background()); err != nil || v < 1 || v > 4 {
				t.Fatalf("then: %v, %v", v, err)
			}
		}
	}
}
