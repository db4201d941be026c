package looptest_test

import (
	"context"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/looptest"
	"github.com/eventloop-go/eventloop/promise"
)

func TestOneAdvanceIsNotCutShortByAnother(t *testing.T) {
	l := looptest.New(t)
	tick := l.NewTicker(eventloop.SkipMissed, func() {})
	_ = tick.Reset(time.Minute)
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 100 {
				d := rand.N(time.Hour)
				before := l.Elapsed()
				if l.Advance(d); l.Elapsed() < before+d {
					t.Errorf("%v passed of %v", l.Elapsed()-before, d)
				}
			}
		}()
	}
	wg.Wait()
	tick.Stop()
}

func TestTheClockJumpsUntilAllWhoWantThatAreDone(t *testing.T) {
	l := looptest.New(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(2)
		go func() {
			defer wg.Done()
			for range 50 {
				l.AutoJump(func() {
					if _, err := promise.Sleep(context.Background(), l.Loop, rand.N(time.Hour)).Wait(context.Background()); err != nil {
						t.Error(err)
					}
				})
			}
		}()
		go func() {
			defer wg.Done()
			for range 50 {
				before := l.Elapsed()
				if l.Advance(time.Minute); l.Elapsed() < before+time.Minute {
					t.Errorf("%v passed of a minute", l.Elapsed()-before)
				}
			}
		}()
	}
	wg.Wait()
	at := l.Elapsed()
	fired := false
	timer, _ := l.ScheduleTimer(time.Hour, func() { fired = true })
	l.WaitIdle()
	if timer.Stop(); fired || l.Elapsed() != at {
		t.Errorf("the clock moved by %v when nobody wanted it to", l.Elapsed()-at)
	}
}

// The loop cannot know of data in flight: Hold is for that.
func TestWaitIdleWaitsForDataThatTheClockIsHeldFor(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	defer reader.Close()
	l := looptest.New(t)
	_, _ = l.ScheduleTimer(time.Hour, func() { l.Mark("time out") })
	release := l.Hold()
	got, buffer := 0, make([]byte, 8)
	var watch *eventloop.Watch
	err = l.Do(context.Background(), func() {
		watch, err = l.Watch(reader, eventloop.EventRead, func(eventloop.IOEvents) {
			n, _ := reader.Read(buffer)
			if got += n; got == 100 {
				l.Mark("all")
				_ = watch.Close()
				release()
			}
		})
		if err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for range 100 {
			_, _ = writer.Write([]byte{1})
			runtime.Gosched()
		}
	}()
	l.Advance(2 * time.Hour)
	l.Trace().Expect(t, "0s poll all\n1h0m0s timers time out")
}

// Others submit, schedule, cancel, hold and spend while the test waits for the loop to be idle.
func TestWaitIdleReturnsBetweenWhatOthersDo(t *testing.T) {
	l := looptest.New(t)
	var begun, ran atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 200 {
				switch rand.IntN(5) {
				case 0:
					begun.Add(1)
					_ = l.Submit(func() { ran.Add(1); l.Spend(time.Second) })
				case 1:
					begun.Add(1)
					_, _ = l.ScheduleTimer(rand.N(time.Hour), func() { ran.Add(1) })
				case 2:
					timer, _ := l.ScheduleTimer(rand.N(time.Hour), func() {})
					timer.Stop()
				case 3:
					release := l.Hold()
					runtime.Gosched()
					release()
				case 4:
					l.WaitIdle()
				}
			}
		}()
	}
	wg.Wait()
	l.Advance(1000 * time.Hour)
	if begun.Load() != ran.Load() {
		t.Errorf("%d of %d ran", ran.Load(), begun.Load())
	}
}

func TestADrainIsLimitedByTheLoopsClock(t *testing.T) {
	for name, busy := range map[string]bool{"asleep": false, "busy": true} {
		t.Run(name, func(t *testing.T) {
			l := looptest.New(t, eventloop.WithDrainTimeout(time.Hour))
			h := adapter.Of(l.Loop)
			var again func()
			again = func() {
				l.Spend(time.Minute)
				_ = l.SubmitInternal(again)
			}
			_ = l.Submit(func() {
				h.Hold(1)
				if busy {
					again()
				}
				ctx, cancel := context.WithCancel(context.Background())
				cancel()
				_ = l.Shutdown(ctx)
			})
			l.AutoJump(func() { <-l.Done() })
			if e := l.Elapsed(); e < time.Hour || e > time.Hour+2*time.Minute {
				t.Errorf("it was closed after %v", e)
			}
		})
	}
}

func TestAWatchdogGoesByTheLoopsClock(t *testing.T) {
	const threshold = time.Hour
	var reports []inspect.SlowCallback
	var within time.Duration // when the callback in progress has begun
	watch := inspect.WithWatchdog(threshold, func(s inspect.SlowCallback) { reports = append(reports, s) })
	looptest.Run(t, func(loop *looptest.Loop) {
		spend := func(at time.Duration, reported int, spent ...time.Duration) {
			_, err := loop.ScheduleTimer(at, func() {
				within = loop.Elapsed()
				before := len(reports)
				for _, d := range spent {
					loop.Spend(d)
				}
				if got := len(reports) - before; got != reported {
					t.Errorf("%v: %d reports, want %d", spent, got, reported)
				}
				for _, r := range reports[before:] {
					if r.Took < threshold || r.Took > threshold*3/2 || !r.Running || !strings.Contains(string(r.Stack), "TestAWatchdogGoesByTheLoopsClock") {
						t.Errorf("%v: reported after %v, running: %v, with the stack\n%s", spent, r.Took, r.Running, r.Stack)
					}
				}
				if took := loop.Elapsed() - within; took != sum(spent) {
					t.Errorf("%v took %v", spent, took)
				}
			})
			if err != nil {
				t.Error(err)
			}
		}
		spend(time.Minute, 0)
		spend(10*time.Hour, 0, threshold/2, threshold/3)
		spend(20*time.Hour, 1, 3*threshold)
		spend(30*time.Hour, 1, threshold/2, threshold/2, threshold/2, 1000*threshold)
		spend(2000*time.Hour, 0, threshold-1)
	}, watch)
	if len(reports) != 2 {
		t.Errorf("%d reports, want 2", len(reports))
	}
}

func sum(all []time.Duration) (total time.Duration) {
	for _, d := range all {
		total += d
	}
	return total
}
