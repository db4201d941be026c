package loopnet

import (
	"context"
	"errors"
	"net"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// A lateDialer connects when it is let.
type lateDialer struct {
	began, let chan struct{}
	conn       net.Conn
}

func (d lateDialer) DialContext(context.Context, string, string) (net.Conn, error) {
	close(d.began)
	<-d.let
	return d.conn, nil
}

func TestAConnectionThatComesTooLateIsClosed(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, loop *eventloop.Loop, cancel func()){
		"when ctx has ended": func(t *testing.T, _ *eventloop.Loop, cancel func()) { cancel() },
		"when the loop has ended": func(t *testing.T, loop *eventloop.Loop, _ func()) {
			testkit.Must(t, loop.Shutdown(context.Background()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			loop := eventloop.New()
			go func() { _ = loop.Run(context.Background()) }()
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			ours, theirs := connected(t)
			d := lateDialer{make(chan struct{}), make(chan struct{}), ours}
			outcome := make(chan error, 1)
			testkit.On(t, loop, func() {
				p := DialWith(ctx, loop, d, "", "")
				p.Catch(func(err error) (*Conn, error) { outcome <- err; return nil, nil })
			})
			testkit.Await(t, "dialling", d.began)
			end(t, loop, cancel)
			close(d.let)
			if got := readAll(t, theirs); got != "" {
				t.Errorf("got %q", got)
			}
			if name == "when ctx has ended" {
				if err := testkit.Await(t, "rejection", outcome); !errors.Is(err, context.Canceled) {
					t.Errorf("rejected with %v", err)
				}
			}
			_ = loop.Shutdown(context.Background())
			<-loop.Done()
		})
	}
}

func TestDialTellsHowAndWhyItsContextHasEnded(t *testing.T) {
	loop := eventloop.New()
	go func() { _ = loop.Run(context.Background()) }()
	defer func() { _ = loop.Close(); <-loop.Done() }()
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(enough)
	_, err := Dial(ctx, loop, "tcp", "127.0.0.1:1").Wait(context.Background())
	if !errors.Is(err, context.Canceled) || !errors.Is(err, enough) {
		t.Errorf("Dial: %v", err)
	}
}
