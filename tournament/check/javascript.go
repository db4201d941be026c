package check

import (
	"context"
	"embed"
	"fmt"

	"github.com/eventloop-go/eventloop/tournament/check/internal/script"
)

// The scripts check themselves as they go, throw on a fault, and end with a text that is compared.
//
//go:embed scripts/*.js
var scripts embed.FS

// The suites that run JavaScript on goja on the loop under test.
var (
	GojaImmediateBurst = scriptSuite("GojaImmediateBurst", "immediate_burst.js",
		"1,000 immediates at once, some cleared, and a chain of 100: each runs once, in order", "900 of 1000, chain of 100")
	GojaMixedWorkload = scriptSuite("GojaMixedWorkload", "mixed_workload.js",
		"100 async functions go through timers, immediates, promises and microtasks: all steps, in JavaScript's order", "100 jobs, 800 steps")
	GojaNestedTimeouts = scriptSuite("GojaNestedTimeouts", "nested_timeouts.js",
		"a timeout that sets a timeout, 50 deep: none fires early", "50 deep")
	GojaPromiseChain = scriptSuite("GojaPromiseChain", "promise_chain.js",
		"a chain of 100 promises, which crosses the loop at every tenth: the value arrives", "100 links, 10 crossings")
	GojaTimerStress = scriptSuite("GojaTimerStress", "timer_stress.js",
		"1,000 timeouts and an interval, every tenth cleared: the others fire once, none early", "900 fired, 100 cleared, 5 ticks")
)

func scriptSuite(name, file, about, want string) Suite {
	return Suite{
		Name:  name,
		About: about,
		Run: func(t *Trial) error {
			source, err := scripts.ReadFile("scripts/" + file)
			if err != nil {
				return err
			}
			r, err := t.Start()
			if err != nil {
				return err
			}
			engine := script.New(r.Loop)
			outcome, err := engine.Start(file, string(source))
			if err != nil {
				return err
			}
			var got script.Outcome
			select {
			case got = <-outcome:
			case <-r.ended:
				return &EndError{fmt.Sprint(r.err)}
			case <-t.Context.Done():
				return fmt.Errorf("waiting for the script to end: %w", context.Cause(t.Context))
			}
			if got.Err != nil {
				return got.Err
			}
			if got.Text != want {
				return fmt.Errorf("%w: %q, want %q", script.ErrOutcome, got.Text, want)
			}
			t.Note("%s; %s", got.Text, engine.About())
			return r.End()
		},
	}
}
