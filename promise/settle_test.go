package promise_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// A goroutine schedules a microtask and then attaches to a promise, while the loop, or a third goroutine, settles it.
func TestAMicrotaskScheduledBeforeAReactionIsAttachedRunsBeforeIt(t *testing.T) {
	rounds := 100_000
	if testing.Short() {
		rounds = 5_000
	}
	loop := beside(t)
	for round := range rounds {
		p, r := promise.WithResolvers[int](loop)
		child := promise.Then(p, addOne)
		promise.Then(child, addOne) // so that the child has a list
		order := ""                 // the loop's
		var both sync.WaitGroup
		both.Add(2)
		go func() {
			defer both.Done()
			_ = loop.ScheduleMicrotask(func() { order += "x" })
			promise.Then(p, func(int) (int, error) { order += "1"; return 0, nil })
			_ = loop.ScheduleMicrotask(func() { order += "y" })
			promise.Then(child, func(int) (int, error) { order += "2"; return 0, nil })
		}()
		go func() {
			defer both.Done()
			r.Resolve(1)
		}()
		both.Wait()
		for range 3 { // as many microtasks as the last takes
			if err := loop.Do(context.Background(), func() {}); err != nil {
				t.Fatal(err)
			}
		}
		if err := loop.Do(context.Background(), func() {
			if strings.Index(order, "x") > strings.Index(order, "1") || strings.Index(order, "y") > strings.Index(order, "2") || len(order) != 4 {
				t.Errorf("round %d: %s", round, order)
			}
		}); err != nil || t.Failed() {
			t.Fatal(err)
		}
	}
}

// One goroutine attaches reactions as fast as it can, and abandons some at once, while the loop settles. So the
// owner's lock-free way to settle fails half way. The reactions that came in between are queued behind.
func TestReactionsAttachedWhileTheLoopSettlesRunOnceAndInOrder(t *testing.T) {
	rounds := 20_000
	if testing.Short() {
		rounds = 2_000
	}
	loop := beside(t)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for round := range rounds {
		p, r := promise.WithResolvers[int](loop)
		child := promise.Then(p, addOne)
		var got []int // the loop's
		attach := func(i int) {
			promise.Then(child, func(int) (int, error) { got = append(got, i); return 0, nil })
		}
		if round%2 == 0 {
			_, _ = child.Wait(ended)
		} else {
			attach(-1)
		}
		done := make(chan struct{})
		go func() {
			for i := range 8 {
				attach(i)
			}
			close(done)
		}()
		r.Resolve(1)
		<-done
		if v, err := child.Wait(context.Background()); v != 2 || err != nil {
			t.Fatal(v, err)
		}
		if err := loop.Do(context.Background(), func() {
			if round%2 == 1 {
				if got[0] != -1 {
					t.Errorf("round %d: %v", round, got)
				}
				got = got[1:]
			}
			for i := range 8 {
				if len(got) != 8 || got[i] != i {
					t.Errorf("round %d: %v", round, got)
					break
				}
			}
		}); err != nil || t.Failed() {
			t.Fatal(err)
		}
	}
}

// A goroutine that called Goexit goes on in deferred calls, and keeps the frames of each.
func TestTheStackOfAGoexitHasABoundHoweverManyThereWere(t *testing.T) {
	loop := eventloop.New(eventloop.WithAutoExit(), eventloop.WithPanicHandler(func(*eventloop.PanicError) {}))
	var longest int
	bad := 0
	_ = loop.Submit(func() {
		for range 300 {
			promise.Then(promise.Resolve(loop, 1), func(int) (int, error) { runtime.Goexit(); return 0, nil }).Catch(func(err error) (int, error) {
				var e *eventloop.PanicError
				if !errors.As(err, &e) || e.Value != any(eventloop.ErrGoexit) {
					bad++
					return 0, nil
				}
				longest = max(longest, strings.Count(string(e.Stack), "\n\t"))
				return 0, nil
			})
		}
	})
	go func() { _ = loop.Run(context.Background()) }()
	<-loop.Done()
	if bad > 0 || longest == 0 || longest > 64 {
		t.Errorf("%d errors of another kind; the longest stack has %d frames", bad, longest)
	}
}

func TestAValueMayBeOfAnySize(t *testing.T) {
	type huge [1 << 16]byte
	loop := beside(t)
	p, r := promise.WithResolvers[huge](loop)
	q := promise.Then(p, func(h huge) (huge, error) { h[1]++; return h, nil })
	ch := q.Channel()
	r.Resolve(huge{1: 41})
	if r := <-ch; r.Value[1] != 42 || r.Err != nil {
		t.Errorf("got %d, %v", r.Value[1], r.Err)
	}
}
