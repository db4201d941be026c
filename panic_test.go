package eventloop

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// endings are the ways in which a callback may end without returning.
var endings = []struct {
	name string
	end  func()
	is   func(*PanicError) bool
}{
	{"panic", func() { panic("oops") }, func(e *PanicError) bool { return e.Value == "oops" }},
	{"panic(nil)", func() { panic(nil) }, func(e *PanicError) bool {
		var nilPanic *runtime.PanicNilError
		return errors.As(e, &nilPanic)
	}},
	{"panic(error)", func() { panic(context.Canceled) }, func(e *PanicError) bool { return errors.Is(e, context.Canceled) }},
	{"Goexit", runtime.Goexit, func(e *PanicError) bool { return e.Value == ErrGoexit && errors.Is(e, ErrGoexit) }},
}

// kinds are the ways to schedule a callback.
var kinds = []struct {
	name     string
	schedule func(*Loop, func()) error
}{
	{"timer", func(l *Loop, fn func()) error { _, err := l.ScheduleTimer(0, fn); return err }},
	{"owner timer", func(l *Loop, fn func()) error { _, err := l.Owner().ScheduleTimer(0, fn); return err }},
	{"internal", (*Loop).SubmitInternal},
	{"external", (*Loop).Submit},
	{"immediate", (*Loop).ScheduleImmediate},
	{"tick", (*Loop).NextTick},
	{"micro", (*Loop).ScheduleMicrotask},
	{"owner micro", func(l *Loop, fn func()) error { l.Owner().Enqueue(jobFunc(fn)); return nil }},
	{"afterward", func(l *Loop, fn func()) error { l.Owner().Afterward(jobFunc(fn)); return nil }},
}

// Two callbacks of every kind stand beside one that ends badly: they run, in their order, and the handler hears of
// the one, on the loop, with a stack that leads to it.
func TestCallbackThatEndsBadlyCostsNoOther(t *testing.T) {
	for _, k := range kinds {
		for _, e := range endings {
			t.Run(k.name+"/"+e.name, func(t *testing.T) {
				var log journal
				var l *Loop
				heard := 0
				l = New(WithAutoExit(), WithPanicHandler(func(p *PanicError) {
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
			l := New(WithAutoExit(), errs.option())
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
		l := New(WithAutoExit(), errs.option())
		var h Timer
		runs := 0
		h = scheduled(t)(l.ScheduleRepeating(1, SkipMissed, func() {
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
	l := New(WithAutoExit(), WithPanicHandler(func(e *PanicError) {
		if errors.Is(e, ErrGoexit) {
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
	l := New(WithAutoExit(), errs.option())
	must(t, l.Submit(func() {
		defer func() { panic("in a deferred call") }()
		runtime.Goexit()
	}))
	must(t, l.Submit(log.does("next")))
	await(t, "Run", launch(l))
	await(t, "Done", l.Done())
	log.expect(t, "next")
	if len(errs) != 2 || errs[0].Value != "in a deferred call" || !errors.Is(errs[1], ErrGoexit) {
		t.Errorf("the handler heard %v", errs)
	}
}

// However the handler ends, and whatever it was told of, the loop goes on.
func TestHandlerThatEndsBadly(t *testing.T) {
	defer slog.SetDefault(slog.Default())
	slog.SetDefault(slog.New(slog.DiscardHandler))
	for _, callback := range endings {
		for _, handler := range endings {
			t.Run(callback.name+"/"+handler.name, func(t *testing.T) {
				told := 0
				l := New(WithAutoExit(), WithPanicHandler(func(e *PanicError) {
					if told++; told < 10 {
						handler.end()
					}
				}))
				var log journal
				must(t, l.Submit(callback.end))
				must(t, l.Submit(log.does("next")))
				await(t, "Run", launch(l))
				await(t, "Done", l.Done())
				log.expect(t, "next")
				if told == 0 {
					t.Error("the handler was not told")
				}
			})
		}
	}
}

func TestHandlerThatPanicsIsLoggedWithWhatItWasTold(t *testing.T) {
	defer slog.SetDefault(slog.Default())
	var out bytes.Buffer
	slog.SetDefault(slog.New(slog.NewTextHandler(&out, nil)))
	runMain(t, func(*Loop) { panic("from the callback") }, WithPanicHandler(func(*PanicError) { panic("from the handler") }))
	for _, want := range []string{"from the callback", "from the handler"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the log lacks %q:\n%s", want, &out)
		}
	}
}

func TestDefaultHandlerLogsThroughSlogWithTheStack(t *testing.T) {
	defer slog.SetDefault(slog.Default())
	for _, opts := range [][]Option{nil, {WithPanicHandler(nil)}} {
		var out bytes.Buffer
		slog.SetDefault(slog.New(slog.NewTextHandler(&out, nil)))
		runMain(t, func(*Loop) { endsBadly(func() { panic("oops") }) }, opts...)
		for _, want := range []string{"level=ERROR", "eventloop: callback panicked: oops", "stack=", "endsBadly"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("the log lacks %q:\n%s", want, &out)
			}
		}
	}
}

// panickingLog is a log handler with a fault.
type panickingLog struct{ slog.Handler }

func (panickingLog) Handle(context.Context, slog.Record) error { panic("the log is broken") }

// What cannot be logged is written to standard error: the last resort.
func TestLogThatPanicsDoesNotEndTheLoop(t *testing.T) {
	defer slog.SetDefault(slog.Default())
	slog.SetDefault(slog.New(panickingLog{slog.NewTextHandler(io.Discard, nil)}))
	file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	must(t, err)
	defer func(f *os.File) { os.Stderr = f; file.Close() }(os.Stderr)
	os.Stderr = file
	for _, opts := range [][]Option{nil, {WithPanicHandler(func(*PanicError) { panic("from the handler") })}} {
		for _, e := range endings {
			var log journal
			l := New(append(opts, WithAutoExit())...)
			must(t, l.Submit(e.end))
			must(t, l.Submit(log.does("next")))
			await(t, "Run", launch(l))
			await(t, "Done", l.Done())
			log.expect(t, "next")
		}
	}
	out, err := os.ReadFile(file.Name())
	must(t, err)
	for _, want := range []string{"callback panicked: oops", "the log is broken", "from the handler"} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("standard error lacks %q:\n%s", want, out)
		}
	}
}

func TestPanicErrorTellsTheValue(t *testing.T) {
	cause := fmt.Errorf("wrapped: %w", context.DeadlineExceeded)
	e := &PanicError{Value: cause}
	if !errors.Is(e, context.DeadlineExceeded) || e.Error() != "eventloop: callback panicked: wrapped: context deadline exceeded" {
		t.Errorf("panic(error): %v", e)
	}
	if e := (&PanicError{Value: 42}); errors.Unwrap(e) != nil || e.Error() != "eventloop: callback panicked: 42" {
		t.Errorf("panic(42): %v", e)
	}
	if e := (&PanicError{Value: []int{1}}); e.Error() != "eventloop: callback panicked: [1]" { // not comparable
		t.Errorf("panic of a slice: %v", e)
	}
	if e := (&PanicError{Value: ErrGoexit}); e.Error() != ErrGoexit.Error() {
		t.Errorf("Goexit: %v", e)
	}
}

func TestGoexitLeavesTimersAndSleepInOrder(t *testing.T) {
	var errs heard
	l := New(errs.option())
	result := launch(l)
	must(t, l.Submit(runtime.Goexit))
	for range 10 {
		untilAsleep(t, l)
		fired := make(chan struct{})
		scheduled(t)(l.ScheduleTimer(time.Microsecond, func() { close(fired); runtime.Goexit() }))
		await(t, "the timer", fired)
	}
	must(t, l.Shutdown(bounded(t)))
	await(t, "Run", result)
	if len(errs) != 11 {
		t.Errorf("the handler heard %d times, want 11", len(errs))
	}
}
