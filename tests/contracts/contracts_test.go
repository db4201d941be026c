package contracts_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// Every contract of docs/design.md has one test here that carries its name. The files beside this one go into depth.

// Callbacks of every kind, handed in by many goroutines, run one at a time, on the goroutine that called Run.
func TestContract1_OneOwner(t *testing.T) {
	const producers, each = 8, 500
	l := eventloop.New()
	var owner string // written before Run
	result := make(chan error, 1)
	var inside, count int // not atomic: the race detector sees a second owner, and so does the count
	visit := func() {
		if inside++; inside != 1 {
			t.Error("two callbacks at a time")
		}
		if id := goroutineID(); id != owner {
			t.Errorf("on goroutine %s, Run is on %s", id, owner)
		}
		count++
		inside--
	}
	go func() {
		owner = goroutineID()
		result <- l.Run(context.Background())
	}()
	var wg sync.WaitGroup
	for range producers {
		wg.Go(func() {
			for range each {
				for _, err := range []error{
					l.Submit(visit), l.SubmitInternal(visit), l.ScheduleImmediate(visit),
					l.ScheduleMicrotask(visit), l.NextTick(visit),
				} {
					if err != nil {
						t.Error(err)
					}
				}
				fired := make(chan struct{})
				if _, err := l.ScheduleTimer(0, func() { visit(); close(fired) }); err != nil {
					t.Error(err)
				}
				testkit.Await(t, "a timer", fired)
			}
		})
	}
	wg.Wait()
	testkit.Must(t, l.Shutdown(testkit.Bounded(t)))
	testkit.Must(t, testkit.Await(t, "Run", result))
	if want := producers * each * 6; count != want {
		t.Errorf("%d callbacks ran, want %d", count, want)
	}
}

// Submit either accepts a task, which then runs before Run returns, or refuses it with an error, and then it never
// runs. shutdown_test.go races the two.
func TestContract2_AcceptedMeansExecuted(t *testing.T) {
	l := eventloop.New()
	var log testkit.Journal
	testkit.Must(t, l.Submit(func() {
		log.Say("first")
		if err := l.Shutdown(context.Background()); !errors.Is(err, eventloop.ErrOnLoop) {
			t.Errorf("Shutdown in a callback: %v", err)
		}
		if err := l.Submit(log.Does("refused")); !errors.Is(err, eventloop.ErrLoopTerminated) {
			t.Errorf("Submit after Shutdown: %v", err)
		}
		testkit.Must(t, l.ScheduleMicrotask(log.Does("micro")))
		testkit.Must(t, l.NextTick(log.Does("tick")))
		testkit.Must(t, l.SubmitInternal(log.Does("internal")))
	}))
	testkit.Must(t, l.Submit(log.Does("second")))
	testkit.Must(t, l.ScheduleImmediate(log.Does("immediate")))
	testkit.Must(t, l.Run(testkit.Bounded(t)))
	log.Expect(t, "first tick micro second immediate internal")
	if d := l.Dropped(); d != (eventloop.Dropped{}) {
		t.Errorf("dropped %+v", d)
	}
}

// One producer's tasks are FIFO, timers run by deadline and then sequence, phases in Node's order. order_test.go has
// the phases in detail.
func TestContract3_Order(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log testkit.Journal
		l := eventloop.New(eventloop.WithAutoExit())
		at := time.Now()
		timer := func(ms int, name string) {
			testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(time.Duration(ms)*time.Millisecond, func() {
				log.Say(fmt.Sprintf("%s@%d", name, time.Since(at).Milliseconds()))
			}))
		}
		timer(2, "c")
		timer(1, "a")
		timer(2, "d")
		timer(1, "b")
		timer(-1, "due")
		testkit.Must(t, l.ScheduleImmediate(log.Does("immediate")))
		testkit.Must(t, l.Submit(log.Does("external1")))
		testkit.Must(t, l.Submit(log.Does("external2")))
		testkit.Must(t, l.SubmitInternal(log.Does("internal")))
		testkit.Must(t, l.ScheduleMicrotask(log.Does("micro")))
		testkit.Must(t, l.NextTick(log.Does("tick")))
		testkit.Must(t, l.Run(testkit.Bounded(t)))
		log.Expect(t, "tick micro due@0 internal external1 external2 immediate a@1 b@1 c@2 d@2")
	})
}

// Work of any kind wakes a sleeping loop. Without work, no turn begins. poll_test.go, beside the loop, repeats the
// first part a million times and watches the second.
func TestContract4_NoLostWakeUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := running(t)
		kinds := map[string]func(func()) error{
			"Submit":            l.Submit,
			"SubmitInternal":    l.SubmitInternal,
			"ScheduleImmediate": l.ScheduleImmediate,
			"ScheduleMicrotask": l.ScheduleMicrotask,
			"NextTick":          l.NextTick,
			"ScheduleTimer due": func(fn func()) error { _, err := l.ScheduleTimer(0, fn); return err },
			"ScheduleTimer":     func(fn func()) error { _, err := l.ScheduleTimer(time.Microsecond, fn); return err },
			"Do":                func(fn func()) error { return l.Do(context.Background(), fn) },
		}
		for name, schedule := range kinds {
			for range 100 {
				synctest.Wait() // until it sleeps
				woken := make(chan struct{})
				testkit.Must(t, schedule(func() { close(woken) }))
				testkit.Await(t, name, woken)
			}
		}
	})
}

// A panic, panic(nil) or Goexit in a callback reaches the handler and costs no other callback.
func TestContract5_Isolation(t *testing.T) {
	var log testkit.Journal
	var errs heard
	l := eventloop.New(eventloop.WithAutoExit(), errs.option())
	for _, c := range []struct {
		name string
		end  func()
	}{
		{"panic", func() { panic("oops") }},
		{"nil", func() { panic(nil) }},
		{"goexit", runtime.Goexit},
	} {
		testkit.Must(t, l.Submit(func() {
			testkit.Must(t, l.ScheduleMicrotask(log.Does(c.name+"-micro")))
			testkit.Must(t, l.NextTick(log.Does(c.name+"-tick")))
			c.end()
		}))
		testkit.Must(t, l.Submit(log.Does(c.name+"-next")))
	}
	testkit.Await(t, "Run", testkit.Launch(l)) // it returns no error: Goexit ends its goroutine
	testkit.Await(t, "Done", l.Done())
	log.Expect(t, "panic-tick panic-micro panic-next nil-tick nil-micro nil-next goexit-tick goexit-micro goexit-next")
	if len(errs) != 3 {
		t.Fatalf("the handler heard %d times, want 3: %v", len(errs), errs)
	}
	var nilPanic *runtime.PanicNilError
	if errs[0].Value != "oops" || !errors.As(errs[1], &nilPanic) || !errors.Is(errs[2], eventloop.ErrGoexit) {
		t.Errorf("the handler heard %v", errs)
	}
}

// Memory of a burst goes back to the garbage collector when the loop has drained it. memory_test.go has the figures
// of every queue.
func TestContract6_BoundedMemory(t *testing.T) {
	nothing := func() {}
	if kept := afterBurst(t, func(l *eventloop.Loop) {
		_ = l.Submit(func() {
			for range 200_000 {
				_, _, _ = l.Submit(nothing), l.SubmitInternal(nothing), l.ScheduleImmediate(nothing)
				_, _ = l.NextTick(nothing), l.ScheduleMicrotask(nothing)
				_, _ = l.ScheduleTimer(0, nothing)
			}
		})
	}); kept > mebibyte {
		t.Errorf("%d KiB stay", kept/1024)
	}
}

// Any goroutine may call everything at any time. Meaningless calls return errors; badinput_test.go lists them.
func TestContract7_AnyGoroutine(t *testing.T) {
	l := running(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 200 {
				h, err := l.ScheduleTimer(time.Duration(i%3)*time.Microsecond, func() {})
				if err != nil {
					t.Error(err)
				}
				r, err := l.ScheduleRepeating(time.Microsecond, func() {})
				if err != nil {
					t.Error(err)
				}
				token, err := l.KeepAlive()
				if err != nil {
					t.Error(err)
				}
				h.Unref()
				h.Ref()
				if err := h.Reset(time.Hour); err != nil {
					t.Error(err)
				}
				if err := r.Reset(time.Microsecond); err != nil {
					t.Error(err)
				}
				if !h.Stop() || h.Stop() {
					t.Error("a timer due in an hour was not stopped exactly once")
				}
				if n := l.CancelTimers(h, r); n != 1 {
					t.Errorf("CancelTimers: %d, want 1: one of the two was stopped", n)
				}
				if err := l.Do(context.Background(), func() {}); err != nil {
					t.Error(err)
				}
				token()
			}
		})
	}
	wg.Wait()
	if err := l.Run(context.Background()); !errors.Is(err, eventloop.ErrLoopRunning) {
		t.Errorf("second Run: %v", err)
	}
	var ends []error
	results := make(chan error, 3)
	for range cap(results) {
		go func() { results <- l.Shutdown(context.Background()) }()
	}
	for range cap(results) {
		ends = append(ends, testkit.Await(t, "Shutdown", results))
	}
	if slices.ContainsFunc(ends, func(err error) bool { return err != nil }) {
		t.Errorf("Shutdown from three goroutines: %v", ends)
	}
}
