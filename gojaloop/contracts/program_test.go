package contracts_test

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
	"github.com/eventloop-go/eventloop/internal/raceflag"
)

func TestProgramsEndWithNodesExitCodes(t *testing.T) {
	for _, c := range []struct {
		name, src, out string
		code           int
	}{
		{"nothing left", `setTimeout(() => {}, 1)`, "", 0},
		{"process.exit", `process.on('exit', (c) => console.log('exit', c)); process.nextTick(() => console.log('no')); process.exit(3); console.log('no')`, "exit 3\n", 3},
		{"process.exit from a promise job", `Promise.resolve().then(() => process.exit(4)).then(() => console.log('no')); setTimeout(() => console.log('no'), 1)`, "", 4},
		{"process.exitCode", `process.on('exit', (c) => console.log(c)); process.exitCode = 5`, "5\n", 5},
		{"exitCode set by exit", `process.on('exit', () => { process.exitCode = 9 })`, "", 9},
		{"exception", `process.on('exit', (c) => console.log('exit', c)); throw new Error('x')`, "exit 1\n", 1},
		{"exception in a timer", `setTimeout(() => { throw 1 }, 1); setTimeout(() => console.log('no'), 5)`, "", 1},
		{"rejection", `Promise.reject(new Error('x')); setTimeout(() => console.log('no'), 5)`, "", 1},
		{"exception in the handler", `process.on('uncaughtException', () => { throw 2 }); throw 1`, "", 7},
		{"syntax", `let let = 1`, "", 1},
		{"beforeExit goes on", `let n = 0; process.on('beforeExit', (c) => { console.log('b', c); if (n++ < 2) setImmediate(() => {}) })`, "b 0\nb 0\nb 0\n", 0},
	} {
		out, err := run(t, c.src)
		if code := gojaloop.ExitCode(err); code != c.code || out != c.out {
			t.Errorf("%s: code %d, want %d; wrote %q, want %q; %v", c.name, code, c.code, out, c.out, err)
		}
	}
}

func TestUncaughtExceptionTellsWhereItWasThrown(t *testing.T) {
	_, err := run(t, "function f() {\n  throw new TypeError('bad')\n}\nsetTimeout(() => f(), 1)")
	var uncaught *gojaloop.UncaughtError
	if !errors.As(err, &uncaught) || uncaught.Message != "TypeError: bad" {
		t.Fatalf("got %v", err)
	}
	if !strings.HasPrefix(uncaught.Stack, "    at f (script.js:2:9)\n    at script.js:4:19") {
		t.Errorf("stack:\n%s", uncaught.Stack)
	}
	var ex *goja.Exception
	if !errors.As(err, &ex) {
		t.Error("the error does not unwrap to the engine's exception")
	}
}

func TestSeveralProgramsShareALoopThatRunsElsewhere(t *testing.T) {
	loop := eventloop.New()
	ended := make(chan error)
	go func() { ended <- loop.Run(context.Background()) }()
	if err := loop.Do(context.Background(), func() {}); err != nil { // it runs by now
		t.Fatal(err)
	}
	results := make(chan error)
	for range 3 {
		go func() {
			rt := gojaloop.New(loop)
			results <- errors.Join(rt.Run(context.Background(), `var n = 0; const i = setInterval(() => { if (++n === 3) clearInterval(i) }, 1)`),
				rt.Run(context.Background(), `if (n !== 3) throw new Error('n is ' + n)`))
		}()
	}
	for range 3 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	if err := loop.Shutdown(context.Background()); err != nil {
		t.Error(err)
	}
	<-ended
}

func TestDeadlineEndsEveryKindOfEndlessScript(t *testing.T) {
	for name, src := range map[string]string{
		"loop":              `for (;;) {}`,
		"loop with catch":   `for (;;) { try { for (;;) {} } catch {} finally { } }`,
		"promise jobs":      `const f = () => Promise.resolve().then(f); f()`,
		"microtasks":        `const f = () => queueMicrotask(f); f()`,
		"ticks":             `const f = () => process.nextTick(f); f()`,
		"await":             `(async () => { for (;;) await 0 })()`,
		"immediates":        `const f = () => setImmediate(f); f()`,
		"interval":          `setInterval(() => {}, 1)`,
		"timer far away":    `setTimeout(() => {}, 1e6)`,
		"loop in a timer":   `setTimeout(() => { for (;;) {} }, 1)`,
		"beforeExit":        `process.on('beforeExit', () => setImmediate(() => {}))`,
		"uncaught for ever": `process.on('uncaughtException', () => { for (;;) {} }); throw 1`,
		"rejections":        `process.on('unhandledRejection', () => { Promise.reject(1) }); Promise.reject(1)`,
		"tick that throws":  `process.on('uncaughtException', () => {}); const f = () => { process.nextTick(f); throw 1 }; f()`,
		"getters":           `const o = { get a() { return this.b }, get b() { for (;;) {} } }; o.a`,
		"sort":              `[1, 2, 3].sort(() => { for (;;) {} })`,
		"proxy":             `new Proxy({}, { get() { for (;;) {} } }).x`,
		"toString":          `setTimeout(() => {}, { valueOf() { for (;;) {} } })`,
	} {
		t.Run(name, func(t *testing.T) {
			// A machine that is busy with other things may be late by itself: one try of three must be in time.
			for try := 1; ; try++ {
				ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
				began := time.Now()
				_, err := runContext(t, ctx, src)
				late := time.Since(began) - 50*time.Millisecond
				cancel()
				var interrupted *gojaloop.InterruptError
				if !errors.As(err, &interrupted) || !errors.Is(err, context.DeadlineExceeded) {
					t.Fatalf("ended with %v", err)
				}
				if late <= 250*time.Millisecond || raceflag.Enabled {
					return
				}
				if try == 3 {
					t.Fatalf("ended %v after the deadline", late)
				}
			}
		})
	}
}

func TestInterruptTellsWhatTheScriptWasDoing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	rt := gojaloop.New(eventloop.New())
	err := rt.RunMain(ctx, func(vm *goja.Runtime) error {
		if err := vm.Set("cancel", cancel); err != nil {
			return err
		}
		_, err := vm.RunScript("script.js", "function spin() {\n  for (cancel();;) { Math.abs(1) }\n}\nsetTimeout(() => spin(), 1)")
		return err
	})
	var interrupted *gojaloop.InterruptError
	if !errors.As(err, &interrupted) || !strings.Contains(interrupted.Stack, "at spin (script.js:2:") {
		t.Errorf("got %v, stack %q", err, interrupted.Stack)
	}
}

// The FailNow of a test, or runtime.Goexit, in a function that a script calls.
func TestFunctionThatEndsTheGoroutineEndsTheProgram(t *testing.T) {
	for name, src := range map[string]string{
		"main script":    `leave()`,
		"timer":          `setTimeout(leave, 1); setInterval(() => {}, 1)`,
		"tick":           `process.nextTick(leave); setInterval(() => {}, 1)`,
		"promise job":    `Promise.resolve().then(leave)`,
		"immediate":      `setImmediate(leave)`,
		"exit handler":   `process.on('exit', leave)`,
		"sort":           `[2, 1].sort(leave)`,
		"Go code itself": "",
	} {
		t.Run(name, func(t *testing.T) {
			var rt *gojaloop.Runtime
			ended, returned := make(chan struct{}), false
			go func() {
				defer close(ended)
				loop := eventloop.New(eventloop.WithPanicHandler(func(*eventloop.PanicError) {})) // reports the Goexit
				rt = gojaloop.New(loop, gojaloop.WithOutput(io.Discard, io.Discard))
				_ = rt.RunMain(context.Background(), func(vm *goja.Runtime) error {
					if src == "" {
						runtime.Goexit()
					}
					_ = vm.Set("leave", func() { runtime.Goexit() })
					_, err := vm.RunString(src)
					return err
				})
				returned = true
			}()
			<-ended
			var engine *gojaloop.EngineError
			if err := rt.Failure(); returned || !errors.As(err, &engine) || !errors.Is(err, eventloop.ErrGoexit) {
				t.Errorf("RunMain returned: %v; the runtime failed with %v", returned, err)
			}
		})
	}
}
