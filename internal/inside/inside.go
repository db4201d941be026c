// Package inside lets packages of this module use what package eventloop does not export.
package inside

import (
	"context"

	"github.com/eventloop-go/eventloop/internal/blocking"
)

// A Loop is a loop as packages of this module see it.
type Loop interface {
	// WaitError is the error of a call that waited for the loop until ctx ended: [ContextError], and
	// eventloop.ErrLoopNotRunning if nobody has called Run.
	WaitError(ctx context.Context) error

	// These are for package adapter, which has their meaning.
	Accepting() bool
	Callback(fn func()) bool
	Hold(n int)
	Isolate(fn func())
	Slept() bool
	Value(key any) any

	// Blocking is where functions that may block run on behalf of the loop.
	Blocking() *blocking.Pool
}

// Of returns that view of an *eventloop.Loop. Package eventloop sets it.
var Of func(loop any) Loop

// WithValue returns the eventloop.Option of adapter.WithValue. Package eventloop sets it.
var WithValue func(key, value any) any
