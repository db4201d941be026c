package js_test

import (
	"fmt"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/js"
)

// BenchmarkAddEventListener adds and removes one listener beside many.
func BenchmarkAddEventListener(b *testing.B) {
	for _, others := range []int{0, 10_000} {
		b.Run(fmt.Sprint(others), func(b *testing.B) {
			target := js.New(eventloop.New()).NewEventTarget()
			for range others {
				_ = target.AddEventListener("x", js.NewListener(func(*js.Event) {}))
			}
			l := js.NewListener(func(*js.Event) {})
			b.ReportAllocs()
			for b.Loop() {
				_ = target.AddEventListener("x", l)
				target.RemoveEventListener("x", l)
			}
		})
	}
}

// Without listeners the caller's goroutine need not be checked.
func BenchmarkAbort(b *testing.B) {
	env := js.New(eventloop.New())
	b.ReportAllocs()
	for b.Loop() {
		_ = env.NewAbortController().Abort(nil)
	}
}

// This includes the garbage collector's work on unreachable signals.
func BenchmarkAbortSignalAny(b *testing.B) {
	env := js.New(eventloop.New())
	c := env.NewAbortController()
	b.ReportAllocs()
	for b.Loop() {
		env.AbortSignalAny(c.Signal())
	}
}

func BenchmarkAborted(b *testing.B) {
	s := js.New(eventloop.New()).NewAbortController().Signal()
	for b.Loop() {
		if s.Aborted() {
			b.Fatal("aborted")
		}
	}
}
