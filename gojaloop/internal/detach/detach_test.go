package detach_test

import (
	"context"
	"errors"
	"testing"

	"github.com/eventloop-go/eventloop/gojaloop/internal/detach"
)

func TestRunReturnsWhatTheFunctionReturns(t *testing.T) {
	failed := errors.New("failed")
	ending, cancel := context.WithCancel(context.Background())
	defer cancel()
	for _, ctx := range []context.Context{context.Background(), ending} {
		if v, err := detach.Run(ctx, func() (int, error) { return 1, failed }); v != 1 || !errors.Is(err, failed) {
			t.Errorf("got %d, %v", v, err)
		}
	}
}

func TestRunReturnsWhenTheContextEnds(t *testing.T) {
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	release, ended := make(chan struct{}), make(chan struct{})
	_, err := detach.Run(ctx, func() (int, error) {
		defer close(ended)
		cancel(enough)
		<-release
		return 1, nil
	})
	if !errors.Is(err, enough) {
		t.Errorf("got %v", err)
	}
	close(release)
	<-ended
}
