package promise_test

import (
	"context"
	"math"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// flatBeside runs body many times on the first of the loops, in batches that are drained. It fails if the heap grows
// with the number of rounds. Garbage is noticed some time after a collection, and lists are tidied only when they
// have doubled. So a heap that is too large gets several batches to shrink again. A leak never shrinks: at a hundred
// bytes a round, the first batch that counts is at more than twice the bound.
func flatBeside(t *testing.T, rounds int, loops []*eventloop.Loop, body func()) {
	t.Helper()
	batch := func() uint64 {
		for range rounds / 200 {
			_ = loops[0].Do(bg, func() {
				for range 100 {
					body()
				}
			})
			for range 2 {
				for _, loop := range loops {
					_ = loop.Do(bg, func() {})
				}
			}
		}
		return heap()
	}
	const batches, patience = 4, 20
	before := uint64(math.MaxUint64)
	for range batches {
		before = min(before, batch())
	}
	var after uint64
	for i := range patience {
		if after = batch(); i+1 >= batches && after <= before+3<<20 {
			return
		}
	}
	t.Errorf("after %d more rounds the heap has grown from %d to %d bytes", patience*rounds/2, before, after)
}

func TestAskingForTheChannelOfALongLivedPromiseStaysFlatInMemory(t *testing.T) {
	loop := beside(t)
	long, r := promise.WithResolvers[int](loop)
	flatBeside(t, 40_000, []*eventloop.Loop{loop}, func() {
		select {
		case <-long.Channel():
			t.Error("it is pending")
		default:
		}
	})
	r.Resolve(7)
	if r := <-long.Channel(); r == nil || r.Value != 7 {
		t.Errorf("got %v", r)
	}
}

func TestPromisesOfAnotherLoopThatLiveLongStayFlatInMemory(t *testing.T) {
	here, there := beside(t), beside(t)
	long, _ := promise.WithResolvers[int](there)
	one := promise.Resolve(here, 1)
	for name, body := range map[string]func(){
		"On":   func() { promise.On(here, long) },
		"Race": func() { promise.Race(here, long, one) },
		"Any":  func() { promise.Any(here, long, one) },
		"All": func() {
			promise.All(here, long, promise.Reject[int](here, errOops)).Catch(func(error) ([]int, error) { return nil, nil })
		},
	} {
		t.Run(name, func(t *testing.T) { flatBeside(t, 40_000, []*eventloop.Loop{here, there}, body) })
	}
	runtime.KeepAlive(long)
}

func TestShortLivedPromisesLeaveNothingOnALoopThatLivesLong(t *testing.T) {
	here, there := beside(t), beside(t)
	for name, body := range map[string]func(){
		"Channel": func() { p, _ := promise.WithResolvers[int](there); p.Channel() },
		"On":      func() { p, _ := promise.WithResolvers[int](there); promise.Then(promise.On(here, p), addOne) },
	} {
		t.Run(name, func(t *testing.T) {
			flatBeside(t, 40_000, []*eventloop.Loop{here, there}, func() {
				body()
			})
		})
	}
}

func TestWhatWaitsForTheEndOfALoopDoesNotKeepAPromise(t *testing.T) {
	here, there := beside(t), beside(t)
	for name, use := range map[string]func(p *promise.Promise[int]) (keep any){
		"Channel": func(p *promise.Promise[int]) any { return p.Channel() },
		"On":      func(p *promise.Promise[int]) any { return promise.On(here, p) },
		"Race":    func(p *promise.Promise[int]) any { return promise.Race(here, p) },
	} {
		t.Run(name, func(t *testing.T) {
			var keep any
			gone := func() weak.Pointer[promise.Promise[int]] {
				p, _ := promise.WithResolvers[int](there)
				keep = use(p)
				return weak.Make(p)
			}()
			if !collected(gone) {
				t.Error("the promise is still there")
			}
			runtime.KeepAlive(keep)
		})
	}
}

func TestATimeoutThatIsUpDoesNotKeepThePromise(t *testing.T) {
	loop := beside(t)
	var late *promise.Promise[int]
	gone := func() weak.Pointer[promise.Promise[int]] {
		p, _ := promise.WithResolvers[int](loop)
		late = promise.WithTimeout(bg, loop, time.Nanosecond, func(context.Context) *promise.Promise[int] { return p })
		return weak.Make(p)
	}()
	if _, err := late.Wait(bg); err != promise.ErrTimeout {
		t.Fatal(err)
	}
	if !collected(gone) {
		t.Error("the promise is still there")
	}
	runtime.KeepAlive(late)
}

func TestAContextDoesNotKeepTheSleepersOfALoopThatHasEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(bg)
	defer cancel()
	gone := func() weak.Pointer[promise.Promise[struct{}]] {
		loop := eventloop.New()
		p := promise.Sleep(ctx, loop, time.Hour)
		_ = loop.Close()
		return weak.Make(p)
	}()
	if !collected(gone) {
		t.Error("the promise is still there")
	}
}

func TestEveryCallOfChannelGetsTheOutcome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loop := eventloop.New()
		go func() { _ = loop.Run(bg) }()
		p, r := promise.WithResolvers[int](loop)
		got := make(chan *promise.Result[int], 100)
		for range 50 {
			go func() { got <- <-p.Channel() }()
		}
		synctest.Wait()
		a, b := p.Channel(), p.Channel()
		r.Resolve(7)
		synctest.Wait()
		got <- <-a
		got <- <-b
		got <- <-p.Channel()
		for range 53 {
			if r := <-got; r == nil || r.Value != 7 {
				t.Fatalf("got %v", r)
			}
		}
		_ = loop.Shutdown(bg)
	})
}
