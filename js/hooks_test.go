package js_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/js"
)

// ahead runs a main callback on an environment whose host runs callbacks one by one, and returns the log.
func ahead(t *testing.T, main func(env *js.Env, log func(string) func())) []string {
	t.Helper()
	var said []string
	log := func(s string) func() { return func() { said = append(said, s) } }
	loop := eventloop.New(eventloop.WithAutoExit())
	env := js.New(loop, js.WithHost(func(next func() bool) {
		for next() {
		}
	}))
	if err := loop.ScheduleImmediate(func() { main(env, log) }); err != nil {
		t.Fatal(err)
	}
	if err := loop.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return said
}

func set(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// due keeps the loop busy until timers of 1 ms are due.
func due() {
	for end := time.Now().Add(3 * time.Millisecond); time.Now().Before(end); {
	}
}

func TestRunTimerRunsOneAndLeavesTheOthersForTheNextPhase(t *testing.T) {
	got := ahead(t, func(env *js.Env, log func(string) func()) {
		if env.Hooks().RunTimer() {
			t.Error("there was a timer to run before one was set")
		}
		for _, name := range []string{"first", "second", "third"} {
			_, err := env.SetTimeout(log(name), 1)
			set(t, err)
		}
		_, err := env.SetImmediate(log("immediate"))
		set(t, err)
		due()
		if !env.Hooks().RunTimer() {
			t.Error("no timer has run")
		}
		log("main")()
	})
	if want := []string{"first", "main", "second", "third", "immediate"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRunTimerEndsWhereThePhaseWould(t *testing.T) {
	got := ahead(t, func(env *js.Env, log func(string) func()) {
		_, err := env.SetTimeout(func() {
			log("first")()
			_, err := env.SetTimeout(log("its own"), 1)
			set(t, err)
			due()
		}, 1)
		set(t, err)
		due()
		if !env.Hooks().RunTimer() || env.Hooks().RunTimer() {
			t.Error("the first did not run, or the one that it set ran in the same phase")
		}
		env.Hooks().CheckFirst()
		if env.Hooks().RunImmediate() || !env.Hooks().RunTimer() {
			t.Error("the next phase did not run what was due")
		}
	})
	if want := []string{"first", "its own"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTimerThatIsClearedAfterRunTimerDoesNotRun(t *testing.T) {
	got := ahead(t, func(env *js.Env, log func(string) func()) {
		_, err := env.SetTimeout(log("first"), 1)
		set(t, err)
		second, err := env.SetTimeout(log("second"), 1)
		set(t, err)
		due()
		env.Hooks().RunTimer()
		env.ClearTimeout(second)
		_, err = env.SetTimeout(log("third"), 1)
		set(t, err)
	})
	if want := []string{"first", "third"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRunImmediateLeavesItsBatchForTheNextCheckPhase(t *testing.T) {
	got := ahead(t, func(env *js.Env, log func(string) func()) {
		if env.Hooks().RunImmediate() || env.Hooks().RunNextImmediate() {
			t.Error("there was an immediate to run before one was set")
		}
		_, err := env.SetImmediate(func() {
			log("first")()
			_, err := env.SetImmediate(log("added"))
			set(t, err)
		})
		set(t, err)
		for _, name := range []string{"second", "third"} {
			_, err := env.SetImmediate(log(name))
			set(t, err)
		}
		_, err = env.SetTimeout(log("timer"), 1)
		set(t, err)
		if !env.Hooks().RunImmediate() || !env.Hooks().RunNextImmediate() {
			t.Error("an immediate did not run")
		}
		due()
		env.Hooks().CheckFirst()
		log("main")()
	})
	if want := []string{"first", "second", "main", "third", "timer", "added"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
