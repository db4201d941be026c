package eventloop

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// driven returns a driver whose loop is closed when the test ends.
func driven(t *testing.T, opts ...Option) (*Loop, *Driver) {
	t.Helper()
	l := New(opts...)
	d, err := l.Drive()
	must(t, err)
	t.Cleanup(func() { must(t, d.Close()) })
	return l, d
}

func runReady(t *testing.T, d *Driver, wantMore bool) {
	t.Helper()
	more, err := d.RunReady()
	must(t, err)
	if more != wantMore {
		t.Errorf("more %v, want %v", more, wantMore)
	}
}

// drain takes what Ready has to deliver.
func drain(d *Driver) {
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
	var j journal
	runReady(t, d, false)
	must(t, l.Submit(func() {
		j.say("task")
		must(t, l.Submit(j.does("next")))
		must(t, l.ScheduleImmediate(j.does("immediate")))
		must(t, l.ScheduleMicrotask(j.does("microtask")))
	}))
	runReady(t, d, true)
	j.expect(t, "task microtask immediate")
	runReady(t, d, false)
	j.expect(t, "task microtask immediate next")
}

func TestReadyDeliversWhenSomethingMayRun(t *testing.T) {
	l, d := driven(t)
	count := 0
	for i := range 1000 {
		go func() { _ = l.Submit(func() { count++ }) }()
		if i%3 == 0 {
			_, err := l.ScheduleTimer(time.Microsecond, func() { count++ })
			must(t, err)
		}
	}
	for count < 1334 {
		await(t, "ready", d.Ready())
		_, err := d.RunReady()
		must(t, err)
	}
}

func TestRunOnceWaitsForWorkAsLongAsItIsAllowedTo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New()
		d, err := l.Drive()
		must(t, err)
		drain(d)
		_, err = d.RunReady()
		must(t, err)
		synctest.Wait()
		drain(d)
		began := time.Now()
		_, err = d.RunOnce(time.Second)
		must(t, err)
		if took := time.Since(began); took != time.Second {
			t.Errorf("waited %v for nothing, want 1s", took)
		}
		ran := time.Duration(0)
		_, err = l.ScheduleTimer(300*time.Millisecond, func() { ran = time.Since(began) })
		must(t, err)
		synctest.Wait()
		drain(d)
		began = time.Now()
		for ran == 0 {
			_, err = d.RunOnce(time.Hour)
			must(t, err)
		}
		if ran != 300*time.Millisecond {
			t.Errorf("the timer ran after %v", ran)
		}
		must(t, d.Close())
	})
}

func TestADrivenLoopDoesNotEndWhenNothingIsLeft(t *testing.T) {
	l, d := driven(t, WithAutoExit())
	ran := 0
	for range 3 {
		must(t, l.Submit(func() { ran++ }))
		if !d.Alive() {
			t.Error("not alive with a task")
		}
		runReady(t, d, false)
		if d.Alive() {
			t.Error("alive with nothing left")
		}
	}
	timer, err := l.ScheduleTimer(time.Hour, func() {})
	must(t, err)
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
		must(t, l.Submit(func() { ran++; must(t, l.SubmitInternal(func() { ran++ })) }))
		must(t, d.Close())
		must(t, d.Close())
		if ran != 2 {
			t.Errorf("%d tasks ran", ran)
		}
		if _, err := d.RunReady(); err != ErrLoopTerminated {
			t.Errorf("RunReady after the end: %v", err)
		}
		if err := l.Submit(func() {}); err != ErrLoopTerminated {
			t.Errorf("Submit after the end: %v", err)
		}
		await(t, "ready at the end", d.Ready())
	})
	t.Run("Shutdown by another goroutine", func(t *testing.T) {
		l, d := driven(t)
		ended := make(chan error, 1)
		go func() { ended <- l.Shutdown(context.Background()) }()
		for err := error(nil); err == nil; {
			await(t, "ready", d.Ready())
			_, err = d.RunReady()
		}
		must(t, await(t, "Shutdown", ended))
	})
	t.Run("Close of the loop", func(t *testing.T) {
		l := New()
		d, err := l.Drive()
		must(t, err)
		must(t, l.Submit(func() { t.Error("ran after Close") }))
		must(t, l.Close())
		if _, err := d.RunReady(); err == nil || err == ErrLoopTerminated {
			t.Errorf("RunReady: %v, want a ClosedError", err)
		}
		must(t, d.Close())
	})
}

func TestADrivenLoopHasOneOwner(t *testing.T) {
	l, d := driven(t)
	must(t, l.Submit(func() {
		if _, err := d.RunReady(); err != ErrLoopRunning {
			t.Errorf("RunReady in a callback: %v", err)
		}
		if !l.OnLoop() {
			t.Error("a callback is not on the loop")
		}
	}))
	runReady(t, d, false)
	if l.OnLoop() {
		t.Error("on the loop between turns")
	}
	if err := l.Run(context.Background()); err != ErrLoopRunning {
		t.Errorf("Run: %v", err)
	}
	if _, err := l.Drive(); err != ErrLoopRunning {
		t.Errorf("Drive: %v", err)
	}
	count := 0
	for range 10 { // one after the other, from different goroutines
		must(t, l.Submit(func() { count++ }))
		var wait sync.WaitGroup
		wait.Go(func() { _, _ = d.RunReady() })
		wait.Wait()
	}
	if count != 10 {
		t.Errorf("%d tasks ran", count)
	}
}

// Whoever was refused may have taken the only thing that Ready had to deliver.
func TestReadyDeliversAgainToWhoWasRefused(t *testing.T) {
	l, d := driven(t)
	must(t, l.Submit(func() {
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			drain(d)
			if _, err := d.RunReady(); err != ErrLoopRunning {
				t.Errorf("RunReady during a call: %v", err)
			}
		}()
		<-ended
	}))
	runReady(t, d, false)
	await(t, "ready", d.Ready())
}

func TestPanicAndGoexitInADrivenLoopLoseNoOtherCallback(t *testing.T) {
	var h heard
	l, d := driven(t, h.option())
	var j journal
	for _, fn := range []func(){func() { panic("oops") }, j.does("after the panic"), runtime.Goexit, j.does("after Goexit")} {
		must(t, l.Submit(fn))
	}
	ended := make(chan bool, 1)
	go func() {
		returned := false
		defer func() { ended <- returned }()
		_, _ = d.RunReady()
		returned = true
	}()
	if await(t, "the goroutine", ended) {
		t.Error("Goexit did not end the goroutine that drove the loop")
	}
	await(t, "ready", d.Ready())
	runReady(t, d, false)
	j.expect(t, "after the panic after Goexit")
	if len(h) != 2 || h[1].Value != ErrGoexit {
		t.Errorf("the handler has heard %v", h)
	}
}

// The stack of a goroutine that a callback has ended still has the call of the loop on it, while deferred functions run.
func TestAGoroutineThatACallbackHasEndedIsNotOnTheDrivenLoop(t *testing.T) {
	l := New(WithPanicHandler(func(*PanicError) {}))
	d, err := l.Drive()
	must(t, err)
	must(t, l.Submit(func() { runtime.Goexit() }))
	ended, checked := make(chan struct{}), make(chan struct{})
	inside := make(chan struct{})
	go func() {
		defer close(checked)
		defer func() {
			close(ended)
			<-inside
			if l.OnLoop() {
				t.Error("it is taken for the goroutine that drives the loop now")
			}
		}()
		_, _ = d.RunReady()
	}()
	<-ended
	must(t, l.Submit(func() {
		if !l.OnLoop() {
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
	must(t, d.Close())
}
