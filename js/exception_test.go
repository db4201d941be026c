package js_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/eventloop-go/eventloop/js"
)

func TestATimeoutErrorIsADeadlineError(t *testing.T) {
	scripted(t, func(s *script) {
		signal, err := s.AbortSignalTimeout(1)
		if err != nil {
			t.Fatal(err)
		}
		s.timeout(func() {
			if reason := fmt.Errorf("fetch failed: %w", signal.Reason()); !errors.Is(reason, context.DeadlineExceeded) || !errors.Is(reason, js.ErrTimeout) {
				t.Errorf("the reason is %v", reason)
			}
		}, 2)
	})
	for _, err := range []error{js.ErrAbort, js.ErrRange} {
		if errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v is", err)
		}
	}
}
