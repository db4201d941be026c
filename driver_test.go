package eventloop

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop/internal/testkit"
)

// driven returns a driver whose loop is closed when the test ends.
func driven(t *testing.T, opts ...Option) (*Loop, *driver) {
	t.Helper()
	l := New(opts...)
	d, err := l.drive()
	testkit.Must(t, err)
	t.Cleanup(func() { testkit.Must(t, d.Close()) })
	return l, d
}

func runReady(t *testing.T, d *driver, wantMore bool) {
	t.Helper()
	more, err := d.RunReady()
	testkit.Must(t, err)
	if more != wantMore {
		t.Errorf("more %v, want %v", more, wantMore)
	}
}

// drain receives all tokens of Ready.
func drain(d *driver) {
	for {
		select {
		case <-d.Ready():
		default:
			return
		}
	}
}

func TestRunReadyRunsOneTurnAndDoesNotWait(t *testing.T) {
	l, d := driven(t)
	var j testkit.Journal
	runReady(t, d, false)
	testkit.Must(t, l.Submit(func() {
		j.Say("task")
		testkit.Must(t, l.Submit(j.Does("next")))
		testkit.Must(t, l.ScheduleImmediate(j.Does("immediate")))
		testkit.Must(t, l.ScheduleMicrotask(j.Does("microtask")))
	}))
	runReady(t, d, true)
	j.Expect(t, "task microtask immediate")
	runReady(t, d, false)
	j.Expect(t, "task microtask immediate next")
}

func TestReadyDeliversWhenSomethingMayRun(t *testing.T) {
	l, d := driven(t)
	count := 0
	for i := range 1000 {
		go func() { _ = l.Submit(func() { count++ }) }()
		if i%3 == 0 {
			_, err := l.ScheduleTimer(time.Microsecond, func() { count++ })
			testkit.Must(t, err)
		}
	}
	for count < 1334 {
		testkit.Await(t, "ready", d.Ready())
		_, err := d.RunReady()
		testkit.Must(t, err)
	}
}

func TestRunOnceWaitsForWorkAsLongAsItIsAllowedTo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New()
		d, err := l.drive()
		testkit.Must(t, err)
		drain(d)
		_, err = d.RunReady()
		testkit.Must(t, err)
		synctest.Wait()
		drain(d)
		began := time.Now()
		_, err = d.RunOnce(time.Second)
		testkit.Must(t, err)
		if took := time.Since(began); took != time.Second {
			t.Errorf("waited %v for nothing, want 1s", took)
		}
		ran := time.Duration(0)
		_, err = l.ScheduleTimer(300*time.Millisecond, func() { ran = time.Since(began) })
		testkit.Must(t, err)
		synctest.Wait()
		drain(d)
		began = time.Now()
		for ran == 0 {
			_, err = d.RunOnce(time.Hour)
			testkit.Must(t, err)
		}
		if ran != 300*time.Millisecond {
			t.Errorf("the timer ran after %v", ran)
		}
		testkit.Must(t, d.Close())
	})
}

func TestADrivenLoopDoesNotEndWhenNothingIsLeft(t *testing.T) {
	l, d := driven(t, WithAutoExit())
	ran := 0
	for range 3 {
		testkit.Must(t, l.Submit(func() { ran++ }))
		if !d.Alive() {
			t.Error("not alive with a task")
		}
		runReady(t, d, false)
		if d.Alive() {
			t.Error("alive with nothing left")
		}
	}
	timer, err := l.ScheduleTimer(time.Hour, func() {})
	testkit.Must(t, err)
	if !d.Alive() {
		t.Error("not alive with a timer")
	}
	timer.Stop()
	runReady(t, d, false)
	if ran != 3 {
		t.Errorf("%d tasks ran", ran)
	}
}

func TestADrivenLoopEndsAsOneThatRuns(t *testing.T) {
	t.Run("Close of the driver", func(t *testing.T) {
		l, d := driven(t)
		ran := 0
		testkit.Must(t, l.Submit(func() { ran++; testkit.Must(t, l.SubmitInternal(func() { ran++ })) }))
		testkit.Must(t, d.Close())
		testkit.Must(t, d.Close())
		if ran != 2 {
			t.Errorf("%d tasks ran", ran)
		}
		if _, err := d.RunReady(); err != ErrLoopTerminated {
			t.Errorf("RunReady after the end: %v", err)
		}
		if err := l.Submit(func() {}); err != ErrLoopTerminated {
			t.Errorf("Submit after the end: %v", err)
		}
		testkit.Await(t, "ready at the end", d.Ready())
	})
	t.Run("Shutdown by another goroutine", func(t *testing.T) {
		l, d := driven(t)
		ended := make(chan error, 1)
		go func() { ended <- l.Shutdown(context.Background()) }()
		for err := error(nil); err == nil; {
			testkit.Await(t, "ready", d.Ready())
			_, err = d.RunReady()
		}
		testkit.Must(t, testkit.Await(t, "Shutdown", ended))
	})
	t.Run("Close of the loop", func(t *testing.T) {
		l := New()
		d, err := l.drive()
		testkit.Must(t, err)
		testkit.Must(t, l.Submit(func() { t.Error("ran after Close") }))
		testkit.Must(t, l.Close())
		if _, err := d.RunReady(); err == nil || err == ErrLoopTerminated {
			t.Errorf("RunReady: %v, want a ClosedError", err)
		}
		testkit.Must(t, d.Close())
	})
}

func TestADrivenLoopHasOneOwner(t *testing.T) {
	l, d := driven(t)
	testkit.Must(t, l.Submit(func() {
		if _, err := d.RunReady(); err != ErrLoopRunning {
			t.Errorf("RunReady in a callback: %v", err)
		}
		if !l.onLoop() {
			t.Error("a callback is not on the loop")
		}
	}))
	runReady(t, d, false)
	if l.onLoop() {
		t.Error("on the loop between turns")
	}
	if err := l.Run(context.Background()); err != ErrLoopRunning {
		t.Errorf("Run: %v", err)
	}
	if _, err := l.drive(); err != ErrLoopRunning {
		t.Errorf("Drive: %v", err)
	}
	count := 0
	for range 10 { // one after the other, from different goroutines
		testkit.Must(t, l.Submit(func() { count++ }))
		var wait sync.WaitGroup
		wait.Go(func() { _, _ = d.RunReady() })
		wait.Wait()
	}
	if count != 10 {
		t.Errorf("%d tasks ran", count)
	}
}

// The caller that was refused may have taken the only token of Ready.
func TestReadyDeliversAgainForWorkWhoseCallerWasRefused(t *testing.T) {
	l, d := driven(t)
	testkit.Must(t, l.Submit(func() {
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			testkit.Must(t, l.Submit(func() {}))
			drain(d)
			if _, err := d.RunReady(); err != ErrLoopRunning {
				t.Errorf("RunReady during a call: %v", err)
			}
		}()
		<-ended
	}))
	runReady(t, d, true)
	testkit.Await(t, "ready", d.Ready())
}

// A panic handler is user code: it has the loop's identity, whichever way the callback ended.
func TestThePanicHandlerOfADrivenLoopIsOnTheLoop(t *testing.T) {
	var l *Loop
	ran := 0
	l, d := driven(t, WithPanicHandler(func(*PanicError) {
		if err := l.Do(testkit.Bounded(t), func() { ran++ }); err != nil {
			t.Errorf("Do: %v", err)
		}
		if err := l.Shutdown(testkit.Bounded(t)); err != ErrOnLoop {
			t.Errorf("Shutdown: %v", err)
		}
	}))
	testkit.Must(t, l.Submit(func() { panic("oops") }))
	testkit.Must(t, l.Submit(runtime.Goexit))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = d.RunReady()
	}()
	testkit.Await(t, "the goroutine that Goexit ends", ended)
	if ran != 2 {
		t.Errorf("%d of 2 calls ran", ran)
	}
}

func TestRunOnceWaitsThoughATokenIsOutOfDate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, d := driven(t)
		for range 3 { // each leaves a token behind
			testkit.Must(t, l.Submit(func() {}))
			runReady(t, d, false)
		}
		began := time.Now()
		_, err := d.RunOnce(5 * time.Second)
		testkit.Must(t, err)
		if waited := time.Since(began); waited != 5*time.Second {
			t.Errorf("RunOnce(5s) has waited %v", waited)
		}
	})
}

// A goroutine that listens to Ready takes no wake-up away from one that waits in RunOnce.
func TestRunOnceIsWokenThoughAnotherGoroutineListensToReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, d := driven(t)
		stop := make(chan struct{})
		go func() {
			for {
				select {
				case <-d.Ready():
				case <-stop:
					return
				}
			}
		}()
		defer close(stop)
		for range 100 {
			synctest.Wait()
			ran := false
			go func() { time.Sleep(time.Millisecond); testkit.Must(t, l.Submit(func() { ran = true })) }()
			began := time.Now()
			for !ran {
				_, err := d.RunOnce(time.Hour)
				testkit.Must(t, err)
			}
			if waited := time.Since(began); waited > time.Second {
				t.Fatalf("RunOnce was woken after %v", waited)
			}
		}
	})
}

func TestPanicAndGoexitInADrivenLoopLoseNoOtherCallback(t *testing.T) {
	var h heard
	l, d := driven(t, h.option())
	var j testkit.Journal
	for _, fn := range []func(){func() { panic("oops") }, j.Does("after the panic"), runtime.Goexit, j.Does("after Goexit")} {
		testkit.Must(t, l.Submit(fn))
	}
	ended := make(chan bool, 1)
	go func() {
		returned := false
		defer func() { ended <- returned }()
		_, _ = d.RunReady()
		returned = true
	}()
	if testkit.Await(t, "the goroutine", ended) {
		t.Error("Goexit did not end the goroutine that drove the loop")
	}
	testkit.Await(t, "ready", d.Ready())
	runReady(t, d, false)
	j.Expect(t, "after the panic after Goexit")
	if len(h) != 2 || h[1].Value != ErrGoexit {
		t.Errorf("the handler has heard %v", h)
	}
}

// The stack of a goroutine that a callback has ended still has the call of the loop on it, while deferred functions run.
func TestAGoroutineThatACallbackHasEndedIsNotOnTheDrivenLoop(t *testing.T) {
	l := New(WithPanicHandler(func(*PanicError) {}))
	d, err := l.drive()
	testkit.Must(t, err)
	testkit.Must(t, l.Submit(func() { runtime.Goexit() }))
	ended, checked := make(chan struct{}), make(chan struct{})
	inside := make(chan struct{})
	go func() {
		defer close(checked)
		defer func() {
			close(ended)
			<-inside
			if l.onLoop() {
				t.Error("it is taken for the goroutine that drives the loop now")
			}
		}()
		_, _ = d.RunReady()
	}()
	<-ended
	testkit.Must(t, l.Submit(func() {
		if !l.onLoop() {
			t.Error("a callback is not on the loop")
		}
		close(inside)
		<-checked
	}))
	for range 3 {
		if _, err := d.RunReady(); err != nil {
			t.Fatal(err)
		}
	}
	testkit.Must(t, d.Close())
}
