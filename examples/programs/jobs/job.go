// Package jobs says what a job is, for both schedulers.
package jobs

import (
	"context"
	"errors"
	"time"
)

// A Job is run every so often. It never runs twice at the same time: what falls due meanwhile is left out.
type Job struct {
	Name     string
	Every    time.Duration
	Limit    time.Duration // for one attempt
	Attempts int           // how often a job that fails is tried, with a growing delay, which is a second at first
	Run      func(context.Context) error
}

// Status tells how a job has fared.
type Status struct {
	Runs, Failures int // of all attempts together
	Running        bool
	Err            error // of the last run
}

// ErrTaken says that there is a job of this name.
var ErrTaken = errors.New("jobs: the name is taken")
