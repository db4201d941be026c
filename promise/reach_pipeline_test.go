package promise_test

import (
	"context"
	"runtime"
	"slices"
	"testing"
	"time"
	"weak"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

func TestPipelinesLeaveNothingOnWhatLivesLong(t *testing.T) {
	loop := beside(t, quietly)
	ctx, cancel := context.WithCancel(bg)
	defer cancel()
	long, _ := promise.WithResolvers[int](loop)
	one, bad := promise.Resolve(loop, 1), promise.Reject[int](loop, errOops)
	work := func(p intPromise) func(context.Context) intPromise {
		return func(context.Context) intPromise { return p }
	}
	each := func(p ...intPromise) intPromise {
		all := promise.Map(ctx, loop, 2, p, func(_ context.Context, p intPromise) intPromise { return p })
		return promise.Then(all, func(v []int) (int, error) { return v[0], nil }).Catch(keep)
	}
	for name, body := range map[string]func(){
		"WithTimeout in time":  func() { promise.WithTimeout(ctx, loop, time.Hour, work(one)) },
		"WithTimeout rejected": func() { promise.WithTimeout(ctx, loop, time.Hour, work(bad)).Catch(keep) },
		"WithTimeout late":     func() { promise.WithTimeout(ctx, loop, time.Nanosecond, work(long)).Catch(keep) },
		"Retry":                func() { promise.Retry(ctx, loop, promise.RetryPolicy{Attempts: 2, Delay: -1}, work(bad)).Catch(keep) },
		"Map":                  func() { each(one, one) },
		"Map rejected":         func() { each(long, bad) },
		"both handlers":        func() { promise.ThenElse(one, addOne, keep).Finally(func() {}) },
	} {
		t.Run(name, func(t *testing.T) { flatBeside(t, 20_000, []*eventloop.Loop{loop}, body) })
	}
	runtime.KeepAlive(long)
}

func TestWhatIsSettledDoesNotKeepWhatLedToIt(t *testing.T) {
	loop := beside(t, quietly)
	for name, use := range map[string]func(fn func(context.Context) intPromise) any{
		"WithTimeout": func(fn func(context.Context) intPromise) any { return promise.WithTimeout(bg, loop, time.Hour, fn) },
		"Retry": func(fn func(context.Context) intPromise) any {
			return promise.Retry(bg, loop, promise.RetryPolicy{}, fn)
		},
		"Map": func(fn func(context.Context) intPromise) any {
			return promise.Map(bg, loop, 1, []int{1}, func(ctx context.Context, _ int) intPromise { return fn(ctx) })
		},
		"MapSeq": func(fn func(context.Context) intPromise) any {
			return promise.MapSeq(bg, loop, 1, slices.Values([]int{1}), func(ctx context.Context, _ int) intPromise { return fn(ctx) })
		},
		"ThenPromise": func(fn func(context.Context) intPromise) any {
			return promise.ThenPromise(promise.Resolve(loop, 1), func(int) intPromise { return fn(bg) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			var keep any
			gone := func() weak.Pointer[[64]int] {
				used := new([64]int)
				keep = use(func(context.Context) intPromise { return promise.Resolve(loop, used[0]) })
				for range 20 {
					_ = loop.Do(bg, func() {})
				}
				return weak.Make(used)
			}()
			if !collected(gone) {
				t.Error("the work is still there")
			}
			runtime.KeepAlive(keep)
		})
	}
}
