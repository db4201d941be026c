package eventloop

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

type jobFn func()

func (f jobFn) Run() { f() }

func TestEnqueueFromQueuesAheadOfWhoeverSeesItsChange(t *testing.T) {
	const rounds = 2000
	l := New()
	var wrong, ran int
	ended := make(chan error, 1)
	go func() { ended <- l.Run(context.Background()) }()
	for range rounds {
		var flag atomic.Bool
		first := false
		done := make(chan struct{})
		go func() {
			for !flag.Load() {
			}
			_ = l.EnqueueJob(jobFn(func() {
				if !first {
					wrong++
				}
				ran++
				close(done)
			}))
		}()
		_ = l.EnqueueFrom(func() Job {
			flag.Store(true)
			return jobFn(func() { first = true })
		})
		<-done
	}
	if err := l.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	<-ended
	if wrong != 0 || ran != rounds {
		t.Fatalf("%d of %d jobs ran ahead, %d ran", wrong, rounds, ran)
	}
	called := false
	if err := l.EnqueueFrom(func() Job { called = true; return nil }); !errors.Is(err, ErrLoopTerminated) || called {
		t.Fatalf("after the end: error %v, called %v", err, called)
	}
}

func TestContextEndsWithTheLoopWheneverItIsAskedFor(t *testing.T) {
	l := New()
	early := l.Context()
	if early.Err() != nil {
		t.Fatal("ended before the loop")
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	for _, ctx := range []context.Context{early, l.Context()} {
		if context.Cause(ctx) != ErrLoopTerminated {
			t.Fatalf("cause %v", context.Cause(ctx))
		}
	}
}

func TestValuesAreFoundByKey(t *testing.T) {
	type key struct{}
	l := New(WithValue(key{}, 7))
	if l.Value(key{}) != 7 || l.Value("other") != nil || New().Value(key{}) != nil {
		t.Fatal("wrong value")
	}
}

func TestAJobLearnsThatTheLoopIsBeingClosed(t *testing.T) {
	l := New()
	var before, after bool
	_ = l.Submit(func() {
		before = l.Owner().Closing()
		_ = l.Close()
		after = l.Owner().Closing()
	})
	_ = l.Run(context.Background())
	if before || !after {
		t.Fatalf("before %v, after %v", before, after)
	}
}
