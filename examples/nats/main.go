// Command nats counts what accounts are paid, by messages of a NATS JetStream stream, on a group of loops. It starts a server
// of its own, so that it needs nothing else.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"sync/atomic"
	"time"

	"github.com/eventloop-go/eventloop/loopgroup"
	"github.com/eventloop-go/eventloop/natsloop"
	"github.com/eventloop-go/eventloop/promise"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

func main() {
	dir, err := os.MkdirTemp("", "nats")
	if err == nil {
		err = run(dir, os.Stdout)
		_ = os.RemoveAll(dir)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func run(dir string, out io.Writer) error {
	s, err := server.NewServer(&server.Options{JetStream: true, StoreDir: dir, DontListen: true, NoSigs: true})
	if err != nil {
		return err
	}
	s.Start()
	defer s.WaitForShutdown()
	defer s.Shutdown()
	nc, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		return err
	}
	defer nc.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	consumer, err := publish(ctx, nc)
	if err != nil {
		return err
	}

	group := loopgroup.New[string](2)
	go func() { _ = group.Run(context.Background()) }()
	defer func() { _ = group.Shutdown(context.Background()) }()
	balances := map[string]*int{"payments.ann": new(int), "payments.bob": new(int)} // each is used on one loop only
	var left atomic.Int64
	left.Store(20)
	err = natsloop.Consume(ctx, consumer, group, func(m jetstream.Msg) *promise.Promise[struct{}] {
		loop := group.Loop(m.Subject())
		booked := promise.Sleep(ctx, loop, time.Millisecond) // as if it was written to a database
		return promise.Then(booked, func(struct{}) (struct{}, error) {
			*balances[m.Subject()] += len(m.Data()) // in order for each account, and no lock
			if left.Add(-1) == 0 {
				cancel() // Consume returns when this message has been acknowledged, too
			}
			return struct{}{}, nil
		})
	})
	fmt.Fprintln(out, *balances["payments.ann"], *balances["payments.bob"])
	return err
}

// publish makes a stream with twenty messages, and a consumer of it.
func publish(ctx context.Context, nc *nats.Conn) (jetstream.Consumer, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, err
	}
	stream, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: "PAYMENTS", Subjects: []string{"payments.*"}})
	if err != nil {
		return nil, err
	}
	for i := range 10 {
		for _, account := range []string{"payments.ann", "payments.bob"} {
			if _, err := js.Publish(ctx, account, make([]byte, i)); err != nil {
				return nil, err
			}
		}
	}
	return stream.CreateConsumer(ctx, jetstream.ConsumerConfig{Durable: "booking", AckPolicy: jetstream.AckExplicitPolicy})
}
