package eventloop

import (
	"context"
	"testing"
)

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
	l := New(withValue(key{}, 7))
	if (view{l}).Value(key{}) != 7 || (view{l}).Value("other") != nil || (view{New()}).Value(key{}) != nil {
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
