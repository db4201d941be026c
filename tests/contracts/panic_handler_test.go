package contracts_test

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
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// The loop goes on however the handler ends, and for every reported error.
func TestHandlerThatEndsBadly(t *testing.T) {
	defer slog.SetDefault(slog.Default())
	slog.SetDefault(slog.New(slog.DiscardHandler))
	for _, callback := range endings {
		for _, handler := range endings {
			t.Run(callback.name+"/"+handler.name, func(t *testing.T) {
				told := 0
				l := eventloop.New(eventloop.WithAutoExit(), eventloop.WithPanicHandler(func(e *eventloop.PanicError) {
					if told++; told < 10 {
						handler.end()
					}
				}))
				var log testkit.Journal
				testkit.Must(t, l.Submit(callback.end))
				testkit.Must(t, l.Submit(log.Does("next")))
				testkit.Await(t, "Run", testkit.Launch(l))
				testkit.Await(t, "Done", l.Done())
				log.Expect(t, "next")
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
	runMain(t, func(*eventloop.Loop) { panic("from the callback") }, eventloop.WithPanicHandler(func(*eventloop.PanicError) { panic("from the handler") }))
	for _, want := range []string{"from the callback", "from the handler"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the log lacks %q:\n%s", want, &out)
		}
	}
}

func TestDefaultHandlerLogsThroughSlogWithTheStack(t *testing.T) {
	defer slog.SetDefault(slog.Default())
	for _, opts := range [][]eventloop.Option{nil, {eventloop.WithPanicHandler(nil)}} {
		var out bytes.Buffer
		slog.SetDefault(slog.New(slog.NewTextHandler(&out, nil)))
		runMain(t, func(*eventloop.Loop) { endsBadly(func() { panic("oops") }) }, opts...)
		for _, want := range []string{"level=ERROR", "eventloop: callback panicked: oops", "stack=", "endsBadly"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("the log lacks %q:\n%s", want, &out)
			}
		}
		if strings.Contains(out.String(), `\n`) || strings.Contains(out.String(), `\t`) {
			t.Errorf("the log is not for people to read:\n%s", &out)
		}
	}
}

// panickingLog is a log handler with a fault.
type panickingLog struct{ slog.Handler }

func (panickingLog) Handle(context.Context, slog.Record) error { panic("the log is broken") }

// A failing log is replaced by standard error: the last resort.
func TestLogThatPanicsDoesNotEndTheLoop(t *testing.T) {
	defer slog.SetDefault(slog.Default())
	slog.SetDefault(slog.New(panickingLog{slog.NewTextHandler(io.Discard, nil)}))
	file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	testkit.Must(t, err)
	defer func(f *os.File) { os.Stderr = f; file.Close() }(os.Stderr)
	os.Stderr = file
	for _, opts := range [][]eventloop.Option{nil, {eventloop.WithPanicHandler(func(*eventloop.PanicError) { panic("from the handler") })}} {
		for _, e := range endings {
			var log testkit.Journal
			l := eventloop.New(append(opts, eventloop.WithAutoExit())...)
			testkit.Must(t, l.Submit(e.end))
			testkit.Must(t, l.Submit(log.Does("next")))
			testkit.Await(t, "Run", testkit.Launch(l))
			testkit.Await(t, "Done", l.Done())
			log.Expect(t, "next")
		}
	}
	out, err := os.ReadFile(file.Name())
	testkit.Must(t, err)
	for _, want := range []string{"callback panicked: oops", "the log is broken", "from the handler"} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("standard error lacks %q:\n%s", want, out)
		}
	}
}

func TestPanicErrorTellsTheValue(t *testing.T) {
	cause := fmt.Errorf("wrapped: %w", context.DeadlineExceeded)
	e := &eventloop.PanicError{Value: cause}
	if !errors.Is(e, context.DeadlineExceeded) || e.Error() != "eventloop: callback panicked: wrapped: context deadline exceeded" {
		t.Errorf("panic(error): %v", e)
	}
	if e := (&eventloop.PanicError{Value: 42}); errors.Unwrap(e) != nil || e.Error() != "eventloop: callback panicked: 42" {
		t.Errorf("panic(42): %v", e)
	}
	if e := (&eventloop.PanicError{Value: []int{1}}); e.Error() != "eventloop: callback panicked: [1]" { // not comparable
		t.Errorf("panic of a slice: %v", e)
	}
	if e := (&eventloop.PanicError{Value: eventloop.ErrGoexit}); e.Error() != eventloop.ErrGoexit.Error() {
		t.Errorf("Goexit: %v", e)
	}
}

func TestGoexitLeavesTimersAndSleepInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var errs heard
		l := eventloop.New(errs.option())
		result := testkit.Launch(l)
		testkit.Must(t, l.Submit(runtime.Goexit))
		for range 10 {
			synctest.Wait() // until it sleeps
			fired := make(chan struct{})
			testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(time.Microsecond, func() { close(fired); runtime.Goexit() }))
			testkit.Await(t, "the timer", fired)
		}
		testkit.Must(t, l.Shutdown(testkit.Bounded(t)))
		testkit.Await(t, "Run", result)
		if len(errs) != 11 {
			t.Errorf("the handler heard %d times, want 11", len(errs))
		}
	})
}
