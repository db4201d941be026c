package natstest

import (
	"context"
	"fmt"
	"net"
	"os"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(childVariable); url != "" {
		os.Exit(child(url))
	}
	if url := os.Getenv(shareVariable); url != "" {
		os.Exit(sharer(url))
	}
	os.Exit(m.Run())
}

// serve starts a server, whose port is chosen by the system if it is -1.
func serve(t testing.TB, dir string, port int) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: dir, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s
}

// stop ends a server, and returns its port for the next.
func stop(s *server.Server) (port int) {
	port = s.Addr().(*net.TCPAddr).Port
	s.Shutdown()
	s.WaitForShutdown()
	return port
}

// A stream with a consumer, and a connection to it.
type stream struct {
	js       jetstream.JetStream
	stream   jetstream.Stream
	consumer jetstream.Consumer
}

const work = "WORK" // the name of the stream and of its consumer

func connect(t testing.TB, url string) jetstream.JetStream {
	t.Helper()
	nc, err := nats.Connect(url, nats.MaxReconnects(-1), nats.ReconnectWait(20*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc, jetstream.WithPublishAsyncMaxPending(4000))
	if err != nil {
		t.Fatal(err)
	}
	return js
}

func newStream(t testing.TB, js jetstream.JetStream, storage jetstream.StorageType, ackWait time.Duration) *stream {
	t.Helper()
	ctx := t.Context()
	s, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: work, Subjects: []string{"work.>"}, Storage: storage})
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.CreateConsumer(ctx, jetstream.ConsumerConfig{Durable: work, AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxAckPending: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	return &stream{js, s, c}
}

// publish sends n messages of as many keys, and waits until the server has them.
func (s *stream) publish(t testing.TB, n, keys int) {
	t.Helper()
	for i := range n {
		if _, err := s.js.PublishAsync(fmt.Sprintf("work.%d", i%keys), []byte("some words of work"), jetstream.WithStallWait(time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case <-s.js.PublishAsyncComplete():
	case <-time.After(testkit.Patience):
		t.Fatal("the server does not take what is published")
	}
}

// idle waits until the server has nothing that is not acknowledged.
func (s *stream) idle(t testing.TB) {
	t.Helper()
	if err := s.settled(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (s *stream) settled(ctx context.Context) error {
	consumer, err := s.stream.Consumer(ctx, work) // of its own: see Consume
	if err != nil {
		return err
	}
	for {
		info, err := consumer.Info(ctx)
		if err != nil || info.NumPending == 0 && info.NumAckPending == 0 {
			return err
		}
		time.Sleep(500 * time.Microsecond) // the server tells nobody of it
	}
}

func run(t testing.TB) *eventloop.Loop {
	loop := eventloop.New()
	go func() { _ = loop.Run(context.Background()) }()
	t.Cleanup(func() { _ = loop.Close(); <-loop.Done() })
	return loop
}
