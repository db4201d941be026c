package eventloop

import (
	"testing"

	"github.com/eventloop-go/eventloop/internal/meter"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// running returns a loop that runs until the test ends, when it must shut down cleanly.
func running(t testing.TB, opts ...Option) *Loop {
	t.Helper()
	return testkit.Running(t, New(opts...))
}

// runMain runs a loop that executes main, and its consequences, to its end, on the calling goroutine.
func runMain(t testing.TB, main func(*Loop), opts ...Option) *Loop {
	t.Helper()
	return testkit.RunMain(t, New(append([]Option{WithAutoExit()}, opts...)...), main)
}

// heard collects the errors passed to a panic handler. Only the loop's goroutine writes it.
type heard []*PanicError

func (h *heard) option() Option {
	return WithPanicHandler(func(e *PanicError) { *h = append(*h, e) })
}

// asleep reports whether the owner is parked, or has decided to.
func asleep(l *Loop) bool {
	l.in.mu.lock()
	defer l.in.mu.unlock()
	return l.in.sleeping
}

// measured makes a loop measure, as inspect.WithMetrics does.
func measured() Option { return optionFunc(func(l *Loop) { l.meter = meter.New() }) }
