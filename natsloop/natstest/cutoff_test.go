package natstest

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/internal/testkit"
	"github.com/eventloop-go/eventloop/natsloop"
	"github.com/eventloop-go/eventloop/promise"
	"github.com/nats-io/nats.go/jetstream"
)

// A wire passes what a client and the server send each other, and can be cut: the connection stays, and nothing arrives.
type wire struct {
	addr string
	mu   sync.RWMutex // held for writing while it is cut
}

func newWire(t *testing.T, server string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	w := &wire{addr: l.Addr().String()}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			upstream, err := net.Dial("tcp", server)
			if err != nil {
				_ = client.Close()
				return
			}
			go w.pass(client, upstream)
			go w.pass(upstream, client)
		}
	}()
	return w
}

func (w *wire) pass(to, from net.Conn) {
	defer func() { _ = to.Close() }()
	b := make([]byte, 4096)
	for {
		n, err := from.Read(b)
		if err != nil {
			return
		}
		w.mu.RLock()
		_, err = to.Write(b[:n])
		w.mu.RUnlock()
		if err != nil && !errors.Is(err, io.EOF) {
			return
		}
	}
}

func TestAMemberThatIsCutOffBeginsNothingAndAcknowledgesNothingMore(t *testing.T) {
	url := serve(t, t.TempDir(), -1).ClientURL()
	s, p := newPartitioned(t, connect(t, url), 1, jetstream.FileStorage, 2*time.Second)
	w := newWire(t, strings.TrimPrefix(url, "nats://"))

	begun, goOn := make(chan struct{}), make(chan struct{})
	var calls, lost atomic.Int64
	bothLost := make(chan struct{})
	loop := run(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	result := make(chan error, 1)
	go func() {
		result <- natsloop.ConsumePartitions(ctx, connect(t, "nats://"+w.addr), p, natsloop.On(loop), func(m jetstream.Msg) *promise.Promise[struct{}] {
			if calls.Add(1) == 1 {
				close(begun)
			}
			return promise.Promisify(context.Background(), loop, func(context.Context) (struct{}, error) { <-goOn; return struct{}{}, nil })
		}, natsloop.WithErrorHandler(func(_ jetstream.Msg, err error) {
			if errors.Is(err, natsloop.ErrLeaseLost) && lost.Add(1) == 2 {
				close(bothLost)
			}
		}))
	}()
	s.publish(t, 2, 1)
	testkit.Await(t, "begun", begun)
	w.mu.Lock()
	handled := make(chan uint64, 4)
	other := joinGroup(t, url, p, func(m jetstream.Msg) *promise.Promise[struct{}] {
		meta, _ := m.Metadata()
		handled <- meta.Sequence.Stream
		return nil
	})
	if first, second := testkit.Await(t, "handled", handled), testkit.Await(t, "handled", handled); first != 1 || second != 2 {
		t.Errorf("the other member has handled %d and %d", first, second)
	}
	close(goOn) // the first handler ends now: the second message must not begin
	testkit.Await(t, "bothLost", bothLost)
	if n := calls.Load(); n != 1 {
		t.Errorf("the member that was cut off has begun %d messages", n)
	}
	w.mu.Unlock()
	s.settledAll(t, p, 1)
	other.end(t)
	cancel()
	if err := testkit.Await(t, "result", result); err != nil {
		t.Error(err)
	}
}
