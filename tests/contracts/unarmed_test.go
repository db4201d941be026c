package contracts_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

func TestTimerFromOutsideCanUseItsOwnHandle(t *testing.T) {
	for range 100 { // under -race, which knows the order of events
		l := running(t)
		fired := make(chan int)
		var timer eventloop.Timer
		n := 0
		timer = l.NewTimer(func() {
			if n++; n < 3 {
				testkit.Must(t, timer.Reset(0))
				return
			}
			timer.Stop()
			fired <- n
		})
		testkit.Must(t, timer.Reset(0))
		if n := testkit.Await(t, "the third time", fired); n != 3 {
			t.Fatalf("fired %d times", n)
		}
	}
}

func TestTickerFromOutsideCanStopItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := eventloop.New()
		result := testkit.Launch(l)
		var ticker eventloop.Timer
		var at []time.Duration
		start := time.Now()
		ticker = l.NewTicker(eventloop.SkipMissed, func() {
			if at = append(at, time.Since(start)); len(at) == 3 && !ticker.Stop() {
				t.Error("the ticker was not armed")
			}
		})
		testkit.Must(t, ticker.Reset(time.Second))
		time.Sleep(time.Minute)
		testkit.Must(t, l.Shutdown(t.Context()))
		testkit.Must(t, <-result)
		if len(at) != 3 || at[0] != time.Second || at[2] != 3*time.Second {
			t.Errorf("ticked at %v", at)
		}
	})
}

func TestTimerThatIsCancelledBeforeItIsArmed(t *testing.T) {
	l := eventloop.New()
	timer := l.NewTimer(func() { t.Error("it fired") })
	if l.CancelTimer(timer) {
		t.Error("it was pending")
	}
	if err := timer.Reset(0); !errors.Is(err, eventloop.ErrTimerCancelled) {
		t.Errorf("Reset: %v", err)
	}
	if err := l.NewTicker(eventloop.SkipMissed, func() {}).Reset(0); !errors.Is(err, eventloop.ErrInvalid) {
		t.Errorf("Reset of a ticker without a period: %v", err)
	}
	for name, none := range map[string]eventloop.Timer{
		"nil callback": l.NewTimer(nil),
		"zero loop":    new(eventloop.Loop).NewTimer(func() {}),
	} {
		if err := none.Reset(0); none != (eventloop.Timer{}) || !errors.Is(err, eventloop.ErrTimerCancelled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
