package contracts_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
)

func TestNestedCallbackIsFollowedByItsTicksAndMicrotasks(t *testing.T) {
	loop := eventloop.New(eventloop.WithAutoExit(), eventloop.WithPanicHandler(func(*eventloop.PanicError) {}))
	var got []string
	add := func(s string) func() { return func() { got = append(got, s) } }
	_ = loop.Submit(func() {
		for _, name := range []string{"a", "b"} {
			adapter.Of(loop).Callback(func() {
				add(name)()
				_ = loop.ScheduleMicrotask(add(name + " micro"))
				_ = loop.NextTick(add(name + " tick"))
				panic("a panic ends this callback and no other")
			})
		}
		add("end")()
	})
	if err := loop.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	want := []string{"a", "a tick", "a micro", "b", "b tick", "b micro", "end"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("order %q, want %q", got, want)
	}
}

func TestTicksComeBeforeMicrotasksAfterANestedCallbackWhoseLastMicrotaskPanicked(t *testing.T) {
	loop := eventloop.New(eventloop.WithAutoExit(), eventloop.WithPanicHandler(func(*eventloop.PanicError) {}))
	var got []string
	add := func(s string) func() { return func() { got = append(got, s) } }
	_ = loop.Submit(func() {
		adapter.Of(loop).Callback(func() { _ = loop.ScheduleMicrotask(func() { panic("the last") }) })
		adapter.Of(loop).Callback(func() {
			_ = loop.ScheduleMicrotask(add("micro"))
			_ = loop.NextTick(add("tick"))
		})
	})
	if err := loop.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if want := []string{"tick", "micro"}; !reflect.DeepEqual(got, want) {
		t.Errorf("order %q, want %q", got, want)
	}
}

func TestIsolatedCallbackReportsItsPanicAndDrainsNothing(t *testing.T) {
	var got []string
	loop := eventloop.New(eventloop.WithAutoExit(), eventloop.WithPanicHandler(func(e *eventloop.PanicError) {
		got = append(got, "reported "+e.Value.(string))
	}))
	_ = loop.Submit(func() {
		adapter.Of(loop).Isolate(func() {
			_ = loop.ScheduleMicrotask(func() { got = append(got, "microtask") })
			panic("a")
		})
		got = append(got, "end")
	})
	if err := loop.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if want := []string{"reported a", "end", "microtask"}; !reflect.DeepEqual(got, want) {
		t.Errorf("order %q, want %q", got, want)
	}
}

func TestNestedCallbackTellsThatTheLoopWasClosed(t *testing.T) {
	loop := eventloop.New()
	open := true
	_ = loop.Submit(func() { open = adapter.Of(loop).Callback(func() { _ = loop.Close() }) })
	_ = loop.Run(context.Background())
	if open {
		t.Error("Callback reported an open loop after Close")
	}
}

func TestLoopAcceptsUntilShutdownBegins(t *testing.T) {
	loop := eventloop.New(eventloop.WithAutoExit())
	if !adapter.Of(loop).Accepting() {
		t.Error("a new loop does not accept")
	}
	_ = loop.Submit(func() {
		_ = loop.Shutdown(context.Background())
		if adapter.Of(loop).Accepting() {
			t.Error("a loop accepts during its shutdown")
		}
	})
	_ = loop.Run(context.Background())
	if adapter.Of(loop).Accepting() {
		t.Error("an ended loop accepts")
	}
	if adapter.Of(new(eventloop.Loop)).Accepting() {
		t.Error("a zero loop accepts")
	}
}
