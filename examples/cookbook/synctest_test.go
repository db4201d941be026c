package cookbook

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// start runs a loop until the test has ended. It is called in the bubble, and so is Shutdown.
func start(t *testing.T) *eventloop.Loop {
	loop := eventloop.New()
	go func() {
		if err := loop.Run(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() {
		if err := loop.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return loop
}

func TestTheSearchBeginsWhenNobodyHasTypedForASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loop := start(t)
		var searches []string // the loop's
		search := debounce(loop, time.Second, func(text string) { searches = append(searches, text) })
		expect := func(want ...string) {
			t.Helper()
			synctest.Wait() // until the loop has nothing to do
			check(loop.Do(t.Context(), func() {
				if !slices.Equal(searches, want) {
					t.Errorf("searched for %q, want %q", searches, want)
				}
			}))
		}
		check(loop.Submit(func() { search("go") }))
		time.Sleep(900 * time.Millisecond)
		check(loop.Submit(func() { search("gopher") }))
		time.Sleep(999 * time.Millisecond)
		expect()
		time.Sleep(time.Millisecond)
		expect("gopher")
	})
}

func TestRetriesWaitLongerEachTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loop := start(t)
		begin := time.Now()
		down := errors.New("down")
		policy := promise.RetryPolicy{Attempts: 4, Delay: time.Second} // then 2 s, then 4 s
		_, err := promise.Retry(t.Context(), loop, policy, func(context.Context) *promise.Promise[int] {
			return promise.Reject[int](loop, down)
		}).Wait(t.Context())
		if !errors.Is(err, down) || time.Since(begin) != 7*time.Second {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
	})
}

func TestATimeOutCancelsTheWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loop := start(t)
		begin := time.Now()
		var stopped time.Duration
		_, err := promise.WithTimeout(t.Context(), loop, time.Minute, func(ctx context.Context) *promise.Promise[int] {
			return promise.Promisify(ctx, loop, func(ctx context.Context) (int, error) {
				<-ctx.Done()
				stopped = time.Since(begin)
				return 0, ctx.Err()
			})
		}).Wait(t.Context())
		synctest.Wait()
		if !errors.Is(err, context.DeadlineExceeded) || stopped != time.Minute {
			t.Errorf("%v, and the work has stopped after %v", err, stopped)
		}
	})
}
