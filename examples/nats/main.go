// Command nats books payments that arrive as messages of a NATS JetStream stream, in order for each account.
//
//	nats               books ten payments to each account with a server in this process, and ends
//	nats server        runs a server, and sends a payment to each of six accounts ten times a second
//	nats member NAME   books payments; run as many as you like, and kill any
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/eventloop-go/eventloop/loopgroup"
	"github.com/eventloop-go/eventloop/natsloop"
	"github.com/eventloop-go/eventloop/promise"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	port   = 4333
	stream = "PAYMENTS"
)

var accounts = []string{"ann", "bob", "cid", "dee", "eve", "gus"}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	switch args := append(os.Args[1:], "", ""); args[0] {
	case "":
		err = inTemp(func(dir string) error { return alone(ctx, dir, os.Stdout) })
	case "server":
		err = inTemp(func(dir string) error { return serve(ctx, dir) })
	case "member":
		err = member(ctx, fmt.Sprintf("nats://127.0.0.1:%d", port), args[1], os.Stdout)
	default:
		err = errors.New("usage: nats [server | member NAME]")
	}
	if err != nil {
		log.Fatal(err)
	}
}

func inTemp(f func(dir string) error) error {
	dir, err := os.MkdirTemp("", "nats")
	if err != nil {
		return err
	}
	return errors.Join(f(dir), os.RemoveAll(dir))
}

// alone books ten payments to each account, and prints the balances.
func alone(ctx context.Context, dir string, out io.Writer) error {
	s, js, err := start(ctx, dir, server.RANDOM_PORT)
	if err != nil {
		return err
	}
	defer s.WaitForShutdown()
	defer s.Shutdown()
	defer js.Conn().Close()
	for i := range 10 {
		if err := pay(ctx, js, i); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	balances := map[string]*int{} // each is used on one loop only
	for _, account := range accounts {
		balances[account] = new(int)
	}
	var left atomic.Int64
	left.Store(int64(10 * len(accounts)))
	err = book(ctx, js, func(account string, amount int) {
		*balances[account] += amount // in order for each account, and no lock
		if left.Add(-1) == 0 {
			cancel() // book returns when this message has been acknowledged, too
		}
	})
	for _, account := range accounts {
		fmt.Fprintln(out, account, *balances[account])
	}
	return err
}

// serve runs a server, and sends payments until ctx ends.
func serve(ctx context.Context, dir string) error {
	s, js, err := start(ctx, dir, port)
	if err != nil {
		return err
	}
	defer s.WaitForShutdown()
	defer s.Shutdown()
	defer js.Conn().Close()
	fmt.Println("the server runs")
	for i := 0; ctx.Err() == nil; i++ {
		if err := pay(ctx, js, i); err != nil && ctx.Err() == nil {
			return err
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
		}
	}
	return nil
}

// member books payments until ctx ends, and prints which.
func member(ctx context.Context, url, name string, out io.Writer) error {
	nc, err := nats.Connect(url)
	if err != nil {
		return err
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	return book(ctx, js, func(account string, amount int) {
		if amount%10 == 0 {
			fmt.Fprintln(out, name, "books", account, amount)
		}
	})
}

// book is a member of the group that books payments.
func book(ctx context.Context, js jetstream.JetStream, booked func(account string, amount int)) error {
	group := loopgroup.New[string](2)
	go func() { _ = group.Run(context.Background()) }()
	defer func() { _ = group.Shutdown(context.Background()) }()
	p := natsloop.Partitions{Stream: stream, Group: "booking", Config: jetstream.ConsumerConfig{AckWait: 5 * time.Second}}
	return natsloop.ConsumePartitions(ctx, js, p, group, func(m jetstream.Msg) *promise.Promise[struct{}] {
		loop := group.Loop(m.Subject())
		stored := promise.Sleep(context.Background(), loop, time.Millisecond) // as if it was written to a database
		return promise.Then(stored, func(struct{}) (struct{}, error) {
			var account string
			var amount int
			if _, err := fmt.Sscanf(m.Subject()+" "+string(m.Data()), "payments.%s %d", &account, &amount); err != nil {
				return struct{}{}, natsloop.Terminate(err) // it would never be understood
			}
			booked(account, amount)
			return struct{}{}, nil
		})
	})
}

// start runs a server with a stream of four partitions.
func start(ctx context.Context, dir string, port int) (*server.Server, jetstream.JetStream, error) {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: dir, NoSigs: true})
	if err != nil {
		return nil, nil, err
	}
	s.Start()
	js, err := func() (jetstream.JetStream, error) {
		nc, err := nats.Connect("", nats.InProcessServer(s))
		if err != nil {
			return nil, err
		}
		js, err := jetstream.New(nc)
		if err == nil {
			_, err = js.CreateStream(ctx, jetstream.StreamConfig{Name: stream, Subjects: []string{"payments.*"},
				SubjectTransform: natsloop.PartitionBy("payments.*", 4)})
		}
		if err != nil {
			nc.Close()
		}
		return js, err
	}()
	if err != nil {
		s.Shutdown()
		s.WaitForShutdown()
		return nil, nil, err
	}
	return s, js, nil
}

// pay sends each account a payment.
func pay(ctx context.Context, js jetstream.JetStream, amount int) error {
	for _, account := range accounts {
		if _, err := js.Publish(ctx, "payments."+account, fmt.Append(nil, amount)); err != nil {
			return err
		}
	}
	return nil
}
