// Package check is the correctness matrix: suites that every contestant must pass, or must give a reason for not
// passing.
//
// A suite that fails on a contestant is a fault of the contestant, unless the contestant states a limit that the
// suite meets. In that case the suite still runs, and reports its measurements as a skip.
package check

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// A Suite is one thing that must be true of every loop.
type Suite struct {
	// Name is the published name, such as "ShutdownConservation".
	Name string

	// About describes the check in one line.
	About string

	// Needs are the capabilities without which the suite does not apply.
	Needs []contestant.Capability

	// Limit is the kind of limit that excuses a contestant which states one.
	Limit Limit

	// Isolated asks for a process of its own: the suite may take the process down, or measures it.
	Isolated bool

	// Long says that the suite takes minutes and runs only when it is asked for.
	Long bool

	// Run performs the suite. It returns when all its work has ended or the trial's context has.
	Run func(t *Trial) error
}

// A Limit is a kind of inability that a contestant may state.
type Limit int

// The limits.
const (
	NoLimit    Limit = iota
	LimitLoses       // contestant.Contestant.Loses: accepted tasks may be lost in a shutdown
	LimitPanic       // contestant.Contestant.Panics: a panic ends the loop
)

// of returns the contestant's statement of the limit, or "".
func (l Limit) of(c contestant.Contestant) string {
	switch l {
	case LimitLoses:
		return c.Loses
	case LimitPanic:
		return c.Panics
	}
	return ""
}

// excuses reports whether the limit, stated, excuses an outcome.
func (l Limit) excuses(err error) bool {
	var loss *LossError
	var end *EndError
	return l == LimitLoses && errors.As(err, &loss) && loss.Ran < loss.Accepted || l == LimitPanic && errors.As(err, &end)
}

// Options say how suites are run.
type Options struct {
	// Patience is how long a suite may take before it counts as hanging. Zero is a minute, and an hour for long ones.
	Patience time.Duration

	// Exec is a program and its arguments under which processes of their own are started, such as an emulator that the
	// system does not start by itself. Empty starts them directly.
	Exec []string
}

func (o *Options) patience(s *Suite) time.Duration {
	switch {
	case o.Patience > 0:
		return o.Patience
	case s.Long:
		return time.Hour
	default:
		return time.Minute
	}
}

// Run checks every contestant with every suite, suite by suite, and passes each outcome to tell. When ctx ends it
// returns the outcomes so far.
func Run(ctx context.Context, suites []Suite, contestants []contestant.Contestant, o Options, tell func(result.Check)) []result.Check {
	var all []result.Check
	for _, s := range suites {
		for _, c := range contestants {
			outcome := s.Check(ctx, c, o)
			if ctx.Err() != nil {
				return all
			}
			if tell != nil {
				tell(outcome)
			}
			all = append(all, outcome)
		}
	}
	return all
}

// Check runs the suite on one contestant.
func (s *Suite) Check(ctx context.Context, c contestant.Contestant, o Options) result.Check {
	outcome := result.Check{Suite: s.Name, Contestant: c.Name, Race: race}
	reason, err := s.applicable(c)
	switch {
	case err != nil:
		outcome.Status, outcome.Detail = result.Fail, err.Error()
		return outcome
	case reason != "":
		outcome.Status, outcome.Detail = result.NA, reason
		return outcome
	}
	began := time.Now()
	var note string
	if s.Isolated && childrenMayRun.Load() {
		note, err = s.inChild(ctx, c, o)
	} else {
		note, err = s.perform(ctx, c, o.patience(s))
	}
	outcome.Duration = time.Since(began)
	outcome.Status, outcome.Detail = s.judge(c, note, err)
	return outcome
}

// applicable says why the suite does not apply, or nothing if it does.
func (s *Suite) applicable(c contestant.Contestant) (reason string, err error) {
	if c.Unavailable != "" {
		return "not available on this system: " + c.Unavailable, nil
	}
	if len(s.Needs) == 0 {
		return "", nil
	}
	loop, err := c.Make()
	if err != nil {
		return "", fmt.Errorf("new loop: %w", err)
	}
	defer func() { _ = contestant.Discard(loop) }()
	var lacks []string
	for _, need := range s.Needs {
		if !need.In(loop) {
			lacks = append(lacks, need.Name)
		}
	}
	if lacks != nil {
		return "needs " + strings.Join(lacks, ", "), nil
	}
	return "", nil
}

// judge turns the outcome into a status.
func (s *Suite) judge(c contestant.Contestant, note string, err error) (result.Status, string) {
	limit := s.Limit.of(c)
	switch {
	case limit != "" && err == nil:
		return result.Skip, fmt.Sprintf("known limit: %s. Measured: it did not show; %s", limit, note)
	case limit != "" && s.Limit.excuses(err):
		return result.Skip, fmt.Sprintf("known limit: %s. Measured: %v", limit, err)
	case err != nil:
		return result.Fail, err.Error()
	default:
		return result.Pass, note
	}
}
