package contracts_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// endless has work that causes more work while the loop drains.
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
			result := testkit.Launch(l)
			testkit.Must(t, l.Shutdown(testkit.Bounded(t)))
			err := testkit.Await(t, "Run", result)
			if !errors.Is(err, eventloop.ErrDrainTimeout) || !errors.Is(err, eventloop.ErrLoopClosed) || l.Dropped().Callbacks() > 1 {
				// Nothing is dropped if the loop was closed during the callback, because its next submission is then
				// refused.
				t.Errorf("%v", err)
			}
		})
	}
}

func TestTheTimeToDrainCountsFromRunIfThatComesLater(t *testing.T) {
	l := eventloop.New(eventloop.WithDrainTimeout(20 * time.Millisecond))
	_ = l.SubmitInternal(endless["internal tasks"](l))
	_ = l.Shutdown(testkit.Ended())
	if err := testkit.Await(t, "Run", testkit.Launch(l)); !errors.Is(err, eventloop.ErrDrainTimeout) {
		t.Error(err)
	}
}

func TestALoopThatDrainsInTimeIsNotClosed(t *testing.T) {
	l := eventloop.New(eventloop.WithDrainTimeout(time.Hour))
	ran := 0
	for range 1000 {
		_ = l.Submit(func() { ran++ })
	}
	_ = l.Shutdown(testkit.Ended())
	if err := l.Run(context.Background()); err != nil || ran != 1000 {
		t.Error(err, ran)
	}
	_ = l.Close()
	if err := eventloop.New(eventloop.WithDrainTimeout(time.Hour)).Close(); err != nil {
		t.Error(err)
	}
}
