package promise_test

import (
	"context"
	"runtime"
	"testing"
	"weak"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// heap returns the heap in use after a collection.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// collected collects garbage until the object of p is gone, and reports whether it went.
func collected[T any](p weak.Pointer[T]) bool {
	for range 10 {
		if p.Value() == nil {
			return true
		}
		runtime.GC()
	}
	return p.Value() == nil
}

func TestAPendingPromiseThatNobodyCanReachIsCollected(t *testing.T) {
	loop := beside(t)
	gone := func() weak.Pointer[promise.Promise[int]] {
		p, _ := promise.WithResolvers[int](loop)
		promise.Then(p, addOne)
		promise.All(loop, p, p)
		promise.Race(loop, p)
		return weak.Make(p)
	}()
	if !collected(gone) {
		t.Error("the promise is still there")
	}
}

func TestAPromiseDoesNotKeepWhatLedToIt(t *testing.T) {
	loop := beside(t)
	type big struct{ _ [1 << 16]byte }
	var last *promise.Promise[int]
	var value weak.Pointer[big]
	var parent weak.Pointer[promise.Promise[*big]]
	if err := loop.Do(context.Background(), func() {
		b := new(big)
		value = weak.Make(b)
		p := promise.Resolve(loop, b)
		parent = weak.Make(p)
		last = promise.Then(p, func(*big) (int, error) { runtime.KeepAlive(b); return 1, nil })
	}); err != nil {
		t.Fatal(err)
	}
	if v, err := last.Wait(context.Background()); v != 1 || err != nil {
		t.Fatal(v, err)
	}
	if !collected(value) || !collected(parent) {
		t.Error("the promise before, or its value, is still there")
	}
	runtime.KeepAlive(last)
}

func TestALoserOfARaceKeepsNothingOfTheWinner(t *testing.T) {
	loop := beside(t)
	long, _ := promise.WithResolvers[[]byte](loop)
	promise.Then(long, func(b []byte) (int, error) { return len(b), nil })
	var value weak.Pointer[byte]
	race := func() weak.Pointer[promise.Promise[[]byte]] {
		b := make([]byte, 1<<16)
		value = weak.Make(&b[0])
		p, r := promise.WithResolvers[[]byte](loop)
		race := promise.Race(loop, long, p)
		r.Resolve(b)
		if _, err := race.Wait(context.Background()); err != nil {
			t.Fatal(err)
		}
		return weak.Make(race)
	}()
	if !collected(value) || !collected(race) {
		t.Error("the race, or its value, is still there")
	}
	runtime.KeepAlive(long)
}

// flat runs body many times, on the loop, and fails if the heap has grown by more than a little in the second half.
func flat(t *testing.T, rounds int, body func(loop *eventloop.Loop, i int)) {
	t.Helper()
	if testing.Short() {
		rounds /= 20
	}
	loop := beside(t)
	batch := func() {
		for i := 0; i < rounds/2; i += 1000 {
			if err := loop.Do(context.Background(), func() {
				for j := range 1000 {
					body(loop, i+j)
				}
			}); err != nil {
				t.Fatal(err)
			}
		}
		_ = loop.Do(context.Background(), func() {}) // the microtasks of the last have run
	}
	batch()
	before := heap()
	batch()
	if after := heap(); after > before+200_000 {
		t.Errorf("after %d more rounds the heap has grown from %d to %d bytes", rounds/2, before, after)
	}
}

func TestAMillionRacesAgainstOneLongLivedPromiseStayFlatInMemory(t *testing.T) {
	var long *promise.Promise[int]
	flat(t, 1_000_000, func(loop *eventloop.Loop, i int) {
		if long == nil {
			long, _ = promise.WithResolvers[int](loop)
		}
		promise.Race(loop, long, promise.Resolve(loop, i))
	})
	runtime.KeepAlive(long)
}

func TestRacesAgainstAPromiseWithOtherReactionsStayFlatInMemory(t *testing.T) {
	var long *promise.Promise[int]
	flat(t, 400_000, func(loop *eventloop.Loop, i int) {
		if long == nil {
			long, _ = promise.WithResolvers[int](loop)
			promise.Then(long, addOne)
		}
		promise.Race(loop, promise.Resolve(loop, i), long, long)
	})
	runtime.KeepAlive(long)
}

// A window of races is open at any time, and the oldest ends first: its reaction is the deepest in the list.
func TestAWindowOfOverlappingRacesStaysFlatInMemory(t *testing.T) {
	var long *promise.Promise[int]
	var window [500]promise.Resolver[int]
	flat(t, 400_000, func(loop *eventloop.Loop, i int) {
		if long == nil {
			long, _ = promise.WithResolvers[int](loop)
		}
		window[i%len(window)].Resolve(i)
		p, r := promise.WithResolvers[int](loop)
		window[i%len(window)] = r
		promise.Race(loop, p, long)
	})
	runtime.KeepAlive(long)
}

func TestAnyAndAllAgainstALongLivedPromiseStayFlatInMemory(t *testing.T) {
	var long *promise.Promise[int]
	flat(t, 400_000, func(loop *eventloop.Loop, i int) {
		if long == nil {
			long, _ = promise.WithResolvers[int](loop)
		}
		promise.Any(loop, long, promise.Resolve(loop, i))
		promise.All(loop, long, promise.Reject[int](loop, errOops)).Catch(func(error) ([]int, error) { return nil, nil })
	})
	runtime.KeepAlive(long)
}

func TestAbandonedWaitsStayFlatInMemory(t *testing.T) {
	rounds := 100_000
	if testing.Short() {
		rounds /= 10
	}
	loop := beside(t)
	long, r := promise.WithResolvers[int](loop)
	ended, cancel := context.WithCancelCause(context.Background())
	cancel(errOops)
	batch := func() {
		for range rounds / 2 {
			if _, err := long.Wait(ended); !endedBy(err, context.Canceled, errOops) {
				t.Fatal(err)
			}
		}
		_ = loop.Do(context.Background(), func() {})
	}
	batch()
	before := heap()
	batch()
	// The loop's cleanup may lag by a number of rounds that does not depend on the total. Retained promises would
	// take hundreds of bytes a round.
	if after := heap(); after > before+400_000+uint64(40*rounds) {
		t.Errorf("the heap has grown from %d to %d bytes", before, after)
	}
	r.Resolve(1)
	if v, err := long.Wait(context.Background()); v != 1 || err != nil {
		t.Error(v, err)
	}
}

// Abandoned reactions are cut out while others stay: those must all run, in order.
func TestCleaningUpLeavesLiveReactionsAndTheirOrder(t *testing.T) {
	var got []int
	onALoop(t, func(loop *eventloop.Loop) {
		long, settle := promise.WithResolvers[int](loop)
		n := 0
		var round func(k int)
		round = func(k int) {
			if k == 0 {
				settle.Resolve(0)
				return
			}
			for range 150 {
				promise.Race(loop, promise.Resolve(loop, 1), long)
				if n%7 == 0 {
					live := n
					promise.Then(promise.Race(loop, long), func(int) (int, error) { got = append(got, live); return 0, nil })
				}
				n++
			}
			if k%2 == 0 {
				live := n
				promise.Then(promise.Then(long, addOne), func(int) (int, error) { got = append(got, live); return 0, nil })
				n++
			}
			_ = loop.Submit(func() { round(k - 1) })
		}
		round(20)
	})
	if len(got) < 400 {
		t.Fatalf("%d live reactions ran", len(got))
	}
	for i := 1; i < len(got); i++ {
		if got[i] <= got[i-1] {
			t.Fatalf("reaction %d ran after %d", got[i], got[i-1])
		}
	}
}
