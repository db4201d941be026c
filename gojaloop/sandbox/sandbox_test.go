package sandbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/gojaloop/sandbox"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// box starts a sandbox that the test ends.
func box(t testing.TB, options ...sandbox.Option) *sandbox.Sandbox {
	t.Helper()
	s, err := sandbox.New(t.Context(), options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestValuesAndErrorsCross(t *testing.T) {
	s := box(t)
	ctx := t.Context()
	if err := s.Run(ctx, "rule.js", `
		const tax = 0.2; // no property of the global object
		function total(order) { return { name: order.name, sum: order.items.reduce((a, b) => a + b, 0) * (1 + tax) }; }
		const later = async (x) => { await null; return x * 2; };
		var shop = { name: 'corner', greet() { return 'hello from ' + this.name } };
		function bad() { throw new TypeError('no such thing') }
		async function refuse() { throw { toString() { return 'an object' } } }
	`); err != nil {
		t.Fatal(err)
	}
	var total struct {
		Name string
		Sum  float64
	}
	if err := s.Call(ctx, &total, "total", map[string]any{"name": "ann", "items": []int{10, 20}}); err != nil || total.Name != "ann" || total.Sum != 36 {
		t.Error(total, err)
	}
	var n int
	if err := s.Call(ctx, &n, "later", 21); err != nil || n != 42 {
		t.Error(n, err)
	}
	var greeting string
	if err := s.Call(ctx, &greeting, "shop.greet"); err != nil || greeting != "hello from corner" {
		t.Error(greeting, err)
	}
	if err := s.Eval(ctx, &n, `new Promise(r => setTimeout(r, 1, 7))`); err != nil || n != 7 {
		t.Error(n, err)
	}
	n = 3
	if err := s.Eval(ctx, &n, `undefined`); err != nil || n != 3 {
		t.Error(n, err)
	}
	for function, want := range map[string]string{
		"bad": "TypeError: no such thing", "refuse": "an object", "nothing": "TypeError: nothing is not a function",
		"shop.name": "TypeError: shop.name is not a function", "a b": "TypeError: a b is not a function",
	} {
		err := s.Call(ctx, nil, function)
		var thrown *sandbox.ScriptError
		if !errors.As(err, &thrown) || err.Error() != want {
			t.Errorf("%s: %v", function, err)
		}
		if function == "bad" && !strings.Contains(thrown.Stack, "rule.js:6") {
			t.Errorf("stack %q", thrown.Stack)
		}
	}
	if err := s.Run(ctx, "typo.js", "let x ="); err == nil || !strings.HasPrefix(err.Error(), "SyntaxError: ") || !strings.Contains(err.Error(), "typo.js") {
		t.Error(err)
	}
	if err := s.Call(ctx, nil, "later", make(chan int)); err == nil {
		t.Error("an argument that JSON lacks was accepted")
	}
	if err := s.Call(ctx, &greeting, "later", 1); err == nil || !strings.Contains(err.Error(), "does not fit") {
		t.Error(err)
	}
	if err := s.Call(ctx, &n, "later", 1); err != nil || n != 2 {
		t.Error("after all that:", n, err)
	}
}

func TestScriptsCallGoFunctions(t *testing.T) {
	ended := make(chan struct{})
	s := box(t,
		sandbox.WithFunction("price", func(_ context.Context, args sandbox.Arguments) (any, error) {
			var name string
			var amount int
			if err := args.Decode(&name, &amount); err != nil {
				return nil, err
			}
			return map[string]int{name: 3 * amount}, nil
		}),
		sandbox.WithFunction("panics", func(context.Context, sandbox.Arguments) (any, error) { panic("oh") }),
		sandbox.WithFunction("cannot", func(context.Context, sandbox.Arguments) (any, error) { return func() {}, nil }),
		sandbox.WithFunction("waits", func(ctx context.Context, _ sandbox.Arguments) (any, error) {
			<-ctx.Done()
			close(ended)
			return nil, ctx.Err()
		}),
		sandbox.WithRequests(8))
	ctx := t.Context()
	for src, want := range map[string]string{
		`price('tea', 4)`: `{"tea":12}`,
		`Promise.all([1, 2, 3].map(n => price('x', n)))`:              `[{"x":3},{"x":6},{"x":9}]`,
		`price('tea').catch(e => e.message)`:                          `"2 arguments are needed, and there are 1"`,
		`panics().catch(e => e instanceof Error && e.message)`:        `"panic: oh"`,
		`cannot().catch(e => typeof e.message)`:                       `"string"`,
		`price.name + price.length`:                                   `"price0"`,
		`Promise.all(Array(9).fill(0).map(waits)).catch(e => e.name)`: `"RangeError"`,
	} {
		var got json.RawMessage
		if strings.Contains(src, "waits") {
			continue // last
		}
		if err := s.Eval(ctx, &got, src); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", src, got, err)
		}
	}
	var name string
	if err := s.Eval(ctx, &name, `for (let i = 0; i < 7; i++) price('', 1); waits(); price().catch(e => e.name)`); err != nil || name != "RangeError" {
		t.Error("more calls than may be under way:", name, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	<-ended
	if err := s.Run(ctx, "", ""); !errors.Is(err, sandbox.ErrClosed) {
		t.Error("closed:", err)
	}
}

func TestACallThatOutlivesItsContextEndsTheProcess(t *testing.T) {
	s := box(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	other := make(chan error, 1)
	go func() { other <- s.Eval(t.Context(), nil, `new Promise(() => {})`) }()
	reason := errors.New("enough")
	running := make(chan struct{})
	go func() {
		<-running
		cancel(reason)
	}()
	close(running)
	if err := s.Run(ctx, "", `for (;;);`); !errors.Is(err, reason) {
		t.Error(err)
	}
	if err := <-other; !errors.Is(err, reason) || !errors.Is(err, sandbox.ErrClosed) {
		t.Error("another call:", err)
	}
	if err := s.Run(t.Context(), "", ``); !errors.Is(err, sandbox.ErrClosed) {
		t.Error("a later call:", err)
	}
	if err := s.Run(ctx, "", ``); !errors.Is(err, reason) {
		t.Error("a context that has ended:", err)
	}
}

func TestConsoleWritesToTheWritersUpToTheLimit(t *testing.T) {
	var stdout, stderr bytes.Buffer
	s := box(t, sandbox.WithOutput(&stdout, &stderr, 64))
	ctx := t.Context()
	if err := s.Run(ctx, "", `console.log('hello', { a: 1 }); console.error('oh'); setTimeout(() => { throw new Error('late') })`); err != nil {
		t.Error(err)
	}
	var limit *sandbox.LimitError
	if err := s.Eval(ctx, nil, `for (;;) console.log('x')`); !errors.As(err, &limit) || limit.Limit != sandbox.Output {
		t.Error(err)
	}
	if got := stdout.String(); !strings.HasPrefix(got, "hello { a: 1 }\n") || len(got)+stderr.Len() != 64 {
		t.Errorf("stdout %q, stderr %q", got, stderr.String())
	}
	if got := stderr.String(); !strings.HasPrefix(got, "oh\n") {
		t.Errorf("stderr %q", got)
	}
}

// attacks are scripts, and what ends them. Without a limit, the script must go on.
var attacks = []struct {
	name, src string
	limit     sandbox.Limit
	spoilt    bool // an exception of the script is as good
}{
	{"gradual memory", `const all = []; for (;;) all.push(new Array(1000).fill(all.length))`, sandbox.Memory, false},
	{"a string of a terabyte", `'x'.repeat(2 ** 40)`, sandbox.Memory, true},
	{"a buffer of a terabyte", `new ArrayBuffer(2 ** 40)`, sandbox.Memory, true},
	{"a padded string", `'x'.padStart(2 ** 40)`, sandbox.Memory, true},
	{"a shifted number", `1n << 2n ** 40n`, sandbox.Memory, true},
	{"four billion arguments", `Math.max.apply(null, { length: 2 ** 32 })`, sandbox.Memory, true},
	{"an array of four billion", `new Array(4294967295)`, sandbox.Memory, true},
	{"a sparse array", `const a = []; a[4294967290] = 1; a`, sandbox.Memory, true},
	{"a power", `3n ** 2n ** 40n`, sandbox.ProcessorTime, true},
	{"a string that doubles", `let s = 'x'; for (;;) s += s`, sandbox.Memory, true},
	{"a long array that is joined", `new Array(4294967295).fill(0).join()`, sandbox.Memory, true},
	{"a loop", `for (;;);`, sandbox.ProcessorTime, false},
	{"a loop in a timer", `setTimeout(() => { for (;;); }); new Promise(() => {})`, sandbox.ProcessorTime, false},
	{"a loop in microtasks", `(function f() { Promise.resolve().then(f) })(); new Promise(() => {})`, sandbox.ProcessorTime, false},
	{"a loop in toString", `throw { toString() { for (;;); } }`, sandbox.ProcessorTime, false},
	{"a loop in toJSON", `({ toJSON() { for (;;); } })`, sandbox.ProcessorTime, false},
	{"a regular expression that backtracks", `/^(?=(a+)+$)/.test('a'.repeat(40) + 'b')`, sandbox.ProcessorTime, true},
	{"ten million rejections", `Promise.allSettled(Array.from({ length: 1e7 }, () => Promise.reject(0)))`, sandbox.Memory, true},
	{"five million nested arrays", `let a = []; for (let i = 0; i < 5e6; i++) a = [a]; a`, sandbox.Stack, true},
	{"an array that holds itself", `const a = []; a[0] = a; a.flat(Infinity)`, sandbox.Stack, true},
	{"nested text for JSON", `globalThis['JS' + 'ON'].parse('['.repeat(2e7))`, sandbox.Stack, true},
	{"a chain of proxies", `let p = {}; for (let i = 0; i < 1e6; i++) p = new globalThis['Pro' + 'xy'](p, {}); p.x`, sandbox.Stack, true},
	{"a chain of classes", `let C = class {}; for (let i = 0; i < 3e6; i++) C = class extends C {}; new C`, sandbox.Stack, true},
	{"a flood of output", `for (;;) console.log('x'.repeat(1000))`, sandbox.Output, false},
	{"natives by a setter", `let N; Object.defineProperty(Object.prototype, 'trackAsync', { set(v) { N = this } }); performance; N.write(1, 'x'); N.exit(3)`, sandbox.Memory, true},
	{"a hostile receiver", `try { setTimeout() } catch (e) { e.toString.call({}) }`, sandbox.Memory, true},
	{"a function without a prototype", `AbortSignal.any([Object.setPrototypeOf(() => {}, null)])`, sandbox.Memory, true},
	{"an object that says it is a signal", `work({ get [Symbol.toStringTag]() { return 'AbortSignal' } })`, sandbox.Memory, true},
	{"deep arguments", `let a = []; for (let i = 0; i < 5e6; i++) a = [a]; work(a)`, sandbox.Memory, true},
	{"200,000 rejections", `Promise.allSettled(Array.from({ length: 2e5 }, () => Promise.reject(0)))`, sandbox.Memory, true},
	{"many listeners", `const t = new EventTarget(); for (let i = 0; i < 4000; i++) t.addEventListener('x', () => {})`, sandbox.Memory, true},
	{"many marks", `for (let i = 0; i < 1e5; i++) performance.mark('x' + i)`, sandbox.Memory, true},
	{"import", `import('/etc/passwd').then(() => 'read', () => { throw new Error('refused') })`, sandbox.Memory, true},
	{"a large result", `'x'.repeat(2 << 20)`, sandbox.MessageSize, false},
}

func TestEveryAttackEndsWithTheLimitThatItPassed(t *testing.T) {
	if raceDetector {
		t.Skip("the memory of the race detector counts as the script's")
	}
	seen := map[sandbox.Limit]bool{}
	for _, attack := range attacks {
		if !testkit.Full() && seen[attack.limit] {
			continue // one for each limit
		}
		seen[attack.limit] = true
		t.Run(attack.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			processorTime := time.Minute
			if attack.limit == sandbox.ProcessorTime {
				processorTime = time.Second
			}
			s := box(t, sandbox.WithMemory(128<<20), sandbox.WithProcessorTime(processorTime), sandbox.WithMessageSize(1<<20),
				sandbox.WithOutput(io.Discard, io.Discard, 1<<20),
				sandbox.WithFunction("work", func(context.Context, sandbox.Arguments) (any, error) { return nil, nil }))
			err := s.Eval(ctx, nil, attack.src)
			var limit *sandbox.LimitError
			var thrown *sandbox.ScriptError
			switch {
			case errors.As(err, &limit) && (limit.Limit == attack.limit || attack.spoilt):
			case attack.spoilt && (err == nil || errors.As(err, &thrown)):
			default:
				t.Error(err)
			}
			t.Log(err)
		})
	}
}

// A fault of the engine ends the process, and no more.
func TestAFaultOfTheEngineEndsTheProcess(t *testing.T) {
	for name, src := range map[string]string{
		"sort that shortens the array":  `const a = [3, 1, 2, 5, 4, 6, 7, 8, 9]; a.sort((x, y) => { a.length = 1; return x - y })`,
		"replace of what is no pattern": `RegExp.prototype[Symbol.replace].call({}, 'a', 'b')`,
	} {
		err := box(t).Eval(t.Context(), nil, src)
		var thrown *sandbox.ScriptError // of an engine that is mended
		if !isExit(err) && !errors.As(err, &thrown) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAScriptSeesOnlyTheTextOfAGoError(t *testing.T) {
	s := box(t, sandbox.WithFunction("open", func(context.Context, sandbox.Arguments) (any, error) {
		return nil, &fs.PathError{Op: "open", Path: "/secret", Err: fs.ErrNotExist}
	}))
	var got []any
	err := s.Eval(t.Context(), &got, `open().catch(e => [e.message, Object.getPrototypeOf(e) === Error.prototype, typeof e.value, ...Object.keys(e)])`)
	if err != nil || !slices.Equal(got, []any{"open /secret: file does not exist", true, "undefined"}) {
		t.Error(got, err)
	}
}

func TestNothingOfTheSystemIsWithinReach(t *testing.T) {
	t.Setenv("SECRET", "x")
	s := box(t)
	var got []string
	if err := s.Eval(t.Context(), &got, `['process', 'require', 'fetch', 'module', 'XMLHttpRequest', 'WebSocket'].map(n => typeof globalThis[n])`); err != nil {
		t.Fatal(err)
	}
	for _, kind := range got {
		if kind != "undefined" {
			t.Error(got)
		}
	}
	t.Log(s.Isolation())
	if runtime.GOOS == "linux" && !strings.Contains(strings.Join(s.Isolation(), ", "), "no new privileges") {
		t.Error(s.Isolation())
	}
}

func TestManyGoroutinesShareASandbox(t *testing.T) {
	s := box(t, sandbox.WithFunction("twice", func(_ context.Context, args sandbox.Arguments) (any, error) {
		var n int
		err := args.Decode(&n)
		return 2 * n, err
	}))
	if err := s.Run(t.Context(), "", `const f = async (n) => await twice(n) + 1`); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 100 {
				var got int
				if err := s.Call(t.Context(), &got, "f", 100*i+j); err != nil || got != 2*(100*i+j)+1 {
					t.Errorf("%d: %d, %v", 100*i+j, got, err)
				}
			}
		})
	}
	all.Wait()
}

func TestWrongSettingsAreRefused(t *testing.T) {
	for _, option := range []sandbox.Option{
		sandbox.WithMemory(1), sandbox.WithProcessorTime(0), sandbox.WithOutput(nil, nil, 1), sandbox.WithRequests(-1), sandbox.WithMessageSize(1),
		sandbox.WithFunction("f", nil), sandbox.WithProcesses(3, 2), sandbox.WithHeld(1), sandbox.WithOutput(io.Discard, io.Discard, -1),
	} {
		if _, err := sandbox.New(t.Context(), option); err == nil || !strings.HasPrefix(err.Error(), "sandbox: With") {
			t.Error(err)
		}
		if _, err := sandbox.NewPool(option); err == nil {
			t.Error("a pool takes what a sandbox refuses")
		}
	}
	var exit *sandbox.ExitError
	if _, err := sandbox.New(t.Context(), sandbox.WithExecutable("/does/not/exist")); !errors.As(err, &exit) {
		t.Error(err)
	}
}

func TestAPoolGivesEachSandboxOnce(t *testing.T) {
	p, err := sandbox.NewPool(sandbox.WithProcesses(1, 2))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			err := p.Do(t.Context(), func(s *sandbox.Sandbox) error {
				var before string
				if err := s.Eval(t.Context(), &before, `const before = typeof used; globalThis.used = 1; before`); err != nil || before != "undefined" {
					return fmt.Errorf("%q, %w", before, err)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	first, err1 := p.Get(t.Context())
	second, err2 := p.Get(t.Context())
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := p.Get(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Error("a third of two:", err)
	}
	_ = first.Close()
	third, err := p.Get(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_ = p.Close()
	for _, s := range []*sandbox.Sandbox{second, third} {
		if err := s.Run(t.Context(), "", ""); !errors.Is(err, sandbox.ErrClosed) {
			t.Error(err)
		}
	}
	if _, err := p.Get(t.Context()); !errors.Is(err, sandbox.ErrClosed) {
		t.Error(err)
	}
}

func TestAPoolSaysWhyNoProcessStarts(t *testing.T) {
	p, err := sandbox.NewPool(sandbox.WithExecutable("/does/not/exist"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for range 5 {
		var exit *sandbox.ExitError
		if _, err := p.Get(t.Context()); !errors.As(err, &exit) {
			t.Error(err)
		}
	}
}

func TestAPoolReportsAFailedStartToNoCallThatCameAfterIt(t *testing.T) {
	name := t.TempDir() + "/child"
	pool, err := sandbox.NewPool(sandbox.WithExecutable(name), sandbox.WithProcesses(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	var exit *sandbox.ExitError
	if _, err := pool.Get(t.Context()); !errors.As(err, &exit) {
		t.Fatalf("without an executable: %v", err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, name); err != nil {
		t.Skip("the system makes no symbolic link to the test's executable: ", err)
	}
	s, err := pool.Get(t.Context())
	if err != nil {
		t.Fatalf("the error of an earlier start reached a later call: %v", err)
	}
	s.Close()
}

func TestRequiredNamespacesAreThereOrAnError(t *testing.T) {
	s, err := sandbox.New(t.Context(), sandbox.RequireNamespaces())
	if err != nil {
		free := box(t)
		if free.NamespacesRefused() == nil {
			t.Errorf("RequireNamespaces gives %v where a process has namespaces", err)
		}
		return
	}
	defer s.Close()
	if s.NamespacesRefused() != nil || !slices.Contains(s.Isolation(), "PID namespace") {
		t.Errorf("isolation %q, refused %v", s.Isolation(), s.NamespacesRefused())
	}
}

func TestArgumentsBeyondTheBudgetEndTheProcess(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	s := box(t, sandbox.WithMessageSize(1<<20), sandbox.WithHeld(2<<20), sandbox.WithFunction("keep", func(context.Context, sandbox.Arguments) (any, error) {
		<-release
		return nil, nil
	}))
	err := s.Run(t.Context(), "held.js", `const s = 'x'.repeat(1e6); Promise.all([keep(s), keep(s), keep(s)])`)
	var limit *sandbox.LimitError
	if !errors.As(err, &limit) || limit.Limit != sandbox.Held {
		t.Errorf("3 MB of arguments, where 2 MiB may be held: %v", err)
	}
}
