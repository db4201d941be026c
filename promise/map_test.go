package promise_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// mapped are Map and its like over the same items.
var mapped = map[string]func(ctx context.Context, loop *eventloop.Loop, limit int, items []int, fn func(context.Context, int) intPromise) *promise.Promise[[]int]{
	"Map": promise.Map[int, int],
	"MapSeq": func(ctx context.Context, loop *eventloop.Loop, limit int, items []int, fn func(context.Context, int) intPromise) *promise.Promise[[]int] {
		return promise.MapSeq(ctx, loop, limit, slices.Values(items), fn)
	},
	"MapChan": func(ctx context.Context, loop *eventloop.Loop, limit int, items []int, fn func(context.Context, int) intPromise) *promise.Promise[[]int] {
		ch := make(chan int, len(items))
		for _, v := range items {
			ch <- v
		}
		close(ch)
		return promise.MapChan(ctx, loop, limit, ch, fn)
	},
}

func TestEachMapRunsSoManyAtATimeInOrder(t *testing.T) {
	for name, mapItems := range mapped {
		for limit, want := range map[int]struct {
			most int
			took time.Duration
		}{1: {1, 15 * time.Second}, 2: {2, 8 * time.Second}, 5: {5, 5 * time.Second}, math.MaxInt: {5, 5 * time.Second}} {
			onVirtualTime(t, func(t *testing.T, loop *eventloop.Loop) {
				start, running, most := time.Now(), 0, 0
				var begun []int
				got, err := mapItems(bg, loop, limit, []int{5, 4, 3, 2, 1}, func(ctx context.Context, n int) intPromise {
					running++
					most, begun = max(most, running), append(begun, n)
					return promise.Then(promise.Sleep(ctx, loop, time.Duration(n)*time.Second), func(struct{}) (int, error) {
						running--
						return 10 * n, nil
					})
				}).Wait(bg)
				if err != nil || !slices.Equal(got, []int{50, 40, 30, 20, 10}) || !slices.Equal(begun, []int{5, 4, 3, 2, 1}) {
					t.Errorf("%s, limit %d: %v, %v, begun in order %v", name, limit, got, err, begun)
				}
				if took := time.Since(start); most != want.most || took != want.took {
					t.Errorf("%s, limit %d: %d at a time, took %v", name, limit, most, took)
				}
			})
		}
	}
}

func TestTheFirstErrorOfEachMapCancelsTheRest(t *testing.T) {
	for name, mapItems := range mapped {
		onVirtualTime(t, func(t *testing.T, loop *eventloop.Loop) {
			causes, calls := make(chan error, 10), 0
			_, err := mapItems(bg, loop, 3, []int{1, 2, 3, 4, 5}, func(ctx context.Context, n int) intPromise {
				calls++
				return promise.Promisify(ctx, loop, func(ctx context.Context) (int, error) {
					if n == 2 {
						time.Sleep(time.Second)
						return 0, errOops
					}
					<-ctx.Done()
					causes <- context.Cause(ctx)
					return 0, errBad
				})
			}).Wait(bg)
			synctest.Wait()
			if err != errOops || calls != 3 || len(causes) != 2 || <-causes != errOops || <-causes != errOops {
				t.Errorf("%s: got %v after %d calls", name, err, calls)
			}
		})
	}
}

func TestEachMapEndsWithItsContextOrTheLoop(t *testing.T) {
	for name, mapItems := range mapped {
		onVirtualTime(t, func(t *testing.T, loop *eventloop.Loop) {
			ctx, cancel := context.WithCancelCause(bg)
			pending, r := promise.WithResolvers[int](loop)
			calls := 0
			var inner context.Context
			fn := func(ctx context.Context, _ int) intPromise { calls++; inner = ctx; return pending }
			p := mapItems(ctx, loop, 1, []int{1, 2}, fn)
			synctest.Wait()
			cancel(errOops)
			r.Resolve(1)
			if _, err := p.Wait(bg); !errors.Is(err, errOops) || calls != 1 {
				t.Errorf("%s: got %v after %d calls", name, err, calls)
			}
			if _, err := mapItems(ctx, loop, 1, []int{1, 2}, fn).Wait(bg); !errors.Is(err, errOops) || calls != 1 {
				t.Errorf("%s: got %v after %d calls", name, err, calls)
			}
			pending, _ = promise.WithResolvers[int](loop)
			p, q := mapItems(bg, loop, 1, []int{1, 2}, fn), mapItems(bg, loop, 3, []int{1, 2}, fn)
			synctest.Wait()
			if err := loop.Shutdown(bg); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			for _, p := range []*promise.Promise[[]int]{p, q, mapItems(bg, loop, 1, []int{1, 2}, fn)} {
				if err := result(t, p).Err; err != eventloop.ErrLoopTerminated || context.Cause(inner) != eventloop.ErrLoopTerminated {
					t.Errorf("%s: got %v, cause %v", name, err, context.Cause(inner))
				}
			}
		})
	}
}

func TestEachMapOfNothingOrOfMistakes(t *testing.T) {
	loop, other := beside(t, quietly), beside(t)
	for name, mapItems := range mapped {
		one := []int{1, 2}
		if v, err := mapItems(bg, loop, 1, nil, nil).Wait(bg); v == nil || len(v) != 0 || err != nil {
			t.Errorf("%s of nothing: %v, %v", name, v, err)
		}
		for _, limit := range []int{0, -1} {
			if _, err := mapItems(bg, loop, limit, one, nil).Wait(bg); !errors.Is(err, eventloop.ErrInvalid) || !strings.Contains(err.Error(), name+" with a limit of") {
				t.Errorf("%s with limit %d: %v", name, limit, err)
			}
		}
		for limit := range 3 {
			limit++
			if _, err := mapItems(bg, loop, limit, one, func(context.Context, int) intPromise { return nil }).Wait(bg); err != promise.ErrNilPromise {
				t.Errorf("%s of nil: %v", name, err)
			}
			if _, err := mapItems(bg, loop, limit, one, func(context.Context, int) intPromise { panic(errOops) }).Wait(bg); !errors.Is(err, errOops) {
				t.Errorf("%s with a panic: %v", name, err)
			}
			if _, err := mapItems(bg, loop, limit, one, nil).Wait(bg); !errors.As(err, new(*eventloop.PanicError)) {
				t.Errorf("%s without a function: %v", name, err)
			}
			v, err := mapItems(bg, loop, limit, one, func(_ context.Context, n int) intPromise {
				return promise.Then(promise.Resolve(other, n), addOne)
			}).Wait(bg)
			if err != nil || !slices.Equal(v, []int{2, 3}) {
				t.Errorf("%s over another loop: %v, %v", name, v, err)
			}
		}
	}
	if _, err := promise.MapSeq(bg, loop, 1, func(func(int) bool) { panic(errOops) }, func(context.Context, int) intPromise { return nil }).Wait(bg); !errors.Is(err, errOops) {
		t.Errorf("a sequence that panics: %v", err)
	}
}

func TestMapSeqAsksForAnItemWhenThereIsRoom(t *testing.T) {
	onVirtualTime(t, func(t *testing.T, loop *eventloop.Loop) {
		asked, done := 0, 0
		p := promise.MapSeq(bg, loop, 2, func(yield func(int) bool) {
			for n := range 5 {
				if asked++; asked > done+2 {
					t.Errorf("item %d is asked for when %d are done", n, done)
				}
				if !yield(n) {
					return
				}
			}
		}, func(ctx context.Context, n int) intPromise {
			return promise.Then(promise.Sleep(ctx, loop, time.Second), func(struct{}) (int, error) { done++; return n, nil })
		})
		if v, err := p.Wait(bg); err != nil || len(v) != 5 {
			t.Errorf("%v, %v", v, err)
		}
	})
}

func TestMapChanWaitsForValues(t *testing.T) {
	onVirtualTime(t, func(t *testing.T, loop *eventloop.Loop) {
		ch := make(chan int)
		p := promise.MapChan(bg, loop, 2, ch, func(_ context.Context, n int) intPromise { return promise.Resolve(loop, n) })
		for n := range 5 {
			time.Sleep(time.Second)
			ch <- n
		}
		close(ch)
		if v, err := p.Wait(bg); err != nil || !slices.Equal(v, []int{0, 1, 2, 3, 4}) {
			t.Errorf("%v, %v", v, err)
		}
		fails := promise.MapChan(bg, loop, 2, make(chan int, 1), func(context.Context, int) intPromise { return promise.Reject[int](loop, errOops) })
		ended, cancel := context.WithCancelCause(bg)
		waits := promise.MapChan(ended, loop, 2, make(chan int), func(context.Context, int) intPromise { return nil })
		synctest.Wait()
		cancel(errBad)
		if _, err := waits.Wait(bg); !errors.Is(err, errBad) {
			t.Errorf("got %v", err)
		}
		if _, ok := fails.Result(); ok {
			t.Error("a channel that nobody closes has come to an end")
		}
	})
}

func TestMapsLeaveNothingOnWhatLivesLong(t *testing.T) {
	loop := beside(t, quietly)
	ctx, cancel := context.WithCancel(bg)
	defer cancel()
	long, _ := promise.WithResolvers[int](loop)
	for name, mapItems := range mapped {
		for i, p := range []intPromise{promise.Resolve(loop, 1), promise.Reject[int](loop, errOops)} {
			t.Run(fmt.Sprint(name, i), func(t *testing.T) {
				flatBeside(t, 10_000, []*eventloop.Loop{loop}, func() {
					mapItems(ctx, loop, 2, []int{0, 1}, func(_ context.Context, n int) intPromise {
						if n == 0 && i == 1 {
							return long
						}
						return p
					}).Catch(func(error) ([]int, error) { return nil, nil })
				})
			})
		}
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
		"MapSeq": promise.Then(promise.MapSeq(bg, loop, 1, slices.Values([]int{1}), func(ctx context.Context, _ int) intPromise { return work(ctx) }),
			func([]int) (int, error) { return 0, nil }),
	} {
		if _, err := p.Wait(bg); !errors.Is(err, eventloop.ErrGoexit) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := loop.Shutdown(bg); err != nil {
		t.Fatal(err)
	}
}
