package eventloop

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestTimerFromOutsideCanUseItsOwnHandle(t *testing.T) {
	for range 100 { // under -race, which knows the order of events
		l := running(t)
		fired := make(chan int)
		var timer Timer
		n := 0
		timer = l.NewTimer(func() {
			if n++; n < 3 {
				must(t, timer.Reset(0))
				return
			}
			timer.Stop()
			fired <- n
		})
		must(t, timer.Reset(0))
		if n := await(t, "the third time", fired); n != 3 {
			t.Fatalf("fired %d times", n)
		}
	}
}

func TestTickerFromOutsideCanStopItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New()
		result := launch(l)
		var ticker Timer
		var at []time.Duration
		start := time.Now()
		ticker = l.NewTicker(SkipMissed, func() {
			if at = append(at, time.Since(start)); len(at) == 3 && !ticker.Stop() {
				t.Error("the ticker was not armed")
			}
		})
		must(t, ticker.Reset(time.Second))
		time.Sleep(time.Minute)
		must(t, l.Shutdown(t.Context()))
		must(t, <-result)
		if len(at) != 3 || at[0] != time.Second || at[2] != 3*time.Second {
			t.Errorf("ticked at %v", at)
		}
	})
}

func TestTimerThatIsNotArmed(t *testing.T) {
	for name, make := range map[string]func(*Loop, func()) Timer{
		"NewTimer":  (*Loop).NewTimer,
		"NewTicker": func(l *Loop, fn func()) Timer { return l.NewTicker(99, fn) },
	} {
		t.Run(name, func(t *testing.T) {
			l := New(WithAutoExit(), WithMetrics())
			fired := 0
			var timer Timer
			timer = make(l, func() {
				fired++
				timer.Stop()
			})
			if timer.Stop() || l.Metrics().Queued.Timers != 0 || l.live.Load() != 0 {
				t.Error("it is armed from the start")
			}
			timer.Unref()
			must(t, timer.Reset(time.Hour))
			if l.live.Load() != 0 || !timer.Stop() || timer.Stop() {
				t.Error("Unref before Reset, Stop")
			}
			timer.Ref()
			if l.live.Load() != 0 {
				t.Error("Ref counts a timer that is not armed")
			}
			must(t, timer.Reset(time.Nanosecond))
			must(t, l.Run(bounded(t))) // its reference keeps the loop open
			if fired != 1 || timer.Reset(1) != ErrLoopTerminated || l.Dropped().Timers != 0 {
				t.Errorf("fired %d times, then Reset: %v", fired, timer.Reset(1))
			}
		})
	}
}

func TestTimerThatIsCancelledBeforeItIsArmed(t *testing.T) {
	l := New()
	timer := l.NewTimer(func() { t.Error("it fired") })
	if l.CancelTimer(timer) {
		t.Error("it was pending")
	}
	if err := timer.Reset(0); !errors.Is(err, ErrTimerCancelled) {
		t.Errorf("Reset: %v", err)
	}
	if err := l.NewTicker(SkipMissed, func() {}).Refresh(); !errors.Is(err, ErrInvalidPeriod) {
		t.Errorf("Refresh of a ticker without a period: %v", err)
	}
	for name, none := range map[string]Timer{
		"nil callback": l.NewTimer(nil),
		"zero loop":    new(Loop).NewTimer(func() {}),
	} {
		if err := none.Reset(0); none != (Timer{}) || !errors.Is(err, ErrTimerCancelled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
