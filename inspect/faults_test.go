package inspect_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/promise"
)

func TestFaultsAreCounted(t *testing.T) {
	loop := eventloop.New(inspect.WithMetrics(), eventloop.WithQueueLimit(3),
		eventloop.WithPanicHandler(func(*eventloop.PanicError) {}),
		inspect.WithSlowCallbacks(time.Nanosecond, func(inspect.SlowCallback) {}),
		promise.WithUnhandledRejection(func(*promise.Rejection) {}))
	for _, fn := range []func(){
		func() { panic("one") },
		runtime.Goexit,
		func() { promise.Reject[int](loop, errors.New("nobody listens")) },
	} {
		if err := loop.Submit(fn); err != nil {
			t.Fatal(err)
		}
	}
	if err := loop.Submit(func() {}); err != eventloop.ErrQueueFull {
		t.Fatal(err)
	}
	if m := inspect.ReadMetrics(loop); m.Refused != 1 || m.Panics != 0 {
		t.Errorf("before it runs, %d are refused and %d have panicked", m.Refused, m.Panics)
	}
	ran := make(chan error, 1)
	go func() { ran <- loop.Run(context.Background()) }()
	for limit := time.Now().Add(10 * time.Second); inspect.ReadMetrics(loop).Ran.External < 3 && time.Now().Before(limit); {
		runtime.Gosched()
	}
	before := inspect.ReadMetrics(loop)
	if err := loop.Do(context.Background(), func() {
		if _, err := loop.ScheduleTimer(time.Hour, func() {}); err != nil {
			t.Error(err)
		}
		if _, err := loop.ScheduleTimer(time.Hour, func() {}); err != nil {
			t.Error(err)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if err := loop.Close(); err != nil {
		t.Fatal(err)
	}
	<-loop.Done()
	if _, err := loop.ScheduleTimer(0, func() {}); err == nil {
		t.Error("a timer of a loop that has ended is accepted")
	}
	if err := loop.ScheduleMicrotask(func() {}); err == nil {
		t.Error("a microtask of a loop that has ended is accepted")
	}
	m := inspect.ReadMetrics(loop)
	if m.Panics != 2 || m.Rejections != 1 || m.Slow == 0 || m.Slow > m.Ran.Total() || m.Refused != 3 || m.Dropped != 2 {
		t.Errorf("%d panics, %d rejections, %d slow of %d, %d refused, %d dropped", m.Panics, m.Rejections, m.Slow, m.Ran.Total(), m.Refused, m.Dropped)
	}
	if window := m.Sub(before); window.Refused != 2 || window.Dropped != 2 || m.Add(m).Panics != 4 {
		t.Errorf("a window has %d refused and %d dropped, and two loops %d panics", window.Refused, window.Dropped, m.Add(m).Panics)
	}
}
