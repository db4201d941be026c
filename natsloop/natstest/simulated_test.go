package natstest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/loopsim"
	"github.com/eventloop-go/eventloop/natsloop"
	"github.com/eventloop-go/eventloop/natsloop/natssim"
	"github.com/eventloop-go/eventloop/promise"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// The tests of this file hold what package natssim promises against the simulation and against a server: onBoth runs them. A backend
// has stored messages with these subjects, and calls handle with its deliveries. It returns when settled messages are all the server has.
type backend func(t *testing.T, ackWait time.Duration, subjects []string, handle handler)

// A handler runs on a loop, and is given its clock.
type handler func(loop *eventloop.Loop, now time.Duration, m jetstream.Msg) *promise.Promise[struct{}]

func onBoth(t *testing.T, test func(*testing.T, backend)) {
	t.Run("server", func(t *testing.T) { test(t, onServer) })
	t.Run("simulation", func(t *testing.T) { test(t, simulated) })
}

func onServer(t *testing.T, ackWait time.Duration, subjects []string, handle handler) {
	stream := newStream(t, connect(t, serve(t, t.TempDir(), -1).ClientURL()), jetstream.MemoryStorage, ackWait)
	for _, subject := range subjects {
		if _, err := stream.js.Publish(t.Context(), "work."+subject, nil); err != nil {
			t.Fatal(err)
		}
	}
	loop, began := run(t), time.Now()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	result := make(chan error, 1)
	go func() {
		result <- natsloop.Consume(ctx, stream.consumer, natsloop.On(loop), func(m jetstream.Msg) *promise.Promise[struct{}] {
			return handle(loop, time.Since(began), m)
		}, quiet)
	}()
	stream.idle(t)
	cancel()
	if err := <-result; err != nil {
		t.Error(err)
	}
}

func simulated(t *testing.T, ackWait time.Duration, subjects []string, handle handler) {
	loopsim.Run(t, loopsim.Config{Seeds: 1, Twice: -1, First: uint64(len(t.Name()))}, func(w *loopsim.World) {
		server := natssim.NewServer(w, "nats", jetstream.ConsumerConfig{AckWait: ackWait})
		w.Host("shop", func(h *loopsim.Host) {
			c := natssim.Connect(h, server)
			for _, subject := range subjects {
				c.Publish(nats.NewMsg("work." + subject))
			}
		})
		w.Host("worker", func(h *loopsim.Host) {
			_, _ = h.Loop().ScheduleTimer(time.Second, func() { // all is stored
				natssim.Consume(natssim.Connect(h, server), func(m jetstream.Msg) *promise.Promise[struct{}] {
					return handle(h.Loop(), h.Uptime(), m)
				}, quiet)
			})
		})
		w.Finally("all is settled", func() error {
			if n := server.Unsettled(); n > 0 || server.Len() != len(subjects) {
				return fmt.Errorf("%d of %d messages are not settled", n, server.Len())
			}
			return nil
		})
	})
}

const retryAfter = 50 * time.Millisecond

// outcome is what becomes of a delivery of a message, and how often it is delivered in all.
func outcome(loop *eventloop.Loop, seq, times uint64) (p *promise.Promise[struct{}], all uint64) {
	later := func(err error) *promise.Promise[struct{}] {
		return promise.Then(promise.Sleep(context.Background(), loop, time.Millisecond), func(struct{}) (struct{}, error) { return struct{}{}, err })
	}
	again := errors.New("again")
	switch seq % 6 {
	case 0:
		return nil, 1
	case 1:
		return later(nil), 1
	case 2:
		if times < 3 {
			return promise.Reject[struct{}](loop, again), 3
		}
		return nil, 3
	case 3:
		if times == 1 {
			return later(natsloop.RetryAfter(again, retryAfter)), 2
		}
		return later(nil), 2
	case 4:
		return later(natsloop.Terminate(again)), 1
	}
	if times == 1 {
		return later(again), 2
	}
	return later(nil), 2
}

func TestOrderAndRedeliveryAreThoseOfTheServer(t *testing.T) {
	onBoth(t, func(t *testing.T, on backend) {
		var subjects []string
		for i := range 60 {
			subjects = append(subjects, fmt.Sprint(i*i%7))
		}
		times, want := map[uint64]uint64{}, map[uint64]uint64{}
		first := map[string]uint64{} // the last message of a key that was handled for the first time
		running := map[string]bool{}
		failed := map[uint64]time.Duration{}
		on(t, time.Minute, subjects, func(loop *eventloop.Loop, now time.Duration, m jetstream.Msg) *promise.Promise[struct{}] {
			meta, err := m.Metadata()
			if err != nil {
				t.Error(err)
				return nil
			}
			seq, key := meta.Sequence.Stream, m.Subject()
			if running[key] {
				t.Errorf("message %d begins while another of its key runs", seq)
			}
			if times[seq]++; times[seq] != meta.NumDelivered {
				t.Errorf("delivery %d of message %d is said to be number %d", times[seq], seq, meta.NumDelivered)
			}
			if meta.NumDelivered == 1 {
				if first[key] > seq {
					t.Errorf("message %d comes after %d", seq, first[key])
				}
				first[key] = seq
			}
			if seq%6 == 3 {
				if meta.NumDelivered == 2 && now-failed[seq] < retryAfter {
					t.Errorf("message %d comes again after %v", seq, now-failed[seq])
				}
				failed[seq] = now
			}
			p, all := outcome(loop, seq, meta.NumDelivered)
			want[seq] = all
			if p != nil {
				running[key] = true
				end := func() { running[key] = false }
				p = promise.ThenElse(p, func(struct{}) (struct{}, error) { end(); return struct{}{}, nil }, func(err error) (struct{}, error) { end(); return struct{}{}, err })
			}
			return p
		})
		for i := range subjects {
			if seq := uint64(i + 1); times[seq] == 0 || times[seq] != want[seq] {
				t.Errorf("message %d is delivered %d times, want %d", seq, times[seq], want[seq])
			}
		}
	})
}

func TestWhatIsNeverSettledComesAgainAfterAckWait(t *testing.T) {
	const ackWait = time.Second
	check := func(t *testing.T, m jetstream.Msg, waited time.Duration) {
		if meta, err := m.Metadata(); err != nil || meta.NumDelivered != 2 || waited < ackWait {
			t.Errorf("%+v, %v, after %v", meta, err, waited)
		}
	}
	t.Run("server", func(t *testing.T) {
		stream := newStream(t, connect(t, serve(t, t.TempDir(), -1).ClientURL()), jetstream.MemoryStorage, ackWait)
		stream.publish(t, 1, 1)
		taken := time.Now()
		if m, err := stream.consumer.Next(); err != nil || m.Subject() != "work.0" {
			t.Fatal(err)
		}
		loop := run(t)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if err := natsloop.Consume(ctx, stream.consumer, natsloop.On(loop), func(m jetstream.Msg) *promise.Promise[struct{}] {
			check(t, m, time.Since(taken))
			cancel()
			return nil
		}, quiet); err != nil {
			t.Error(err)
		}
	})
	t.Run("simulation", func(t *testing.T) {
		loopsim.Run(t, loopsim.Config{Seeds: 10}, func(w *loopsim.World) {
			server := natssim.NewServer(w, "nats", jetstream.ConsumerConfig{AckWait: ackWait})
			handled := 0
			var taken time.Duration
			w.Host("worker", func(h *loopsim.Host) {
				c := natssim.Connect(h, server)
				if h.Boot() == 1 {
					c.Publish(nats.NewMsg("work.0"))
				}
				natssim.Consume(c, func(m jetstream.Msg) *promise.Promise[struct{}] {
					if h.Boot() == 1 {
						taken = w.Elapsed()
						w.Inject(loopsim.Fault{Kind: loopsim.Kill, Host: "worker", For: time.Millisecond})
						p, _ := promise.WithResolvers[struct{}](h.Loop())
						return p
					}
					check(t, m, w.Elapsed()-taken+10*time.Millisecond) // the server's wait has begun with the delivery, before
					handled++
					return nil
				}, quiet)
			})
			w.Finally("it is handled once", func() error {
				if handled != 1 || server.Unsettled() != 0 {
					return fmt.Errorf("it is handled %d times", handled)
				}
				return nil
			})
		})
	})
}

func TestAMessageThatThereIsAlreadyIsNotStoredAgain(t *testing.T) {
	message := func() *nats.Msg {
		m := nats.NewMsg("work.0")
		m.Header.Set(jetstream.MsgIDHeader, "one")
		return m
	}
	check := func(t *testing.T, a *jetstream.PubAck, again bool) {
		if a.Sequence != 1 || a.Duplicate != again {
			t.Errorf("published again, %v: %+v", again, a)
		}
	}
	t.Run("server", func(t *testing.T) {
		stream := newStream(t, connect(t, serve(t, t.TempDir(), -1).ClientURL()), jetstream.MemoryStorage, time.Minute)
		for i := range 2 {
			a, err := stream.js.PublishMsg(t.Context(), message())
			if err != nil {
				t.Fatal(err)
			}
			check(t, a, i == 1)
		}
	})
	t.Run("simulation", func(t *testing.T) {
		loopsim.Run(t, loopsim.Config{Seeds: 10}, func(w *loopsim.World) {
			answers := 0
			server := natssim.NewServer(w, "nats", jetstream.ConsumerConfig{})
			w.Host("shop", func(h *loopsim.Host) {
				c := natssim.Connect(h, server)
				for i := range 2 {
					promise.Then(c.Publish(message()), func(a *jetstream.PubAck) (int, error) {
						check(t, a, i == 1)
						answers++
						return 0, nil
					})
				}
			})
			w.Finally("both are answered", func() error {
				if answers != 2 || server.Len() != 1 {
					return fmt.Errorf("%d answers, %d messages", answers, server.Len())
				}
				return nil
			})
		})
	})
}
