package contracts_test

import (
	"context"
	"errors"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

func TestContextEndsWithTheLoop(t *testing.T) {
	for name, end := range map[string]func(*eventloop.Loop) error{
		"Shutdown": func(l *eventloop.Loop) error { return l.Shutdown(context.Background()) },
		"Close":    (*eventloop.Loop).Close,
	} {
		for _, early := range []bool{true, false} {
			l := eventloop.New()
			result := testkit.Launch(l)
			if early && adapter.Of(l).Context().Err() != nil {
				t.Errorf("the context of a running loop has ended")
			}
			testkit.Must(t, end(l))
			testkit.Await(t, "Run", result)
			testkit.Await(t, "the context after "+name, adapter.Of(l).Context().Done())
			if cause := context.Cause(adapter.Of(l).Context()); !errors.Is(cause, eventloop.ErrLoopTerminated) {
				t.Errorf("cause after %s: %v", name, cause)
			}
		}
	}
}

func TestValuesAreKeptWithTheLoop(t *testing.T) {
	type key struct{}
	l := eventloop.New(adapter.WithValue(key{}, 1), adapter.WithValue("other", 2), adapter.WithValue(key{}, 3))
	if got := adapter.Value(l, key{}); got != 3 {
		t.Errorf("Value: %v, want the last one given", got)
	}
	if got := adapter.Value(l, "unknown"); got != nil {
		t.Errorf("Value of an unknown key: %v", got)
	}
	if got := adapter.Value(new(eventloop.Loop), "other"); got != nil {
		t.Errorf("Value of a zero loop: %v", got)
	}
}

func TestContextEndsWithTheLoopWheneverItIsAskedFor(t *testing.T) {
	l := eventloop.New()
	early := adapter.Of(l).Context()
	if early.Err() != nil {
		t.Fatal("ended before the loop")
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	for _, ctx := range []context.Context{early, adapter.Of(l).Context()} {
		if context.Cause(ctx) != eventloop.ErrLoopTerminated {
			t.Fatalf("cause %v", context.Cause(ctx))
		}
	}
}
