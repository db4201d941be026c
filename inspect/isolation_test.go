package inspect_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
)

// An observer that fails at every event loses no task, and does not end the loop.
func TestAnObserverThatFailsLosesNoTask(t *testing.T) {
	for name, fail := range map[string]func(){"panics": func() { panic("oops") }, "calls Goexit": runtime.Goexit} {
		for _, event := range []inspect.EventType{
			inspect.PhaseBegan, inspect.PhaseEnded, inspect.CallbackBegan, inspect.CallbackEnded, inspect.LoopSleeps, inspect.LoopWakes,
		} {
			t.Run(name, func(t *testing.T) {
				reported := make(chan any, 1000)
				l := eventloop.New(eventloop.WithPanicHandler(func(e *eventloop.PanicError) {
					select {
					case reported <- e.Value:
					default:
					}
				}))
				failures := 0 // the loop's
				inspect.Observe(l, inspect.Phases|inspect.Callbacks, func(e inspect.Event) {
					if e.Type == event && failures < 20 {
						failures++
						fail()
					}
				})
				ended := make(chan struct{})
				go func() {
					defer close(ended)
					_ = l.Run(t.Context())
				}()
				ran := 0
				for range 10 {
					untilAsleep(t, l) // so that it wakes
					done := make(chan struct{})
					must(t, l.Submit(func() { ran++; close(done) }))
					await(t, "a task", done)
				}
				await(t, "the panic handler", reported)
				_ = l.Shutdown(bounded(t))
				await(t, "the end", ended)
				if ran != 10 {
					t.Errorf("event %d: %d tasks have run", event, ran)
				}
			})
		}
	}
}

func TestAPanicOfAWatchdogsReportGoesToThePanicHandler(t *testing.T) {
	reported := make(chan any, 1)
	l := running(t,
		inspect.WithWatchdog(time.Millisecond, func(inspect.SlowCallback) { panic("oops") }),
		eventloop.WithPanicHandler(func(e *eventloop.PanicError) { reported <- e.Value }))
	on(t, l, func() { // until the report, which the next task follows
		for deadline := time.Now().Add(100 * time.Millisecond); time.Now().Before(deadline); {
			runtime.Gosched()
		}
	})
	if v := await(t, "the panic handler", reported); v != "oops" {
		t.Errorf("reported %v", v)
	}
}

// only matches the names that only package inspect links.
var only = regexp.MustCompile(`eventloop/inspect\.|histogram\.\(\*Counts\)\.Quantile|stallDetector|meter\.\(\*Meter\)\.(Moment|Complete)|view\.(ReadMeter|Resources)`)

func TestAProgramThatDoesNotInspectLinksNothingOfIt(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "hello.go")
	must(t, os.WriteFile(source, []byte(`package main

import (
	"context"
	"fmt"

	"github.com/eventloop-go/eventloop"
)

func main() {
	loop := eventloop.New(eventloop.WithAutoExit())
	_ = loop.Submit(func() { fmt.Println("hello") })
	_ = loop.Run(context.Background())
}
`), 0o600))
	binary := filepath.Join(dir, "hello")
	if out, err := exec.Command("go", "build", "-o", binary, source).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	symbols, err := exec.Command("go", "tool", "nm", binary).Output()
	must(t, err)
	if !regexp.MustCompile(`eventloop\.\(\*Loop\)\.Run`).Match(symbols) {
		t.Fatal("go tool nm does not list the loop")
	}
	if found := only.FindAll(symbols, -1); len(found) > 0 {
		t.Errorf("linked: %q", found)
	}
}
