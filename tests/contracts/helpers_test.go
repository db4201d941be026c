package contracts_test

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// running returns a loop that runs until the test ends, when it must shut down cleanly.
func running(t testing.TB, opts ...eventloop.Option) *eventloop.Loop {
	t.Helper()
	return testkit.Running(t, eventloop.New(opts...))
}

// runMain runs a loop that executes main, and its consequences, to its end, on the calling goroutine.
func runMain(t testing.TB, main func(*eventloop.Loop), opts ...eventloop.Option) *eventloop.Loop {
	t.Helper()
	return testkit.RunMain(t, eventloop.New(append([]eventloop.Option{eventloop.WithAutoExit()}, opts...)...), main)
}

// heard collects the errors passed to a panic handler. Only the loop's goroutine writes it.
type heard []*eventloop.PanicError

func (h *heard) option() eventloop.Option {
	return eventloop.WithPanicHandler(func(e *eventloop.PanicError) { *h = append(*h, e) })
}

// settle waits until the timers that are due have run.
func settle(t *testing.T, l *eventloop.Loop) {
	t.Helper()
	testkit.On(t, l, func() {})
	testkit.On(t, l, func() {}) // the timers phase of this turn came after everything due before it
}

// A jobFunc is a function as a microtask.
type jobFunc func()

func (f jobFunc) Run() { f() }

// goroutineID is the number of the calling goroutine, from its stack.
func goroutineID() string {
	buf := make([]byte, 64)
	return string(bytes.Fields(buf[:runtime.Stack(buf, false)])[1])
}
