//go:build unix

package sandbox_test

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/gojaloop/sandbox"
)

// calling returns a sandbox with a call in progress, and the result of that call.
func calling(t *testing.T, ctx context.Context) (*sandbox.Sandbox, <-chan error) {
	began := make(chan struct{})
	s := box(t, sandbox.WithFunction("began", func(context.Context, sandbox.Arguments) (any, error) {
		close(began)
		return nil, nil
	}))
	failed := make(chan error, 1)
	go func() { failed <- s.Eval(ctx, nil, `began(); new Promise(() => {})`) }()
	<-began
	return s, failed
}

func TestAProcessThatIsKilledDuringACallIsAnExitError(t *testing.T) {
	s, failed := calling(t, t.Context())
	if err := s.Process().Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := <-failed; !isExit(err) {
		t.Error(err)
	}
	if err := s.Run(t.Context(), "", ""); !isExit(err) {
		t.Error("a later call:", err)
	}
}

func TestAProcessThatIsStoppedEndsWithTheContextOfACall(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	s, failed := calling(t, ctx)
	if err := s.Process().Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	// More than the pipe has room for.
	sender := make(chan error, 1)
	go func() { sender <- s.Call(t.Context(), nil, "f", make([]byte, 1<<20)) }()
	reason := errors.New("enough")
	time.AfterFunc(10*time.Millisecond, func() { cancel(reason) })
	if err := <-failed; !errors.Is(err, reason) {
		t.Error(err)
	}
	if err := <-sender; !errors.Is(err, reason) || !errors.Is(err, sandbox.ErrClosed) {
		t.Error("another call:", err)
	}
}
