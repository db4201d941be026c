// Package product enters package eventloop, the product itself, as Main.
package product

import (
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
	"github.com/eventloop-go/eventloop/tournament/contestant"
)

// Contestant is Main.
var Contestant = contestant.Contestant{
	Name:  "Main",
	About: "package eventloop: a short spinning lock around an append, whole batches swapped out, one channel to sleep on; the queue is unbounded",
	New:   func() (contestant.Loop, error) { return loop{eventloop.New()}, nil },
}

// Variants differ from Main in one thing only.
var Variants = []contestant.Contestant{{
	Name:      "Main-BusyPolling",
	VariantOf: "Main",
	Family:    "Main",
	About:     "Main that looks for work for up to a millisecond before it sleeps: no wake-ups under load, at the price of processor time",
	OpenLoop:  true,
	New: func() (contestant.Loop, error) {
		return loop{eventloop.New(eventloop.WithBusyPolling(time.Millisecond))}, nil
	},
}}

// A loop is the product's own type, with its own Run, Submit and Shutdown. Being one pointer, it is the same word in
// an interface, and a call costs as much as a call of the product.
type loop struct{ *eventloop.Loop }

// AfterFunc schedules a timer.
func (l loop) AfterFunc(delay time.Duration, task func()) (cancel func(), err error) {
	timer, err := l.ScheduleTimer(delay, task)
	if err != nil {
		return nil, err
	}
	return func() { timer.Stop() }, nil
}

// Chain makes a promise with handlers.
func (l loop) Chain(handlers int, done func()) (settle func(), err error) {
	p, r := promise.WithResolvers[int](l.Loop)
	last := p
	for range handlers - 1 {
		last = promise.Then(last, func(v int) (int, error) { return v, nil })
	}
	promise.Then(last, func(v int) (int, error) { done(); return v, nil })
	return func() { r.Resolve(1) }, nil
}
