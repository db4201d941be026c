package natsloop_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/leakcheck"
	"github.com/eventloop-go/eventloop/internal/testkit"
	"github.com/eventloop-go/eventloop/loopgroup"
	"github.com/eventloop-go/eventloop/natsloop"
	"github.com/eventloop-go/eventloop/promise"
	"github.com/nats-io/nats.go/jetstream"
)

func TestMain(m *testing.M) { leakcheck.Main(m) }

type outcome = *promise.Promise[struct{}]

// A running consumption of a loop, or a group.
type running struct {
	*consumer
	loop   *eventloop.Loop
	cancel context.CancelFunc
	result chan error
}

// consume begins to consume on a loop of its own.
func consume(t *testing.T, handle func(*eventloop.Loop, jetstream.Msg) outcome, opts ...natsloop.Option) *running {
	t.Helper()
	loop := eventloop.New(eventloop.WithPanicHandler(func(*eventloop.PanicError) {}))
	go func() { _ = loop.Run(context.Background()) }()
	t.Cleanup(func() { _ = loop.Close(); <-loop.Done() })
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	r := &running{newConsumer(), loop, cancel, make(chan error, 1)}
	go func() {
		r.result <- natsloop.Consume(ctx, r.consumer, natsloop.On(loop), func(m jetstream.Msg) outcome { return handle(loop, m) }, opts...)
	}()
	return r
}

func (r *running) end(t *testing.T) {
	t.Helper()
	r.cancel()
	if err := testkit.Await(t, "result", r.result); err != nil {
		t.Errorf("Consume: %v", err)
	}
}

func TestWhatBecomesOfAMessageIsToldToTheServer(t *testing.T) {
	failed := errors.New("failed")
	r := consume(t, func(loop *eventloop.Loop, m jetstream.Msg) outcome {
		later := promise.Sleep(context.Background(), loop, time.Millisecond)
		fail := func(err error) outcome {
			return promise.Then(later, func(struct{}) (struct{}, error) { return struct{}{}, err })
		}
		switch string(m.Data()) {
		case "nothing":
			return nil
		case "settled":
			return promise.Resolve(loop, struct{}{})
		case "later":
			return later
		case "rejected":
			return promise.Reject[struct{}](loop, failed)
		case "delayed":
			return fail(natsloop.RetryAfter(failed, time.Hour))
		case "final":
			return fail(natsloop.Terminate(failed))
		case "panic":
			panic(failed)
		case "exit":
			runtime.Goexit()
		}
		return nil
	}, quiet)
	r.send("subject", "nothing", "settled", "later", "rejected", "delayed", "final", "panic", "exit")
	r.expect(t, "ack nothing", "ack settled", "ack later", "nak rejected", "nak after 1h0m0s delayed", "term because of failed final", "nak panic", "nak exit")
	r.end(t)
}

func TestErrorsAreReportedAndRedeliveryIsDelayed(t *testing.T) {
	failed := errors.New("failed")
	reported := make(chan error, 1)
	r := consume(t, func(loop *eventloop.Loop, m jetstream.Msg) outcome { return promise.Reject[struct{}](loop, failed) },
		natsloop.WithRedeliveryDelay(time.Minute), natsloop.WithErrorHandler(func(m jetstream.Msg, err error) {
			if string(m.Data()) == "a" {
				reported <- err
			}
		}))
	r.send("subject", "a")
	r.expect(t, "nak after 1m0s a")
	if err := testkit.Await(t, "reported", reported); !errors.Is(err, failed) {
		t.Error(err)
	}
	r.end(t)
}

func TestMessagesOfAKeyAreHandledOneAfterTheOther(t *testing.T) {
	const keys, each = 50, 40
	g := loopgroup.New[string](3)
	groupEnded := make(chan error, 1)
	go func() { groupEnded <- g.Run(context.Background()) }()
	c := newConsumer()
	ctx, cancel := context.WithCancel(context.Background())
	type state struct {
		running bool
		next    int
	}
	states := map[string]*state{}
	name := func(key int) string { return strings.Repeat("k", key+1) }
	for key := range keys {
		states[name(key)] = &state{}
	}
	var handled, wrong atomic.Int64
	result := make(chan error, 1)
	go func() {
		result <- natsloop.Consume(ctx, c, g, func(m jetstream.Msg) outcome {
			s := states[m.Subject()] // used by the loop of its key only
			n := len(m.Data())
			if s.running || s.next != n {
				wrong.Add(1)
			}
			s.next++
			if n%3 == 0 {
				handled.Add(1)
				return nil
			}
			s.running = true
			loop := g.Loop(m.Subject())
			return promise.Then(promise.Sleep(context.Background(), loop, time.Duration(n%5)*100*time.Microsecond),
				func(struct{}) (struct{}, error) { s.running = false; handled.Add(1); return struct{}{}, nil })
		}, natsloop.WithMaxInFlight(200))
	}()
	for n := range each {
		for key := range keys {
			c.send(name(key), strings.Repeat("x", n))
		}
	}
	cancel() // what has not begun is returned
	if err := testkit.Await(t, "result", result); err != nil {
		t.Error(err)
	}
	_ = g.Shutdown(context.Background())
	if err := testkit.Await(t, "groupEnded", groupEnded); err != nil || wrong.Load() > 0 {
		t.Errorf("%v; %d out of order", err, wrong.Load())
	}
	acks := 0
	for _, line := range c.log {
		if strings.HasPrefix(line, "ack") {
			acks++
		}
	}
	if int64(acks) != handled.Load() || len(c.log) != keys*each {
		t.Errorf("%d handled, %d acknowledged, %d told of", handled.Load(), acks, len(c.log))
	}
}

func TestARejectionLetsTheNextOfItsKeyBegin(t *testing.T) {
	r := consume(t, func(loop *eventloop.Loop, m jetstream.Msg) outcome {
		return promise.Then(promise.Sleep(context.Background(), loop, time.Millisecond), func(struct{}) (struct{}, error) {
			if string(m.Data()) == "b" {
				return struct{}{}, errors.New("failed")
			}
			return struct{}{}, nil
		})
	}, quiet)
	r.send("key", "a", "b", "c")
	r.expect(t, "ack a", "nak b", "ack c")
	r.end(t)
}

func TestKeysAreThoseOfTheFunction(t *testing.T) {
	goOn := make(chan struct{})
	r := consume(t, func(loop *eventloop.Loop, m jetstream.Msg) outcome {
		if string(m.Data()) != "1 first" {
			return nil
		}
		return promise.Promisify(context.Background(), loop, func(context.Context) (struct{}, error) { <-goOn; return struct{}{}, nil })
	}, natsloop.WithKey(func(m jetstream.Msg) string { return string(m.Data()[:1]) }))
	r.send("subject", "1 first", "1 second", "2 other")
	r.expect(t, "ack 2 other")
	close(goOn)
	r.expect(t, "ack 2 other", "ack 1 first", "ack 1 second")
	r.end(t)
}

func TestWhatRunsOrWaitsIsExtendedEveryThirdOfAckWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := consume(t, func(loop *eventloop.Loop, m jetstream.Msg) outcome {
			if string(m.Data()) == "blocks" {
				time.Sleep(15 * time.Second) // on the loop
				return nil
			}
			return promise.Sleep(context.Background(), loop, 22*time.Second)
		})
		r.send("a", "blocks")
		r.expect(t, "in progress blocks", "ack blocks") // at 10 s and 15 s
		r.send("a", "slow", "waits")
		r.expect(t, "in progress blocks", "ack blocks",
			"in progress slow", "in progress waits", // at 20 s
			"in progress slow", "in progress waits", // 30 s
			"ack slow",          // 37 s
			"in progress waits") // 40 s
		r.cancel()
		<-r.result
	})
}

func TestTheClientWaitsWhenAsManyAreInFlightAsMayBe(t *testing.T) {
	goOn := make(chan struct{})
	var begun atomic.Int64
	r := consume(t, func(loop *eventloop.Loop, m jetstream.Msg) outcome {
		begun.Add(1)
		return promise.Promisify(context.Background(), loop, func(context.Context) (struct{}, error) { <-goOn; return struct{}{}, nil })
	}, natsloop.WithMaxInFlight(3))
	sent := make(chan struct{})
	var delivered atomic.Int64
	go func() {
		defer close(sent)
		for _, key := range []string{"a", "b", "c", "d", "e", "f", "g"} {
			r.send(key, key)
			delivered.Add(1)
		}
	}()
	synced := func() int64 { _ = r.loop.Do(context.Background(), func() {}); return begun.Load() }
	for synced() < 3 {
		runtime.Gosched()
	}
	if n := delivered.Load(); n > 3 {
		t.Errorf("%d were taken", n)
	}
	close(goOn)
	testkit.Await(t, "sent", sent)
	for synced() < 7 {
		runtime.Gosched()
	}
	r.end(t)
	if len(r.log) != 7 {
		t.Error(r.log)
	}
}

func TestAtTheEndHandlersFinishAndTheRestIsReturned(t *testing.T) {
	goOn := make(chan struct{})
	begun := make(chan struct{})
	r := consume(t, func(loop *eventloop.Loop, m jetstream.Msg) outcome {
		close(begun)
		return promise.Promisify(context.Background(), loop, func(context.Context) (struct{}, error) { <-goOn; return struct{}{}, nil })
	})
	r.send("key", "runs", "waits")
	testkit.Await(t, "begun", begun)
	r.cancel()
	testkit.Await(t, "ended", r.ended) // the client was stopped
	close(goOn)
	if err := testkit.Await(t, "result", r.result); err != nil {
		t.Error(err)
	}
	r.send("key", "late")
	r.expect(t, "ack runs", "nak waits", "nak late")
}

func TestHandlersThatDoNotFinishInTimeAreGivenUp(t *testing.T) {
	begun := make(chan struct{})
	p := make(chan promise.Resolver[struct{}], 1)
	r := consume(t, func(loop *eventloop.Loop, m jetstream.Msg) outcome {
		defer close(begun)
		never, resolver := promise.WithResolvers[struct{}](loop)
		p <- resolver
		return never
	}, natsloop.WithDrainTimeout(time.Millisecond))
	r.send("key", "endless")
	testkit.Await(t, "begun", begun)
	r.cancel()
	if err := testkit.Await(t, "result", r.result); !errors.Is(err, natsloop.ErrDrainTimeout) {
		t.Error(err)
	}
	(<-p).Resolve(struct{}{}) // too late
	_ = r.loop.Do(context.Background(), func() {})
	r.expect(t, "nak endless")
}

func TestTheEndOfTheLoopEndsConsumingAndLosesNothing(t *testing.T) {
	for name, end := range map[string]func(*eventloop.Loop){
		"Shutdown": func(l *eventloop.Loop) { _ = l.Shutdown(context.Background()) },
		"Close":    func(l *eventloop.Loop) { _ = l.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			begun := make(chan struct{})
			r := consume(t, func(loop *eventloop.Loop, m jetstream.Msg) outcome {
				close(begun)
				never, _ := promise.WithResolvers[struct{}](loop)
				return never
			})
			r.send("key", "runs", "waits")
			testkit.Await(t, "begun", begun)
			end(r.loop)
			if err := testkit.Await(t, "result", r.result); !errors.Is(err, eventloop.ErrLoopTerminated) {
				t.Error(err)
			}
			r.expect(t, "nak runs", "nak waits")
			r.send("key", "late")
			r.expect(t, "nak runs", "nak waits", "nak late")
		})
	}
}

func TestALoopWhoseQueueIsFullHasTheMessageDeliveredAgain(t *testing.T) {
	loop := eventloop.New(eventloop.WithQueueLimit(1)) // nobody runs it yet
	c := newConsumer()
	ctx, cancel := context.WithCancel(context.Background())
	result := make(chan error, 1)
	reported := make(chan error, 1)
	go func() {
		result <- natsloop.Consume(ctx, c, natsloop.On(loop), func(jetstream.Msg) outcome { return nil },
			natsloop.WithErrorHandler(func(_ jetstream.Msg, err error) { reported <- err }))
	}()
	c.send("key", "a", "b")
	c.expect(t, "nak b")
	if err := testkit.Await(t, "reported", reported); !errors.Is(err, eventloop.ErrQueueFull) {
		t.Error(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- loop.Run(context.Background()) }()
	c.expect(t, "nak b", "ack a")
	cancel()
	if err := testkit.Await(t, "result", result); err != nil {
		t.Error(err)
	}
	_ = loop.Shutdown(context.Background())
	if err := testkit.Await(t, "ended", ended); err != nil {
		t.Error(err)
	}
}

func TestAPromiseOfAnotherLoopIsAwaited(t *testing.T) {
	other := eventloop.New()
	go func() { _ = other.Run(context.Background()) }()
	defer func() { _ = other.Shutdown(context.Background()) }()
	r := consume(t, func(_ *eventloop.Loop, m jetstream.Msg) outcome {
		return promise.Sleep(context.Background(), other, time.Millisecond)
	})
	r.send("key", "a", "b")
	r.expect(t, "ack a", "ack b")
	r.end(t)
}

func TestAConsumerThatIsNotAcknowledgedOneByOneIsRefused(t *testing.T) {
	c := newConsumer()
	c.config.AckPolicy = jetstream.AckAllPolicy
	err := natsloop.Consume(context.Background(), c, natsloop.On(eventloop.New()), func(jetstream.Msg) outcome { return nil })
	if !errors.Is(err, natsloop.ErrAckPolicy) {
		t.Error(err)
	}
}
