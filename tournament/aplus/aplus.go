// Package aplus runs the Promises/A+ suite, in JavaScript on goja, against promises written in Go.
//
// The test files come from the npm package promises-aplus-tests, unchanged; see README.md. A few small files replace
// the parts of mocha, sinon and Node's assert that they need. The promises that the tests get are thin objects around
// promises of the [Implementation] under test: no promise of the engine takes part.
package aplus

import (
	"context"
	"embed"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/require"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

//go:embed suite standin
var files embed.FS

// Tests is how many tests the suite has.
const Tests = 872

// An Implementation makes the promises under test. All its functions are called on the loop that it was made for.
type Implementation interface {
	// Deferred returns a pending promise, and the functions that resolve and reject it.
	//
	// resolve gets any value; it must follow a [Promise] of the implementation and a [Thenable].
	Deferred() (p Promise, resolve, reject func(any))
}

// A Promise is a promise of the implementation. It must be comparable, and equal only to itself.
type Promise interface {
	// Then attaches two handlers; either may be nil.
	Then(fulfilled, rejected Handler) Promise
}

// A Handler returns a value to resolve with or, if threw is true, a reason to reject with.
type Handler func(v any) (result any, threw bool)

// A Thenable is a JavaScript object, not one of the implementation's promises, that has a method then. The suite has
// already looked that up; Call calls it. If it threw, reason is the exception.
type Thenable interface {
	Call(resolve, reject func(any)) (reason any, threw bool)
}

// A Failure is a test that did not pass.
type Failure struct{ Test, Reason string }

// A Report is the result of a run.
type Report struct {
	Passed   int
	Failures []Failure
}

// Run runs the whole suite on a new loop, against the implementation that make returns for it. Its timers take some
// seconds of the loop's time.
//
// Errors are those that keep the suite from running to its end; failing tests are in the report. When ctx ends, the
// loop is closed, and the error is [eventloop.ErrLoopClosed].
func Run(ctx context.Context, make func(*eventloop.Loop) Implementation) (*Report, error) {
	// Tests leave rejected promises behind on purpose.
	quiet := func(*promise.Rejection) {}
	var panicked *eventloop.PanicError
	loop := eventloop.New(
		promise.WithUnhandledRejection(quiet), eventloop.WithAutoExit(),
		eventloop.WithPanicHandler(func(e *eventloop.PanicError) { panicked = e }))
	r := &runner{loop: loop, vm: goja.New(), impl: make(loop), objects: map[Promise]*goja.Object{}, promises: map[*goja.Object]Promise{}, report: &Report{}}
	var err error
	if submitErr := loop.Submit(func() { err = r.start() }); submitErr != nil {
		return nil, submitErr
	}
	stop := context.AfterFunc(ctx, func() { _ = loop.Close() }) // at once: faulty promises may never drain
	defer stop()
	if runErr := loop.Run(context.Background()); runErr != nil {
		return nil, runErr
	}
	switch {
	case err != nil:
		return nil, err
	case panicked != nil:
		return nil, panicked
	case !r.finished:
		return nil, fmt.Errorf("aplus: the suite stopped after %d tests", r.report.Passed+len(r.report.Failures))
	}
	return r.report, nil
}

type runner struct {
	loop     *eventloop.Loop
	vm       *goja.Runtime
	impl     Implementation
	report   *Report
	finished bool

	// The JavaScript objects of promises, and the way back.
	objects  map[Promise]*goja.Object
	promises map[*goja.Object]Promise
}

// start loads the test files and starts the first test.
func (r *runner) start() error {
	registry := require.NewRegistry(require.WithLoader(load), require.WithGlobalFolders("standin"))
	req := registry.Enable(r.vm)
	if err := r.vm.Set("global", r.vm.GlobalObject()); err != nil {
		return err
	}
	r.timers()
	r.adapter()
	mocha, err := req.Require("./standin/mocha.js")
	if err != nil {
		return err
	}
	if _, err := req.Require("./suite/lib/testFiles.js"); err != nil {
		return err
	}
	run, _ := goja.AssertFunction(mocha)
	_, err = run(goja.Undefined(), r.vm.ToValue(func(test, failure string) {
		if failure == "" {
			r.report.Passed++
		} else {
			r.report.Failures = append(r.report.Failures, Failure{test, failure})
		}
	}), r.vm.ToValue(func() { r.finished = true }))
	return err
}

func load(name string) ([]byte, error) {
	b, err := files.ReadFile(strings.TrimPrefix(path.Clean(strings.ReplaceAll(name, `\`, "/")), "/"))
	if err != nil {
		return nil, require.ModuleFileDoesNotExistError
	}
	return b, nil
}

// timers gives JavaScript timers of the loop.
func (r *runner) timers() {
	var timers []eventloop.Timer
	_ = r.vm.Set("setTimeout", func(fn goja.Callable, ms int) int {
		t, err := r.loop.ScheduleTimer(time.Duration(ms)*time.Millisecond, func() {
			if _, err := fn(goja.Undefined()); err != nil {
				r.uncaught(err)
			}
		})
		if err != nil {
			panic(r.vm.NewGoError(err))
		}
		timers = append(timers, t)
		return len(timers)
	})
	_ = r.vm.Set("clearTimeout", func(id int) {
		if id > 0 && id <= len(timers) {
			timers[id-1].Stop()
		}
	})
}

// uncaught fails the running test because an exception escaped from a timer: mocha's window.onerror.
func (r *runner) uncaught(err error) {
	fail, _ := goja.AssertFunction(r.vm.Get("failCurrent"))
	if _, err := fail(goja.Undefined(), r.vm.ToValue(err.Error())); err != nil {
		panic(err)
	}
}
