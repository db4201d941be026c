package promise_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

func TestMapRunsSoManyAtATimeAndKeepsTheOrder(t *testing.T) {
	for limit, want := range map[int]struct {
		most int
		took time.Duration
	}{1: {1, 15 * time.Second}, 2: {2, 8 * time.Second}, 5: {5, 5 * time.Second}, 9: {5, 5 * time.Second}, 0: {5, 5 * time.Second}} {
		onVirtualTime(t, func(t *testing.T, loop *eventloop.Loop) {
			start := time.Now()
			running, most := 0, 0
			var begun []int
			p := promise.Map(bg, loop, limit, []int{5, 4, 3, 2, 1}, func(ctx context.Context, n int) *promise.Promise[string] {
				running++
				most = max(most, running)
				begun = append(begun, n)
				return promise.Then(promise.Sleep(ctx, loop, time.Duration(n)*time.Second), func(struct{}) (string, error) {
					running--
					return string(rune('0' + n)), nil
				})
			})
			free := 0 // the loop is not blocked
			_, _ = loop.ScheduleTimer(time.Second/2, func() { free++ })
			got, err := p.Await(bg)
			if err != nil || !slices.Equal(got, []string{"5", "4", "3", "2", "1"}) || !slices.Equal(begun, []int{5, 4, 3, 2, 1}) {
				t.Errorf("limit %d: %v, %v, begun in order %v", limit, got, err, begun)
			}
			if took := time.Since(start); most != want.most || took != want.took || free != 1 {
				t.Errorf("limit %d: %d at a time, took %v", limit, most, took)
			}
		})
	}
}

func TestTheFirstErrorOfMapCancelsTheRest(t *testing.T) {
	onVirtualTime(t, func(t *testing.T, loop *eventloop.Loop) {
		start := time.Now()
		causes := make(chan error, 10)
		_, err := promise.Map(bg, loop, 3, []int{1, 2, 3, 4, 5}, func(ctx context.Context, n int) intPromise {
			return promise.Promisify(ctx, loop, func(ctx context.Context) (int, error) {
				if n == 2 {
					time.Sleep(time.Second)
					return 0, errOops
				}
				<-ctx.Done()
				causes <- context.Cause(ctx)
				return 0, errBad
			})
		}).Await(bg)
		if err != errOops || time.Since(start) != time.Second {
			t.Errorf("got %v after %v", err, time.Since(start))
		}
		synctest.Wait()
		if len(causes) != 2 || <-causes != errOops || <-causes != errOops {
			t.Errorf("%d others were begun and cancelled, want 2 with the same error", len(causes))
		}
	})
}

func TestMapEndsWithItsContextOrTheLoop(t *testing.T) {
	onVirtualTime(t, func(t *testing.T, loop *eventloop.Loop) {
		ctx, cancel := context.WithCancelCause(bg)
		pending, r := promise.WithResolvers[int](loop)
		calls := 0
		var inner context.Context
		fn := func(ctx context.Context, n int) intPromise { calls++; inner = ctx; return pending }
		p := promise.Map(ctx, loop, 1, []int{1, 2}, fn)
		synctest.Wait()
		cancel(errOops)
		r.Resolve(1)
		if _, err := p.Await(bg); err != errOops || calls != 1 {
			t.Errorf("got %v after %d calls", err, calls)
		}
		if _, err := promise.Map(ctx, loop, 1, []int{1, 2}, fn).Await(bg); err != errOops || calls != 1 {
			t.Errorf("got %v after %d calls", err, calls)
		}
		pending, _ = promise.WithResolvers[int](loop)
		p = promise.Map(bg, loop, 1, []int{1, 2}, fn)
		synctest.Wait()
		if err := loop.Shutdown(bg); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if err := result(t, p).Err; err != eventloop.ErrLoopTerminated || context.Cause(inner) != eventloop.ErrLoopTerminated {
			t.Errorf("got %v, cause %v", err, context.Cause(inner))
		}
		if err := result(t, promise.Map(bg, loop, 1, []int{1, 2}, fn)).Err; err != eventloop.ErrLoopTerminated {
			t.Errorf("got %v", err)
		}
	})
}

func TestMapOfNothingOrOfMistakes(t *testing.T) {
	loop := beside(t, quietly)
	if v, err := promise.Map(bg, loop, 1, nil, func(context.Context, int) intPromise { return nil }).Await(bg); v == nil || len(v) != 0 || err != nil {
		t.Errorf("nothing: %v, %v", v, err)
	}
	one := []int{1, 2}
	if _, err := promise.Map(bg, loop, 2, one, func(context.Context, int) intPromise { return nil }).Await(bg); err != promise.ErrNilPromise {
		t.Errorf("nil: %v", err)
	}
	if _, err := promise.Map(bg, loop, 2, one, func(context.Context, int) intPromise { panic(errOops) }).Await(bg); !errors.Is(err, errOops) {
		t.Errorf("panic: %v", err)
	}
	if _, err := promise.Map[int, int](bg, loop, 2, one, nil).Await(bg); !errors.As(err, new(*eventloop.PanicError)) {
		t.Errorf("no function: %v", err)
	}
	other := beside(t)
	v, err := promise.Map(bg, loop, 1, one, func(_ context.Context, n int) intPromise {
		return promise.Then(promise.Resolve(other, n), addOne)
	}).Await(bg)
	if err != nil || !slices.Equal(v, []int{2, 3}) {
		t.Errorf("another loop: %v, %v", v, err)
	}
}

func TestGoexitInWorkRejects(t *testing.T) {
	loop := eventloop.New(quietly, eventloop.WithPanicHandler(func(*eventloop.PanicError) {}))
	go func() { _ = loop.Run(bg) }()
	work := func(context.Context) intPromise { runtime.Goexit(); return nil }
	for name, p := range map[string]intPromise{
		"WithTimeout": promise.WithTimeout(bg, loop, time.Hour, work),
		"Retry":       promise.Retry(bg, loop, promise.RetryPolicy{}, work),
		"Map": promise.Then(promise.Map(bg, loop, 1, []int{1}, func(ctx context.Context, _ int) intPromise { return work(ctx) }),
			func([]int) (int, error) { return 0, nil }),
	} {
		if _, err := p.Await(bg); !errors.Is(err, eventloop.ErrGoexit) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := loop.Shutdown(bg); err != nil {
		t.Fatal(err)
	}
}
