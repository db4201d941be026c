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

// Consume has handle called, on the loops of target, with the messages of a pull consumer, until ctx ends.
//
// What handle returns decides what becomes of the message:
//
//   - a promise that is fulfilled: it is acknowledged. So it is if handle returns nil: the work is done.
//   - a promise that rejects, and a handler that panics or calls Goexit: it is delivered again, at once or after
//     [WithRedeliveryDelay] or [RetryAfter]. Messages of the key that came behind it are handled before. A
//     message that its loop refuses with eventloop.ErrQueueFull is delivered again, too.
//   - a promise that rejects with [Terminate]: it is not delivered again.
//
// While a handler runs, and while a message waits for those before it, the server is told every third of the consumer's AckWait
// that it is in progress, also when a callback blocks the loop. As many messages as [WithMaxInFlight] says are in flight; as
// many more may wait in the client, which asks the server for no others. A message that waits there for longer than AckWait
// is delivered twice: let AckWait be well above the time that handlers take.
//
// When ctx ends, messages whose handler has not begun are returned to the server, and Consume returns nil when the handlers
// that have begun are finished. Their acknowledgements have been handed to the connection then, which is to be closed after
// that.
//
// It returns an error, after the same end, when there is no way to go on: jetstream.ErrConsumerDeleted and others of that
// package's if the consumer or its stream was deleted, or the connection was closed for good; eventloop.ErrLoopTerminated if
// a loop has ended; ErrAckPolicy. Other errors go to [WithErrorHandler], also while the server is away: Consume goes on
// when it is back.
//
// It must not be called on a loop.
func Consume[T any](ctx context.Context, consumer jetstream.Consumer, target Target, handle func(jetstream.Msg) *promise.Promise[T], opts ...Option) error {
	o := defaults()
	for _, opt := range opts {
		opt(&o)
	}
	config := consumer.CachedInfo().Config
	if config.AckPolicy != jetstream.AckExplicitPolicy {
		return ErrAckPolicy
	}
	c := &consumption{options: o, consumer: consumer, target: target, lanes: map[*eventloop.Loop]*lane{}, flight: newFlight(o.maxInFlight)}
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
		promise.ThenElse(p,
			func(T) (struct{}, error) { d.lane.end(d, nil); return struct{}{}, nil },
			func(err error) (struct{}, error) { d.lane.end(d, err); return struct{}{}, nil })
		return true
	}
	return c.run(ctx, ackWait(config))
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

	recent   *lane // the last that was asked for; of the goroutine that delivers
	mu       sync.Mutex
	lanes    map[*eventloop.Loop]*lane
	stopping atomic.Bool // no handler begins any more
	stop     context.CancelCauseFunc
	looking  atomic.Bool // see troubled
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
	consuming.Drain() // what is in its buffer is delivered, and returned
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

// drain waits for the handlers that have begun, for as long as they may take, and returns what is left to the server.
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

// deliver is called with one message after the other. To wait in it is what keeps the client from asking for more.
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
	if err := l.loop.Submit(d.onArrive); err != nil {
		c.settle(d, err)
		if errors.Is(err, eventloop.ErrLoopTerminated) {
			c.stop(err)
		}
	}
}

// extend tells the server, every interval, that what is in flight is in progress.
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

// troubled is told by the client of what went wrong, with a lock of its own held.
func (c *consumption) troubled(stopped context.Context, err error) {
	c.report(nil, err)
	switch {
	case errors.Is(err, jetstream.ErrConsumerDeleted), errors.Is(err, jetstream.ErrBadRequest), errors.Is(err, jetstream.ErrConnectionClosed):
		c.stop(err) // the client stops, too
		return
	case !c.looking.CompareAndSwap(false, true):
		return
	}
	// Whether the consumer was deleted while the connection was down only the server can tell.
	go func() {
		defer c.looking.Store(false)
		ctx, cancel := context.WithTimeout(stopped, 5*time.Second)
		defer cancel()
		_, err := c.consumer.Info(ctx)
		if errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
			c.stop(err)
		}
	}()
}
