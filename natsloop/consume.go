package natsloop

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
	"github.com/nats-io/nats.go/jetstream"
)

// A Target says on which loop the messages of a key are handled: a loopgroup.Group[string] is one, and [On] makes one of a
// loop. Loop is called for each message, on one goroutine, and must give a key the same loop each time.
type Target interface {
	Loop(key string) *eventloop.Loop
}

// On is the Target that has all messages handled on one loop.
func On(loop *eventloop.Loop) Target { return single{loop} }

type single struct{ loop *eventloop.Loop }

func (s single) Loop(string) *eventloop.Loop { return s.loop }

// ErrDrainTimeout says that handlers had not finished within [WithDrainTimeout]. Their messages will be delivered again.
var ErrDrainTimeout = errors.New("natsloop: handlers have not finished in time")

// ErrAckPolicy says that the consumer does not have its messages acknowledged one by one: see [jetstream.AckExplicitPolicy].
var ErrAckPolicy = errors.New("natsloop: the consumer's acknowledgement policy is not explicit")

// Consume calls handle with the messages of a pull consumer, on the loops of target, until ctx ends.
//
// The result of handle decides about the message:
//
//   - A promise that is fulfilled, or nil, acknowledges it. Nil means that the work is done.
//   - A promise that rejects has it delivered again, at once or after [WithRedeliveryDelay] or [RetryAfter]. A handler that panics
//     or calls Goexit does the same, and so does a loop that refuses it with eventloop.ErrQueueFull. Messages of the key
//     that came behind it are handled before.
//   - A promise that rejects with [Terminate] ends its deliveries.
//
// Consume keeps order within its own call: the next message of a key begins when the one before is settled. It gives
// no such guarantee when several calls, in one process or many, share a consumer. The server then spreads the
// messages of a key over all of them. Two messages of a key may be handled at the same time and in any order.
// [ConsumePartitions] keeps order across processes. Every message is handled at least once, and may be handled twice
// in both: see [MessageID] and [Deduplicate].
//
// While a handler runs, and while a message waits for earlier ones, Consume extends it every third of the consumer's
// AckWait, also when a callback blocks the loop. [WithMaxInFlight] limits the messages in flight. As many more may
// wait in the client, which requests no others from the server. A message that waits there for longer than AckWait is
// delivered twice: let AckWait be well above the time that handlers take.
//
// When ctx ends, messages whose handler has not begun go back to the server. Consume returns nil when the handlers that have begun
// are finished. Their acknowledgements have been handed to the connection then; close it after that.
//
// Consume returns an error, after the same end, when it cannot go on. The errors are jetstream.ErrConsumerDeleted and
// similar ones if the consumer or its stream was deleted, or if the connection was closed for good. The error is
// eventloop.ErrLoopTerminated if a loop has ended, and ErrAckPolicy for a consumer without
// [jetstream.AckExplicitPolicy]. Other errors go to [WithErrorHandler], also while the server is away: Consume goes
// on when it is back.
//
// Do not call it on a loop. Do not call consumer.Info while it runs, because Consume calls it too, and the client
// does not allow two calls at once. Get another handle of the consumer from its stream instead.
func Consume[T any](ctx context.Context, consumer jetstream.Consumer, target Target, handle func(jetstream.Msg) *promise.Promise[T], opts ...Option) error {
	o := defaults()
	for _, opt := range opts {
		opt(&o)
	}
	config := consumer.CachedInfo().Config
	if config.AckPolicy != jetstream.AckExplicitPolicy {
		return ErrAckPolicy
	}
	c := newConsumption(o, consumer, target, handle)
	c.flight = newFlight(o.maxInFlight)
	return c.run(ctx, ackWait(config))
}

func newConsumption[T any](o options, consumer jetstream.Consumer, target Target, handle func(jetstream.Msg) *promise.Promise[T]) *consumption {
	c := &consumption{options: o, consumer: consumer, target: target, lanes: map[*eventloop.Loop]*lane{}}
	c.begin = func(d *delivery) (pending bool) {
		p := handle(d.msg)
		if p == nil {
			return false
		}
		if r, ok := p.Result(); ok && r.Err == nil {
			return false
		}
		if p.Loop() != d.lane.loop {
			p = promise.On(d.lane.loop, p)
		}
		r, ok := d.reactions.(*reactions[T])
		if !ok {
			r = &reactions[T]{
				func(T) (struct{}, error) { d.lane.end(d, nil); return struct{}{}, nil },
				func(err error) (struct{}, error) { d.lane.end(d, err); return struct{}{}, nil },
			}
			d.reactions = r
		}
		promise.ThenElse(p, r.fulfilled, r.rejected)
		return true
	}
	return c
}

// reactions are the functions that end a delivery. A delivery keeps them: making them for each message cost two allocations.
type reactions[T any] struct {
	fulfilled func(T) (struct{}, error)
	rejected  func(error) (struct{}, error)
}

// ackWait is after how long the server delivers a message again for the first time.
func ackWait(config jetstream.ConsumerConfig) time.Duration {
	wait := config.AckWait
	for _, d := range config.BackOff {
		wait = min(wait, d)
	}
	if wait <= 0 {
		wait = 30 * time.Second // the server's default
	}
	return wait
}

// A consumption is a call of Consume.
type consumption struct {
	options
	consumer jetstream.Consumer
	target   Target
	begin    func(*delivery) (pending bool)
	flight   *flight

	lease *lease // nil without partitions
	kept  kept   // with partitions only

	recent   *lane // the last that was asked for; of the goroutine that delivers
	mu       sync.Mutex
	lanes    map[*eventloop.Loop]*lane
	stopping atomic.Bool // no handler begins any more
	stop     context.CancelCauseFunc
	looking  atomic.Bool // see troubled
	asking   sync.Mutex  // see info
}

func (c *consumption) run(ctx context.Context, wait time.Duration) error {
	stopped, stop := context.WithCancelCause(context.WithoutCancel(ctx)) // its cause is errStopping at the end of ctx
	defer stop(nil)
	defer context.AfterFunc(ctx, func() { stop(errStopping) })()
	c.stop = stop
	pull := append([]jetstream.PullConsumeOpt{jetstream.PullMaxMessages(c.maxInFlight)}, c.pull...)
	pull = append(pull, jetstream.ConsumeErrHandler(func(_ jetstream.ConsumeContext, err error) { c.troubled(stopped, err) }))
	consuming, err := c.consumer.Consume(func(m jetstream.Msg) { c.deliver(stopped, m) }, pull...)
	if err != nil {
		return err
	}
	closed := consuming.Closed()
	var extending sync.WaitGroup
	extending.Add(1)
	ended := make(chan struct{})
	go func() {
		defer extending.Done()
		c.extend(wait/3, ended)
	}()

	select {
	case <-stopped.Done():
	case <-closed: // it has told why
		<-stopped.Done()
	}
	c.stopping.Store(true)
	consuming.Drain() // messages in its buffer are delivered, and returned
	timeout := time.NewTimer(closing)
	select {
	case <-closed:
	case <-timeout.C: // the server is away; what comes late is returned
	}
	timeout.Stop()
	err = c.drain()
	close(ended)
	extending.Wait()
	c.forgetLanes()
	if cause := context.Cause(stopped); cause != errStopping {
		err = errors.Join(cause, err)
	}
	return err
}

// closing is how long the end waits for a client that cannot reach its server.
const closing = 2 * time.Second

// drain waits for the handlers that have begun, within the drain timeout, and returns the other messages to the
// server.
func (c *consumption) drain() error {
	var late <-chan time.Time
	if c.drainTimeout > 0 {
		timer := time.NewTimer(c.drainTimeout)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-c.flight.landed():
		return nil
	case <-late:
	}
	left := c.flight.all()
	for _, d := range left {
		c.giveBack(d)
	}
	return fmt.Errorf("%w: %d", ErrDrainTimeout, len(left))
}

// deliver is called with one message after the other. While it waits, the client requests no more messages.
func (c *consumption) deliver(stopped context.Context, m jetstream.Msg) {
	if c.stopping.Load() {
		c.acknowledge(m, errStopping)
		return
	}
	key := c.key(m)
	l := c.lane(c.target.Loop(key))
	d := c.flight.add(stopped.Done(), m, key, l)
	if d == nil {
		c.acknowledge(m, errStopping)
		return
	}
	c.dispatch(d)
}

// dispatch sends a delivery to its loop.
func (c *consumption) dispatch(d *delivery) {
	if err := d.lane.loop.Submit(d.onArrive); err != nil {
		c.settle(d, err)
		if errors.Is(err, eventloop.ErrLoopTerminated) {
			c.stop(err)
		}
	}
}

// extend reports to the server, every interval, that the messages in flight are in progress.
func (c *consumption) extend(interval time.Duration, ended <-chan struct{}) {
	ticker := time.NewTicker(max(interval, time.Millisecond))
	defer ticker.Stop()
	for {
		select {
		case <-ended:
			return
		case <-ticker.C:
		}
		for _, m := range c.flight.messages() {
			if err := m.InProgress(); err != nil && !errors.Is(err, jetstream.ErrMsgAlreadyAckd) {
				c.report(m, fmt.Errorf("natsloop: not extended: %w", err))
				break // the connection is closed: the others would say the same
			}
		}
	}
}

// info asks the server about the consumer. The client keeps the answer in consumer, without a lock of its own.
func (c *consumption) info(ctx context.Context) (*jetstream.ConsumerInfo, error) {
	c.asking.Lock()
	defer c.asking.Unlock()
	return c.consumer.Info(ctx)
}

// troubled is the client's error handler. The client holds a lock of its own during the call.
func (c *consumption) troubled(stopped context.Context, err error) {
	c.report(nil, err)
	switch {
	case errors.Is(err, jetstream.ErrConsumerDeleted), errors.Is(err, jetstream.ErrBadRequest), errors.Is(err, jetstream.ErrConnectionClosed):
		c.stop(err) // the client stops, too
		return
	case !c.looking.CompareAndSwap(false, true):
		return
	}
	// If the consumer was deleted while the connection was down, only the server knows it.
	go func() {
		defer c.looking.Store(false)
		ctx, cancel := context.WithTimeout(stopped, 5*time.Second)
		defer cancel()
		_, err := c.info(ctx)
		if errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
			c.stop(err)
		}
	}()
}
