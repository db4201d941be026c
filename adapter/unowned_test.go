package adapter_test

import (
	"context"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
)

type counter struct{ n *int }

func (c counter) Run() { *c.n++ }

// The goroutine that will call Run may use the lock-free calls before. Meanwhile another goroutine may close or run
// the loop.
func TestWhatSkipsTheLockMayMeetCloseBeforeRun(t *testing.T) {
	for range 200 {
		loop := eventloop.New()
		h := adapter.Of(loop)
		n := 0
		go func() { _ = loop.Close() }()
		for {
			h.Enqueue(counter{&n})
			if _, err := h.ScheduleTimer(0, func() { n++ }); err != nil {
				break
			}
		}
		<-loop.Done()
		if n != 0 {
			t.Fatal("something has run on a loop that nobody runs")
		}
	}
}

func TestWhatSkipsTheLockKeepsItsOrderBeforeRun(t *testing.T) {
	loop := eventloop.New(eventloop.WithAutoExit())
	h := adapter.Of(loop)
	var log []int
	add := func(i int) func() { return func() { log = append(log, i) } }
	_, _ = h.ScheduleTimer(0, add(3))
	_, _ = loop.ScheduleTimer(0, add(4))
	_, _ = h.ScheduleTimer(0, add(5))
	h.Enqueue(jobOf(add(0)))
	_ = loop.ScheduleMicrotask(add(1))
	h.Enqueue(jobOf(add(2)))
	if err := loop.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	for i, v := range log {
		if v != i {
			t.Fatalf("order %v", log)
		}
	}
	if len(log) != 6 {
		t.Errorf("order %v", log)
	}
}

type jobOf func()

func (f jobOf) Run() { f() }
