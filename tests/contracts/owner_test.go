package contracts_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

func TestOwnerKnowsWhetherTheLoopSlept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := eventloop.New(eventloop.WithAutoExit())
		var slept []bool
		look := func() { slept = append(slept, adapter.Of(l).Slept()) }
		testkit.Must(t, l.Submit(look)) // it never slept
		testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(time.Second, func() {
			look() // the alarm woke it
			testkit.Must(t, l.Submit(func() {
				look() // still the same turn
				time.Sleep(time.Second)
			}))
		}))
		testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(3*time.Second/2, look)) // the task kept it awake
		testkit.Must(t, l.Run(context.Background()))
		if want := []bool{false, true, true, false}; !slices.Equal(slept, want) {
			t.Errorf("got %v, want %v", slept, want)
		}
	})
}

func TestAJobLearnsThatTheLoopIsBeingClosed(t *testing.T) {
	l := eventloop.New()
	var before, after bool
	_ = l.Submit(func() {
		before = adapter.Of(l).Closing()
		_ = l.Close()
		after = adapter.Of(l).Closing()
	})
	_ = l.Run(context.Background())
	if before || !after {
		t.Fatalf("before %v, after %v", before, after)
	}
}
