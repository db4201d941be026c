package natssim_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/internal/leakcheck"
	"github.com/eventloop-go/eventloop/loopsim"
	"github.com/eventloop-go/eventloop/natsloop"
	"github.com/eventloop-go/eventloop/natsloop/natssim"
	"github.com/eventloop-go/eventloop/promise"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

func TestMain(m *testing.M) { leakcheck.Main(m) }

const payments = 12

// bank is a world in which a shop publishes payments, and two workers book them. The books survive crashes. With the right handler a payment is
// booked once.
func bank(careless bool) func(*loopsim.World) {
	return func(w *loopsim.World) {
		server := natssim.NewServer(w, "nats", jetstream.ConsumerConfig{AckWait: 3 * time.Second})
		books := map[string]int{}
		w.Host("shop", func(h *loopsim.Host) {
			if h.Boot() > 1 {
				return
			}
			c := natssim.Connect(h, server)
			for i := range payments {
				_, _ = h.Loop().ScheduleTimer(time.Duration(i)*time.Second, func() { pay(h, c, i) })
			}
		})
		for _, name := range []string{"a", "b"} {
			w.Host(name, func(h *loopsim.Host) {
				natssim.Consume(natssim.Connect(h, server), func(m jetstream.Msg) *promise.Promise[struct{}] {
					id := natsloop.MessageID(m)
					work := promise.Sleep(context.Background(), h.Loop(), time.Duration(h.Rand.IntN(200))*time.Millisecond)
					return promise.Then(work, func(struct{}) (struct{}, error) {
						if h.Rand.IntN(4) == 0 {
							return struct{}{}, errors.New("not now")
						}
						if books[id] == 0 || careless {
							books[id]++
							h.Logf("books %s", id)
						}
						return struct{}{}, nil
					})
				}, natsloop.WithRedeliveryDelay(100*time.Millisecond), natsloop.WithErrorHandler(func(jetstream.Msg, error) {}))
			})
		}
		w.Eventually(time.Minute, "all payments are booked, once", func() error {
			for i := range payments {
				if n := books[fmt.Sprint("payment ", i)]; n != 1 {
					return fmt.Errorf("payment %d is booked %d times", i, n)
				}
			}
			if n := server.Unsettled(); n > 0 || server.Len() != payments {
				return fmt.Errorf("%d messages of %d are not settled", n, server.Len())
			}
			return nil
		})
	}
}

// pay publishes a payment until the server has it.
func pay(h *loopsim.Host, c *natssim.Conn, i int) {
	m := nats.NewMsg(fmt.Sprint("account.", i%3))
	m.Header.Set(jetstream.MsgIDHeader, fmt.Sprint("payment ", i))
	c.Publish(m).Catch(func(error) (*jetstream.PubAck, error) { pay(h, c, i); return nil, nil })
}

// The shop has no faults of its own: it would forget what it was to publish.
var banking = loopsim.Config{Duration: 20 * time.Second, Faults: loopsim.Faults{Kinds: loopsim.AllFaults(), Hosts: []string{"nats", "a", "b"}}}

func TestPaymentsAreBookedOnce(t *testing.T) { loopsim.Run(t, banking, bank(false)) }

func TestAHandlerThatBooksAgainIsFound(t *testing.T) {
	cfg := banking
	cfg.Seeds = 2000
	f := loopsim.Find(cfg, bank(true))
	if f == nil {
		t.Fatal("not found")
	}
	t.Logf("seed %d: %s\n%s", f.Seed, f.Text, f.Story(20))
}
