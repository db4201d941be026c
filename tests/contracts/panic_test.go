package contracts_test

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// endings are the ways in which a callback may end without returning.
var endings = []struct {
	name string
	end  func()
	is   func(*eventloop.PanicError) bool
}{
	{"panic", func() { panic("oops") }, func(e *eventloop.PanicError) bool { return e.Value == "oops" }},
	{"panic(nil)", func() { panic(nil) }, func(e *eventloop.PanicError) bool {
		var nilPanic *runtime.PanicNilError
		return errors.As(e, &nilPanic)
	}},
	{"panic(error)", func() { panic(context.Canceled) }, func(e *eventloop.PanicError) bool { return errors.Is(e, context.Canceled) }},
	{"Goexit", runtime.Goexit, func(e *eventloop.PanicError) bool {
		return e.Value == eventloop.ErrGoexit && errors.Is(e, eventloop.ErrGoexit)
	}},
}

// kinds are the ways to schedule a callback.
var kinds = []struct {
	name     string
	schedule func(*eventloop.Loop, func()) error
}{
	{"timer", func(l *eventloop.Loop, fn func()) error { _, err := l.ScheduleTimer(0, fn); return err }},
	{"owner timer", func(l *eventloop.Loop, fn func()) error { _, err := adapter.Of(l).ScheduleTimer(0, fn); return err }},
	{"internal", (*eventloop.Loop).SubmitInternal},
	{"external", (*eventloop.Loop).Submit},
	{"immediate", (*eventloop.Loop).ScheduleImmediate},
	{"tick", (*eventloop.Loop).NextTick},
	{"micro", (*eventloop.Loop).ScheduleMicrotask},
	{"owner micro", func(l *eventloop.Loop, fn func()) error { adapter.Of(l).Enqueue(jobFunc(fn)); return nil }},
	{"afterward", func(l *eventloop.Loop, fn func()) error { adapter.Of(l).Afterward(jobFunc(fn)); return nil }},
}

// Two callbacks of every kind stand beside one that ends badly. They run in their order. The handler is called for
// the bad one, on the loop, with a stack that leads to it.
func TestCallbackThatEndsBadlyCostsNoOther(t *testing.T) {
	for _, k := range kinds {
		for _, e := range endings {
			t.Run(k.name+"/"+e.name, func(t *testing.T) {
				var log testkit.Journal
				var l *eventloop.Loop
				heard := 0
				l = eventloop.New(eventloop.WithAutoExit(), eventloop.WithPanicHandler(func(p *eventloop.PanicError) {
					heard++
					log.Say("handler")
					if !e.is(p) {
						t.Errorf("the handler heard %v", p)
					}
					if !adapter.Of(l).OnLoop() {
						t.Error("the handler is not on the loop")
					}
					if e.name != "Goexit" && !bytes.Contains(p.Stack, []byte("endsBadly")) {
						t.Errorf("the stack does not lead to the callback:\n%s", p.Stack)
					}
				}))
				testkit.Must(t, l.Submit(func() {
					testkit.Must(t, k.schedule(l, log.Does("before")))
					testkit.Must(t, k.schedule(l, func() { log.Say("bad"); endsBadly(e.end) }))
					testkit.Must(t, k.schedule(l, log.Does("after1")))
					testkit.Must(t, k.schedule(l, log.Does("after2")))
				}))
				testkit.Await(t, "Run", testkit.Launch(l))
				testkit.Await(t, "Done", l.Done())
				log.Expect(t, "before bad handler after1 after2")
				if heard != 1 {
					t.Errorf("the handler heard %d times", heard)
				}
			})
		}
	}
}

//go:noinline
func endsBadly(end func()) { end() }

// For all other callbacks, one that panics has returned. The work it scheduled follows it at once, and a checkpoint
// that was draining microtasks goes on with microtasks.
func TestOrderAroundACallbackThatEndsBadly(t *testing.T) {
	for _, e := range endings {
		t.Run(e.name, func(t *testing.T) {
			var log testkit.Journal
			var errs heard
			l := eventloop.New(eventloop.WithAutoExit(), errs.option())
			testkit.Must(t, l.Submit(func() {
				log.Say("external1")
				testkit.Must(t, l.ScheduleMicrotask(func() {
					log.Say("micro1")
					testkit.Must(t, l.NextTick(log.Does("tick2")))
				}))
				testkit.Must(t, l.ScheduleMicrotask(func() {
					log.Say("micro2")
					testkit.Must(t, l.ScheduleMicrotask(log.Does("micro4")))
					endsBadly(e.end)
				}))
				testkit.Must(t, l.ScheduleMicrotask(log.Does("micro3")))
				testkit.Must(t, l.NextTick(func() { log.Say("tick1"); endsBadly(e.end) }))
				endsBadly(e.end)
			}))
			testkit.Must(t, l.Submit(func() {
				log.Say("external2")
				testkit.Must(t, l.ScheduleMicrotask(func() { log.Say("micro5"); endsBadly(e.end) }))
			}))
			testkit.Must(t, l.Submit(func() {
				log.Say("external3")
				testkit.Must(t, l.ScheduleMicrotask(log.Does("micro6")))
				testkit.Must(t, l.NextTick(log.Does("tick3")))
			}))
			testkit.Await(t, "Run", testkit.Launch(l))
			testkit.Await(t, "Done", l.Done())
			log.Expect(t, "external1 tick1 micro1 micro2 micro3 micro4 tick2 external2 micro5 external3 tick3 micro6")
			if len(errs) != 4 {
				t.Errorf("the handler heard %v, want four errors", errs)
			}
		})
	}
}

func TestRepeatingTimerThatPanicsRepeats(t *testing.T) {
	for _, e := range endings {
		var errs heard
		l := eventloop.New(eventloop.WithAutoExit(), errs.option())
		var h eventloop.Timer
		runs := 0
		h = testkit.Scheduled[eventloop.Timer](t)(l.ScheduleRepeating(1, func() {
			if runs++; runs == 3 {
				h.Stop()
			}
			endsBadly(e.end)
		}))
		testkit.Await(t, "Run", testkit.Launch(l))
		testkit.Await(t, "Done", l.Done())
		if runs != 3 || len(errs) != 3 {
			t.Errorf("%s: ran %d times and was reported %d times, want 3", e.name, runs, len(errs))
		}
	}
}

// The goroutine that called Run must end after the first Goexit. The loop must live on nevertheless, at a constant
// cost for each Goexit.
func TestManyGoexitsInARow(t *testing.T) {
	const times = 3000
	count := 0
	l := eventloop.New(eventloop.WithAutoExit(), eventloop.WithPanicHandler(func(e *eventloop.PanicError) {
		if errors.Is(e, eventloop.ErrGoexit) {
			count++
		}
	}))
	for range times / 3 {
		testkit.Must(t, l.Submit(func() {
			testkit.Must(t, l.ScheduleMicrotask(runtime.Goexit))
			testkit.Must(t, l.NextTick(runtime.Goexit))
			runtime.Goexit()
		}))
	}
	last := false
	testkit.Must(t, l.Submit(func() { last = true }))
	if err, returned := <-testkit.Launch(l); returned {
		t.Errorf("Run returned %v, although Goexit had doomed its goroutine", err)
	}
	testkit.Await(t, "Done", l.Done())
	if count != times || !last {
		t.Errorf("the handler heard %d times, want %d; last callback ran: %v", count, times, last)
	}
}

// A deferred call that panics takes over from Goexit, and when that panic is recovered, the Goexit goes on.
func TestPanicDuringGoexitReportsBoth(t *testing.T) {
	var errs heard
	var log testkit.Journal
	l := eventloop.New(eventloop.WithAutoExit(), errs.option())
	testkit.Must(t, l.Submit(func() {
		defer func() { panic("in a deferred call") }()
		runtime.Goexit()
	}))
	testkit.Must(t, l.Submit(log.Does("next")))
	testkit.Await(t, "Run", testkit.Launch(l))
	testkit.Await(t, "Done", l.Done())
	log.Expect(t, "next")
	if len(errs) != 2 || errs[0].Value != "in a deferred call" || !errors.Is(errs[1], eventloop.ErrGoexit) {
		t.Errorf("the handler heard %v", errs)
	}
}
