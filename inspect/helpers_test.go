package inspect_test

import (
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/leakcheck"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

func TestMain(m *testing.M) { leakcheck.Main(m) }

var (
	bounded = testkit.Bounded
	must    = testkit.Must
)

func await[T any](t testing.TB, what string, ch <-chan T) T { return testkit.Await(t, what, ch) }
func launch(l *eventloop.Loop) <-chan error                 { return testkit.Launch(l) }
func on(t testing.TB, l *eventloop.Loop, fn func())         { testkit.On(t, l, fn) }
func untilAsleep(t testing.TB, l *eventloop.Loop)           { testkit.UntilAsleep(t, l) }
func scheduled(t testing.TB) func(eventloop.Timer, error) eventloop.Timer {
	return testkit.Scheduled[eventloop.Timer](t)
}

func running(t testing.TB, opts ...eventloop.Option) *eventloop.Loop {
	return testkit.Running(t, eventloop.New(opts...))
}

func runMain(t testing.TB, main func(*eventloop.Loop), opts ...eventloop.Option) *eventloop.Loop {
	t.Helper()
	return testkit.RunMain(t, eventloop.New(append(opts, eventloop.WithAutoExit())...), main)
}

// heard collects the errors passed to a panic handler. Only the loop's goroutine writes it.
type heard []*eventloop.PanicError

func (h *heard) option() eventloop.Option {
	return eventloop.WithPanicHandler(func(e *eventloop.PanicError) { *h = append(*h, e) })
}
