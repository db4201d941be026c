package adapter_test

import (
	"context"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/inspect"
)

func TestAnImmediateIsTakenOnlyIfTheLoopWouldRunNothingBeforeIt(t *testing.T) {
	nothing := func() {}
	for name, c := range map[string]struct {
		prepare func(*eventloop.Loop) error
		options []eventloop.Option
		want    bool
	}{
		"nothing else":  {want: true},
		"a timer":       {prepare: func(l *eventloop.Loop) error { _, err := l.ScheduleTimer(0, nothing); return err }},
		"a task":        {prepare: func(l *eventloop.Loop) error { return l.Submit(nothing) }},
		"internal task": {prepare: func(l *eventloop.Loop) error { return l.SubmitInternal(nothing) }},
		"close":         {prepare: func(l *eventloop.Loop) error { return adapter.Of(l).ScheduleClose(nothing) }},
		"tick":          {prepare: func(l *eventloop.Loop) error { return l.NextTick(nothing) }},
		"microtask":     {prepare: func(l *eventloop.Loop) error { return l.ScheduleMicrotask(nothing) }},
		"another":       {prepare: func(l *eventloop.Loop) error { return l.ScheduleImmediate(nothing) }},
		"shutdown":      {prepare: func(l *eventloop.Loop) error { adapter.Of(l).Fail(nil); return nil }},
		"metrics":       {options: []eventloop.Option{inspect.WithMetrics()}},
	} {
		t.Run(name, func(t *testing.T) {
			loop := eventloop.New(append(c.options, eventloop.WithAutoExit())...)
			ran, taken := false, false
			first := func() {
				if err := loop.ScheduleImmediate(func() { ran = true }); err != nil {
					t.Error(err)
				}
				if c.prepare != nil {
					if err := c.prepare(loop); err != nil {
						t.Error(err)
					}
				}
				taken = adapter.Of(loop).TakeImmediate()
			}
			if err := loop.ScheduleImmediate(first); err != nil {
				t.Fatal(err)
			}
			_ = loop.Run(context.Background()) // its error, from the shutdown, does not matter here
			if taken != c.want || ran == taken {
				t.Errorf("it was taken: %v, want %v; the loop has run it: %v", taken, c.want, ran)
			}
		})
	}
}

func TestAnImmediateIsTakenBesideATimerThatIsNotDue(t *testing.T) {
	loop := eventloop.New(eventloop.WithAutoExit())
	taken := false
	var timer eventloop.Timer
	check := func() {
		_ = loop.ScheduleImmediate(func() { t.Error("the loop has run it") })
		taken = adapter.Of(loop).TakeImmediate()
		timer.Stop()
	}
	err := loop.ScheduleImmediate(func() {
		timer, _ = loop.ScheduleTimer(time.Hour, func() {})
		_ = loop.ScheduleImmediate(check) // by the next turn the loop has adopted the timer
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := loop.Run(context.Background()); err != nil || !taken {
		t.Errorf("it was taken: %v; Run returned %v", taken, err)
	}
}
