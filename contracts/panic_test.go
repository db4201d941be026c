package contracts_test

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
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
	{"owner timer", func(l *eventloop.Loop, fn func()) error { _, err := l.Owner().ScheduleTimer(0, fn); return err }},
	{"internal", (*eventloop.Loop).SubmitInternal},
	{"external", (*eventloop.Loop).Submit},
	{"immediate", (*eventloop.Loop).ScheduleImmediate},
	{"tick", (*eventloop.Loop).NextTick},
	{"micro", (*eventloop.Loop).ScheduleMicrotask},
	{"owner micro", func(l *eventloop.Loop, fn func()) error { adapter.Of(l).Enqueue(jobFunc(fn)); return nil }},
	{"afterward", func(l *eventloop.Loop, fn func()) error { adapter.Of(l).Afterward(jobFunc(fn)); return nil }},
}

// Two callbacks of every kind stand beside one that ends badly: they run, in their order, and the handler hears of
// the one, on the loop, with a stack that leads to it.
func TestCallbackThatEndsBadlyCostsNoOther(t *testing.T) {
	for _, k := range kinds {
		for _, e := range endings {
			t.Run(k.name+"/"+e.name, func(t *testing.T) {
				var log journal
				var l *eventloop.Loop
				heard := 0
				l = eventloop.New(eventloop.WithAutoExit(), eventloop.WithPanicHandler(func(p *eventloop.PanicError) {
					heard++
					log.say("handler")
					if !e.is(p) {
						t.Errorf("the handler heard %v", p)
					}
					if !l.OnLoop() {
						t.Error("the handler is not on the loop")
					}
					if e.name != "Goexit" && !bytes.Contains(p.Stack, []byte("endsBadly")) {
						t.Errorf("the stack does not lead to the callback:\n%s", p.Stack)
					}
				}))
				must(t, l.Submit(func() {
					must(t, k.schedule(l, log.does("before")))
					must(t, k.schedule(l, func() { log.say("bad"); endsBadly(e.end) }))
					must(t, k.schedule(l, log.does("after1")))
					must(t, k.schedule(l, log.does("after2")))
				}))
				await(t, "Run", launch(l))
				await(t, "Done", l.Done())
				log.expect(t, "before bad handler after1 after2")
				if heard != 1 {
					t.Errorf("the handler heard %d times", heard)
				}
			})
		}
	}
}

//go:noinline
func endsBadly(end func()) { end() }

// A callback that panics is, for all others, one that returned: what it scheduled follows it at once, and a
// checkpoint that was draining microtasks goes on with microtasks.
func TestOrderAroundACallbackThatEndsBadly(t *testing.T) {
	for _, e := range endings {
		t.Run(e.name, func(t *testing.T) {
			var log journal
			var errs heard
			l := eventloop.New(eventloop.WithAutoExit(), errs.option())
			must(t, l.Submit(func() {
				log.say("external1")
				must(t, l.ScheduleMicrotask(func() {
					log.say("micro1")
					must(t, l.NextTick(log.does("tick2")))
				}))
				must(t, l.ScheduleMicrotask(func() {
					log.say("micro2")
					must(t, l.ScheduleMicrotask(log.does("micro4")))
					endsBadly(e.end)
				}))
				must(t, l.ScheduleMicrotask(log.does("micro3")))
				must(t, l.NextTick(func() { log.say("tick1"); endsBadly(e.end) }))
				endsBadly(e.end)
			}))
			must(t, l.Submit(func() {
				log.say("external2")
				must(t, l.ScheduleMicrotask(func() { log.say("micro5"); endsBadly(e.end) }))
			}))
			must(t, l.Submit(func() {
				log.say("external3")
				must(t, l.ScheduleMicrotask(log.does("micro6")))
				must(t, l.NextTick(log.does("tick3")))
			}))
			await(t, "Run", launch(l))
			await(t, "Done", l.Done())
			log.expect(t, "external1 tick1 micro1 micro2 micro3 micro4 tick2 external2 micro5 external3 tick3 micro6")
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
		h = scheduled(t)(l.ScheduleRepeating(1, eventloop.SkipMissed, func() {
			if runs++; runs == 3 {
				h.Stop()
			}
			endsBadly(e.end)
		}))
		await(t, "Run", launch(l))
		await(t, "Done", l.Done())
		if runs != 3 || len(errs) != 3 {
			t.Errorf("%s: ran %d times and was reported %d times, want 3", e.name, runs, len(errs))
		}
	}
}

// The goroutine that called Run is doomed after the first Goexit, and the loop must live on all the same, at a cost
// for each that does not grow.
func TestManyGoexitsInARow(t *testing.T) {
	const times = 3000
	count := 0
	l := eventloop.New(eventloop.WithAutoExit(), eventloop.WithPanicHandler(func(e *eventloop.PanicError) {
		if errors.Is(e, eventloop.ErrGoexit) {
			count++
		}
	}))
	for range times / 3 {
		must(t, l.Submit(func() {
			must(t, l.ScheduleMicrotask(runtime.Goexit))
			must(t, l.NextTick(runtime.Goexit))
			runtime.Goexit()
		}))
	}
	last := false
	must(t, l.Submit(func() { last = true }))
	if err, returned := <-launch(l); returned {
		t.Errorf("Run returned %v, although Goexit had doomed its goroutine", err)
	}
	await(t, "Done", l.Done())
	if count != times || !last {
		t.Errorf("the handler heard %d times, want %d; last callback ran: %v", count, times, last)
	}
}

// A deferred call that panics takes over from Goexit, and when that panic is recovered, the Goexit goes on.
func TestPanicDuringGoexitReportsBoth(t *testing.T) {
	var errs heard
	var log journal
	l := eventloop.New(eventloop.WithAutoExit(), errs.option())
	must(t, l.Submit(func() {
		defer func() { panic("in a deferred call") }()
		runtime.Goexit()
	}))
	must(t, l.Submit(log.does("next")))
	await(t, "Run", launch(l))
	await(t, "Done", l.Done())
	log.expect(t, "next")
	if len(errs) != 2 || errs[0].Value != "in a deferred call" || !errors.Is(errs[1], eventloop.ErrGoexit) {
		t.Errorf("the handler heard %v", errs)
	}
}
