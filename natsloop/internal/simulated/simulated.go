// Package simulated lets package natssim handle messages as package natsloop does, without its goroutines.
package simulated

import (
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
	"github.com/nats-io/nats.go/jetstream"
)

// A Consumption handles messages on a loop, as natsloop.Consume does. Its functions are called on that loop.
type Consumption struct {
	Limit    int                    // of messages in flight
	Deliver  func(jetstream.Msg)    // takes a message; there must be room
	InFlight func() []jetstream.Msg // the messages that are not settled
}

// Begin makes a Consumption; the options are natsloop.Options. Package natsloop sets it.
var Begin func(loop *eventloop.Loop, handle func(jetstream.Msg) *promise.Promise[struct{}], opts []any) Consumption
