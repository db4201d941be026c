package eventloop

import (
	"context"
	"errors"
	"testing"
)

func TestContextEndsWithTheLoop(t *testing.T) {
	for name, end := range map[string]func(*Loop) error{
		"Shutdown": func(l *Loop) error { return l.Shutdown(context.Background()) },
		"Close":    (*Loop).Close,
	} {
		for _, early := range []bool{true, false} {
			l := New()
			result := launch(l)
			if early && l.Context().Err() != nil {
				t.Errorf("the context of a running loop has ended")
			}
			must(t, end(l))
			await(t, "Run", result)
			await(t, "the context after "+name, l.Context().Done())
			if cause := context.Cause(l.Context()); !errors.Is(cause, ErrLoopTerminated) {
				t.Errorf("cause after %s: %v", name, cause)
			}
		}
	}
}

func TestValuesAreKeptWithTheLoop(t *testing.T) {
	type key struct{}
	l := New(withValue(key{}, 1), withValue("other", 2), withValue(key{}, 3))
	if got := (view{l}).Value(key{}); got != 3 {
		t.Errorf("Value: %v, want the last one given", got)
	}
	if got := (view{l}).Value("unknown"); got != nil {
		t.Errorf("Value of an unknown key: %v", got)
	}
	if got := (view{new(Loop)}).Value("other"); got != nil {
		t.Errorf("Value of a zero loop: %v", got)
	}
}
