package js_test

import (
	"fmt"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/js"
)

// To add and remove one listener beside many.
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

// Without listeners: nobody needs to know which goroutine this is.
func BenchmarkAbort(b *testing.B) {
	env := js.New(eventloop.New())
	b.ReportAllocs()
	for b.Loop() {
		_ = env.NewAbortController().Abort(nil)
	}
}

// Includes the garbage collector's work on what nobody refers to any more.
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
