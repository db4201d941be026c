package js_test

import (
	"context"
	"slices"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/js"
)

func TestMovedEnvironmentKeepsWhatIsPending(t *testing.T) {
	first := eventloop.New(eventloop.WithAutoExit())
	env := js.New(first)
	var got []string
	log := func(s string) func() { return func() { got = append(got, s) } }
	must := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	var interval *js.Timeout
	interval, err := env.NewInterval(func() {
		log("interval")()
		if n++; n == 3 {
			interval.Close()
		}
	}, 20)
	must(nil, err)
	must(env.NewTimeout(func() {
		must(env.NewTimeout(log("late"), 40))
		must(env.NewTimeout(log("soon"), 1))
		must(env.NewImmediate(log("immediate")))
		cleared, err := env.NewTimeout(log("cleared"), 2)
		must(nil, err)
		defer cleared.Close()
		_ = first.Close()
	}, 1))
	if err := first.Run(context.Background()); err == nil {
		t.Fatal("the first loop was not closed")
	}
	if len(got) > 0 || env.Active() != 4 {
		t.Errorf("%q ran before the move, %d are pending, want 4", got, env.Active())
	}
	second := eventloop.New(eventloop.WithAutoExit())
	env.Hooks().Move(second)
	if env.Loop() != second {
		t.Error("the environment is not on the second loop")
	}
	if err := second.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	order := slices.Compact(slices.Clone(got))
	slices.Sort(order)
	if want := []string{"immediate", "interval", "late", "soon"}; !slices.Equal(slices.Compact(order), want) || n != 3 {
		t.Errorf("%q ran, want %q, and the interval three times", got, want)
	}
	if i, j := slices.Index(got, "soon"), slices.Index(got, "late"); i > j {
		t.Errorf("the order changed: %q", got)
	}
	if env.Active() != 0 {
		t.Errorf("%d are still pending", env.Active())
	}
}

// A timer that is not referenced lets the second loop end, too.
func TestMovedEnvironmentKeepsWhatIsUnreferenced(t *testing.T) {
	first := eventloop.New(eventloop.WithAutoExit())
	env := js.New(first)
	timer, err := env.NewTimeout(func() { t.Error("a timer of a day ran") }, 24*3600*1000)
	if err != nil {
		t.Fatal(err)
	}
	timer.Unref()
	_ = first.Close()
	second := eventloop.New(eventloop.WithAutoExit())
	env.Hooks().Move(second)
	if err := second.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
}
