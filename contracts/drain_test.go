package contracts_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
)

// What goes on causing work while the loop drains.
var endless = map[string]func(l *eventloop.Loop) func(){
	"internal tasks": func(l *eventloop.Loop) func() {
		var again func()
		again = func() { _ = l.SubmitInternal(again) }
		return again
	},
	"microtasks": func(l *eventloop.Loop) func() {
		var again func()
		again = func() { _ = l.ScheduleMicrotask(again) }
		return again
	},
	"ticks": func(l *eventloop.Loop) func() {
		var again func()
		again = func() { _ = l.NextTick(again) }
		return again
	},
	"panicking tasks": func(l *eventloop.Loop) func() {
		var again func()
		again = func() { _ = l.SubmitInternal(again); panic("expected") }
		return again
	},
}

func TestADrainThatTakesTooLongIsCutShort(t *testing.T) {
	for name, flood := range endless {
		t.Run(name, func(t *testing.T) {
			l := eventloop.New(eventloop.WithDrainTimeout(20*time.Millisecond), eventloop.WithPanicHandler(func(*eventloop.PanicError) {}))
			_ = l.SubmitInternal(flood(l))
			result := launch(l)
			must(t, l.Shutdown(bounded(t)))
			err := await(t, "Run", result)
			var closed *eventloop.ClosedError
			if !errors.Is(err, eventloop.ErrDrainTimeout) || !errors.Is(err, eventloop.ErrLoopClosed) || !errors.As(err, &closed) || closed.Dropped.Callbacks() > 1 {
				// It is none if the loop was closed while the callback ran, whose next one was refused.
				t.Errorf("%v", err)
			}
		})
	}
}

func TestTheTimeToDrainCountsFromRunIfThatComesLater(t *testing.T) {
	l := eventloop.New(eventloop.WithDrainTimeout(20 * time.Millisecond))
	_ = l.SubmitInternal(endless["internal tasks"](l))
	_ = l.Shutdown(ended())
	if err := await(t, "Run", launch(l)); !errors.Is(err, eventloop.ErrDrainTimeout) {
		t.Error(err)
	}
}

func TestALoopThatDrainsInTimeIsNotClosed(t *testing.T) {
	l := eventloop.New(eventloop.WithDrainTimeout(time.Hour))
	ran := 0
	for range 1000 {
		_ = l.Submit(func() { ran++ })
	}
	_ = l.Shutdown(ended())
	if err := l.Run(context.Background()); err != nil || ran != 1000 {
		t.Error(err, ran)
	}
	_ = l.Close()
	if err := eventloop.New(eventloop.WithDrainTimeout(time.Hour)).Close(); err != nil {
		t.Error(err)
	}
}
