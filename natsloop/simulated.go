package natsloop

import (
	"context"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/natsloop/internal/simulated"
	"github.com/eventloop-go/eventloop/promise"
	"github.com/nats-io/nats.go/jetstream"
)

func init() {
	simulated.Begin = func(loop *eventloop.Loop, handle func(jetstream.Msg) *promise.Promise[struct{}], opts []any) simulated.Consumption {
		o := defaults()
		for _, opt := range opts {
			opt.(Option)(&o)
		}
		c := newConsumption(o, nil, On(loop), handle)
		c.flight = newFlight(o.maxInFlight)
		c.stop = func(error) {}
		c.lanes[loop] = &lane{c: c, loop: loop, last: map[string]*delivery{}} // not watched: what a host had in flight is lost with it
		return simulated.Consumption{
			Limit:    o.maxInFlight,
			Deliver:  func(m jetstream.Msg) { c.deliver(context.Background(), m) },
			InFlight: c.flight.messages,
		}
	}
}
