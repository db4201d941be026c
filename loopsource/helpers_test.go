package loopsource_test

import (
	"errors"
	"runtime"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// endings are the ways in which a callback can end badly.
var endings = []struct {
	name string
	end  func()
	is   func(*eventloop.PanicError) bool
}{
	{"panic", func() { panic("oops") }, func(e *eventloop.PanicError) bool { return e.Value == "oops" }},
	{"Goexit", runtime.Goexit, func(e *eventloop.PanicError) bool { return errors.Is(e, eventloop.ErrGoexit) }},
}

// heard collects the errors passed to a panic handler. Only the loop's goroutine writes it.
type heard []*eventloop.PanicError

func (h *heard) option() eventloop.Option {
	return eventloop.WithPanicHandler(func(e *eventloop.PanicError) { *h = append(*h, e) })
}

func runMain(t testing.TB, main func(*eventloop.Loop), opts ...eventloop.Option) *eventloop.Loop {
	t.Helper()
	return testkit.RunMain(t, eventloop.New(append(opts, eventloop.WithAutoExit())...), main)
}
