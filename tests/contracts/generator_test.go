package contracts_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/internal/testkit"
	"github.com/eventloop-go/eventloop/loopsource"
	"github.com/eventloop-go/eventloop/promise"
)

// pulled calls fn in a generator, which is a goroutine of its own that runs while the caller waits for it.
func pulled(fn func()) {
	next, stop := iter.Pull(func(yield func(int) bool) {
		fn()
		yield(1)
	})
	defer stop()
	next()
}

func TestAGeneratorThatTheLoopPullsDoesNotWaitForTheLoop(t *testing.T) {
	waits := map[string]func(*eventloop.Loop) error{
		"Do": func(l *eventloop.Loop) error {
			return l.Do(context.Background(), func() { t.Error("the function has run") })
		},
		"Wait": func(l *eventloop.Loop) error {
			p, _ := promise.WithResolvers[int](l)
			_, err := p.Wait(context.Background())
			return err
		},
		"Shutdown": func(l *eventloop.Loop) error { return l.Shutdown(context.Background()) },
		"ActiveResources": func(l *eventloop.Loop) error {
			_, err := inspect.ActiveResources(context.Background(), l)
			return err
		},
		"Send": func(l *eventloop.Loop) error {
			s, err := loopsource.New(l, 1, loopsource.Wait, func(int) {})
			testkit.Must(t, err)
			defer s.Close()
			testkit.Must(t, s.Send(context.Background(), 1))
			return s.Send(context.Background(), 2)
		},
	}
	for name, wait := range waits {
		for where, call := range map[string]func(l *eventloop.Loop, fn func()){
			"callback": func(_ *eventloop.Loop, fn func()) { pulled(fn) },
			"nested":   func(_ *eventloop.Loop, fn func()) { pulled(func() { pulled(fn) }) },
			"coroutine": func(l *eventloop.Loop, fn func()) {
				promise.Async(context.Background(), l, func(*promise.Coroutine) (int, error) { pulled(fn); return 0, nil })
			},
		} {
			t.Run(name+"/"+where, func(t *testing.T) {
				t.Parallel()
				for _, run := range []func(*eventloop.Loop) error{
					func(l *eventloop.Loop) error { return l.Run(context.Background()) },
					func(l *eventloop.Loop) error {
						d := drive(t, l)
						for d.Alive() {
							if _, err := d.RunOnce(time.Second); err != nil {
								break
							}
						}
						return d.Close()
					},
				} {
					l := eventloop.New(eventloop.WithAutoExit())
					var err error
					testkit.Must(t, l.Submit(func() { call(l, func() { err = wait(l) }) }))
					result := make(chan error, 1)
					go func() { result <- run(l) }()
					testkit.Must(t, testkit.Await(t, "the loop", result))
					if !errors.Is(err, eventloop.ErrOnLoop) || errors.Is(err, context.Canceled) {
						t.Errorf("error %v, want ErrOnLoop", err)
					}
				}
			})
		}
	}
}

func TestAGeneratorThatAnotherGoroutinePullsWaitsForTheLoop(t *testing.T) {
	l := running(t)
	release := make(chan struct{})
	testkit.Must(t, l.Submit(func() { pulled(func() { <-release }) })) // the loop waits for a generator, too
	on := make(chan bool)
	go pulled(func() {
		testkit.Must(t, l.Do(context.Background(), func() { on <- adapter.Of(l).OnLoop() }))
	})
	time.AfterFunc(20*time.Millisecond, func() { close(release) }) // the call looks several times who waits for whom
	if !testkit.Await(t, "Do", on) {
		t.Error("the function has not run on the loop")
	}
}

func TestAGeneratorMayAwaitForItsCoroutine(t *testing.T) {
	l := eventloop.New(eventloop.WithAutoExit())
	var got []int
	other := 0
	p := promise.Async(context.Background(), l, func(c *promise.Coroutine) (int, error) {
		next, stop := iter.Pull(func(yield func(int) bool) {
			for i := range 5 {
				p, r := promise.WithResolvers[int](l)
				testkit.Must(t, l.Submit(func() { other++; r.Resolve(i) }))
				v, err := promise.Await(c, p)
				testkit.Must(t, err)
				if !yield(v) {
					return
				}
			}
		})
		defer stop()
		for v, ok := next(); ok; v, ok = next() {
			got = append(got, v)
			_, err := promise.Await(c, promise.Resolve(l, 0))
			testkit.Must(t, err)
		}
		return len(got), nil
	})
	testkit.Must(t, l.Run(testkit.Bounded(t)))
	if v, err := p.Wait(testkit.Bounded(t)); v != 5 || err != nil || !slices.Equal(got, []int{0, 1, 2, 3, 4}) || other != 5 {
		t.Errorf("%v, %v, %v, %d callbacks", v, err, got, other)
	}
}
