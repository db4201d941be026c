package loopgroup_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/internal/leakcheck"
	"github.com/eventloop-go/eventloop/loopgroup"
)

func TestMain(m *testing.M) { leakcheck.Main(m) }

// start runs a group until the test ends.
func start[K comparable](t testing.TB, g *loopgroup.Group[K]) (result chan error) {
	result = make(chan error, 1)
	go func() { result <- g.Run(context.Background()) }()
	t.Cleanup(func() {
		if err := g.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return result
}

func TestTasksOfAKeyRunInOrder(t *testing.T) {
	const keys, tasks, producers = 100_000, 10, 4
	g := loopgroup.New[int](4)
	result := start(t, g)
	seen := make([]int32, keys) // each element is written by one loop
	var wrong, ran atomic.Int64
	var wg sync.WaitGroup
	for p := range producers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for n := range tasks {
				for key := p; key < keys; key += producers {
					err := g.Submit(key, func() {
						if seen[key] != int32(n) {
							wrong.Add(1)
						}
						seen[key]++
						ran.Add(1)
					})
					if err != nil {
						t.Error(err)
						return
					}
				}
			}
		}()
	}
	wg.Wait()
	if err := g.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := <-result; err != nil || wrong.Load() > 0 || ran.Load() != keys*tasks {
		t.Errorf("%v; %d tasks ran, %d out of order", err, ran.Load(), wrong.Load())
	}
	used := map[*eventloop.Loop]int{}
	for key := range keys {
		used[g.Loop(key)]++
	}
	for _, n := range used {
		if n < keys/5 || n > keys/3 {
			t.Errorf("keys are not spread: %v", used)
		}
	}
}

// Every task hops from loop to loop for a while, also when the shutdown has begun.
func TestAShutdownConservesTasksThatGoFromLoopToLoop(t *testing.T) {
	for round := range 50 {
		g := loopgroup.New[int](3)
		result := make(chan error, 1)
		go func() { result <- g.Run(context.Background()) }()
		var accepted, ended, refused atomic.Int64
		const hops = 40
		var hop func(key, left int)
		hop = func(key, left int) {
			if left == 0 {
				ended.Add(1)
				return
			}
			if g.SubmitInternal(key+left, func() { hop(key, left-1) }) != nil {
				refused.Add(1)
			}
		}
		var wg sync.WaitGroup
		for p := range 2 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for i := range 200 {
					if g.Submit(i, func() { hop(i, hops) }) == nil {
						accepted.Add(1)
					}
					if p == 0 && i == 2*round {
						go func() { _ = g.Shutdown(context.Background()) }()
					}
				}
			}()
		}
		wg.Wait()
		if err := g.Shutdown(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := <-result; err != nil || refused.Load() > 0 || ended.Load() != accepted.Load() {
			t.Fatalf("%v; accepted %d, came to their end %d, refused %d", err, accepted.Load(), ended.Load(), refused.Load())
		}
	}
}

func TestTheEndOfTheContextEndsTheGroup(t *testing.T) {
	g := loopgroup.New[string](2)
	cause := errors.New("cause")
	ctx, cancel := context.WithCancelCause(context.Background())
	result := make(chan error, 1)
	go func() { result <- g.Run(ctx) }()
	ran := false
	_ = g.Submit("a", func() { ran = true; cancel(cause) })
	if err := <-result; !ran || !errors.Is(err, cause) || !errors.Is(err, context.Canceled) {
		t.Error(ran, err)
	}
	if err := g.Run(ctx); !errors.Is(err, eventloop.ErrLoopTerminated) {
		t.Error(err)
	}
	if err := g.Submit("a", func() {}); !errors.Is(err, eventloop.ErrLoopTerminated) {
		t.Error(err)
	}
}

func TestALoopThatFailsEndsTheGroup(t *testing.T) {
	g := loopgroup.New[string](3)
	failed := errors.New("failed")
	result := make(chan error, 1)
	go func() { result <- g.Run(context.Background()) }()
	_ = g.Submit("a", func() { adapter.Of(g.Loop("a")).Fail(failed) })
	if err := <-result; !errors.Is(err, failed) {
		t.Error(err)
	}
}

func TestACallbackThatCallsGoexitEndsNoGroup(t *testing.T) {
	g := loopgroup.New[int](2, eventloop.WithPanicHandler(func(*eventloop.PanicError) {}))
	result := start(t, g)
	var ran atomic.Int64
	for key := range 100 {
		_ = g.Submit(key, runtime.Goexit)
		_ = g.Submit(key, func() { ran.Add(1) })
	}
	_ = g.Shutdown(context.Background())
	if err := <-result; err != nil || ran.Load() != 100 {
		t.Error(err, ran.Load())
	}
}

func TestCloseCountsWhatItDrops(t *testing.T) {
	g := loopgroup.New[int](2)
	for key := range 100 {
		_ = g.Submit(key, func() {})
	}
	g.Close()
	if d := g.Dropped(); d.External != 100 {
		t.Errorf("%+v", d)
	}
}

func TestShutdownFromACallbackBeginsIt(t *testing.T) {
	g := loopgroup.New[int](2)
	var err error
	_ = g.Submit(1, func() { err = g.Shutdown(context.Background()) })
	if run := g.Run(context.Background()); run != nil || !errors.Is(err, eventloop.ErrOnLoop) {
		t.Error(run, err)
	}
}

func TestBalancedTasksAvoidALoopThatIsBusy(t *testing.T) {
	g := loopgroup.New[int](2)
	start(t, g)
	goOn := make(chan struct{})
	begun := make(chan struct{})
	_ = g.Submit(0, func() { close(begun); <-goOn })
	<-begun
	// The other loop is asleep, or has less waiting than the one that is blocked once that has some.
	_ = g.Loop(0).Submit(func() {})
	const tasks = 100
	for range tasks {
		done := make(chan struct{})
		_ = g.SubmitAny(func() { close(done) })
		<-done // hangs if it was put behind the callback that blocks
	}
	close(goOn)
}

func TestBalancedTasksAvoidALoopThatHasTakenALongBatch(t *testing.T) {
	g := loopgroup.New[int](2)
	long, short := g.Loops()[0], g.Loops()[1]
	goOn := make(chan struct{})
	begun := make(chan struct{}, 2)
	block := func() { begun <- struct{}{}; <-goOn }
	_ = long.Submit(block)
	for range 100 {
		_ = long.Submit(func() {}) // taken together with the first
	}
	_ = short.Submit(block)
	result := start(t, g)
	<-begun
	<-begun
	_ = short.Submit(func() {}) // waits for the loop, where nothing waits for the other
	where := make(chan bool, 2)
	for range cap(where) { // each loop is the first of the two for one
		_ = g.SubmitAny(func() { where <- adapter.Of(short).OnLoop() })
	}
	close(goOn)
	for range cap(where) {
		if !<-where {
			t.Error("a task was put behind a hundred, not behind one")
		}
	}
	_ = g.Shutdown(context.Background())
	if err := <-result; err != nil {
		t.Error(err)
	}
}

func TestMetricsAreThoseOfAllLoops(t *testing.T) {
	g := loopgroup.New[int](3, inspect.WithMetrics())
	result := start(t, g)
	for key := range 1000 {
		_ = g.Submit(key, func() {})
	}
	_ = g.Shutdown(context.Background())
	if err := <-result; err != nil {
		t.Fatal(err)
	}
	if m := inspect.ReadMetrics(g.Loops()...); m.Loops != 3 || m.Ran.External != 1000 || m.RunTime.Count < 1000 {
		t.Errorf("%+v", m)
	}
}

func Example() {
	group := loopgroup.New[string](0)
	result := make(chan error)
	go func() { result <- group.Run(context.Background()) }()

	balances := map[string]*int{"ann": new(int), "bob": new(int)} // each is used on one loop only
	for i := range 10 {
		for name, balance := range balances {
			_ = group.Submit(name, func() { *balance += i }) // it fails on a group that ends
		}
	}
	_ = group.Shutdown(context.Background())
	fmt.Println(<-result, *balances["ann"], *balances["bob"])
	// Output: <nil> 45 45
}
