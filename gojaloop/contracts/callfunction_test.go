package contracts_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// running makes a runtime on a loop that runs, and has it run a script.
func running(t *testing.T, src string, opts ...gojaloop.Option) *gojaloop.Runtime {
	t.Helper()
	loop := eventloop.New()
	ended := make(chan error, 1)
	go func() { ended <- loop.Run(context.Background()) }()
	t.Cleanup(func() {
		if err := loop.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	rt := gojaloop.New(loop, opts...)
	if _, err := rt.Eval(t.Context(), src); err != nil {
		t.Fatal(err)
	}
	return rt
}

func TestFunctionsAreCalledByNameAndPath(t *testing.T) {
	rt := running(t, `
		function declared(a, b) { return a + b }
		const arrow = (s) => s.toUpperCase();
		class Counter { static n = 1; static next() { return ++this.n } }
		let handlers = { prefix: 'on ', request(s) { return this.prefix + s }, deep: { er: { f: async () => 7 } } };
		globalThis.property = () => [1, 'two', { three: null }];
		globalThis['not an identifier'] = () => 'called';
		async function later(v) { await null; return v }`)
	for _, c := range []struct {
		name string
		args []any
		want any
	}{
		{"declared", []any{1, 2.5}, 3.5},
		{"arrow", []any{"x"}, "X"},
		{"Counter.next", nil, int64(2)},
		{"handlers.request", []any{"GET"}, "on GET"},
		{"handlers.deep.er.f", nil, int64(7)},
		{"property", nil, []any{int64(1), "two", map[string]any{"three": nil}}},
		{"not an identifier", nil, "called"},
		{"later", []any{true}, true},
	} {
		got, err := rt.CallFunction(t.Context(), c.name, c.args...)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %v, %v; want %v", c.name, got, err, c.want)
		}
	}
}

type point struct {
	X     int       `json:"x"`
	Label string    `json:"label,omitempty"`
	Tags  []string  `json:"tags"`
	When  time.Time `json:"when"`
	inner int
}

func TestArgumentsAreCopiedAndHaveTheirKindInTheScript(t *testing.T) {
	rt := running(t, `
		function show(...args) {
			return args.map((v) => v instanceof ArrayBuffer ? 'bytes ' + new Uint8Array(v) : typeof v + ' ' + JSON.stringify(v)).join('; ');
		}
		Object.defineProperty(Object.prototype, 'x', { set() { throw new Error('a setter of the script ran') } });
		Array.prototype[Symbol.iterator] = () => { throw new Error('an iterator of the script ran') };
		JSON.parse = () => { throw new Error('a function of the script ran') }`)
	when := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	got, err := rt.CallFunction(t.Context(), "show", nil, true, "s", 1, uint8(2), -0.5, []byte{1, 2},
		[]int{1, 2}, map[string]any{"b": 1, "a": []any{nil, "z"}, "__proto__": 1}, point{X: 3, Tags: []string{"t"}, When: when, inner: 1}, &point{}, written(`{"k":[1e400]}`))
	want := `object null; boolean true; string "s"; number 1; number 2; number -0.5; bytes 1,2; object [1,2]; object {"__proto__":1,"a":[null,"z"],"b":1}; ` +
		`object {"x":3,"tags":["t"],"when":"2026-01-02T03:04:05Z"}; object {"x":0,"tags":null,"when":"0001-01-01T00:00:00Z"}; object {"k":[1]}`
	if err != nil || got != want {
		t.Errorf("got  %v, %v\nwant %s", got, err, want)
	}
}

type written string

func (j written) MarshalJSON() ([]byte, error) {
	return []byte(strings.Replace(string(j), "1e400", "1", 1)), nil
}

func TestFunctionsOfGoAreArguments(t *testing.T) {
	rt := running(t, `const twice = async (f) => f(await f(2))`)
	got, err := gojaloop.Call[int](t.Context(), rt, "twice", func(n int) int { return n * 10 })
	if got != 200 || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestResultsAreConvertedToTheTypeAskedFor(t *testing.T) {
	rt := running(t, `
		const id = (v) => v;
		const point = async () => ({ x: 4, label: 'l', tags: ['a', 'b'], when: new Date(0), more: 1 });
		const bytes = () => new Uint8Array([1, 2]).buffer;
		const map = () => new Map([['k', 1]]);`)
	p, err := gojaloop.Call[point](t.Context(), rt, "point")
	if want := (point{X: 4, Label: "l", Tags: []string{"a", "b"}, When: time.UnixMilli(0)}); err != nil || !p.When.Equal(want.When) || p.X != 4 || !reflect.DeepEqual(p.Tags, want.Tags) {
		t.Errorf("got %v, %v", p, err)
	}
	if n, err := gojaloop.Call[int](t.Context(), rt, "id", 5); n != 5 || err != nil {
		t.Errorf("got %v, %v", n, err)
	}
	if f, err := gojaloop.Call[float64](t.Context(), rt, "id", 5); f != 5 || err != nil {
		t.Errorf("got %v, %v", f, err)
	}
	if s, err := gojaloop.Call[string](t.Context(), rt, "id"); s != "" || err != nil { // undefined
		t.Errorf("got %v, %v", s, err)
	}
	if b, err := gojaloop.Call[[]byte](t.Context(), rt, "bytes"); string(b) != "\x01\x02" || err != nil {
		t.Errorf("got %v, %v", b, err)
	}
	if m, err := gojaloop.Call[map[string]int](t.Context(), rt, "id", map[string]int{"a": 1}); m["a"] != 1 || err != nil {
		t.Errorf("got %v, %v", m, err)
	}
	if n, err := gojaloop.Call[int](t.Context(), rt, "id", 1.5); err == nil {
		t.Errorf("1.5 became the int %v", n)
	}
	if n, err := gojaloop.Call[int](t.Context(), rt, "id", "5"); err == nil {
		t.Errorf("a string became the int %v", n)
	}
	if v, err := gojaloop.Call[any](t.Context(), rt, "map"); !reflect.DeepEqual(v, [][2]any{{"k", int64(1)}}) || err != nil {
		t.Errorf("got %v, %v", v, err)
	}
}

func TestErrorsOfCallsAreToldApart(t *testing.T) {
	rt := running(t, `
		const notOne = 1, o = { get throws() { throw new RangeError('getter') } };
		const fails = () => { throw new TypeError('sync') };
		const rejects = async () => { throw { code: 5 } };
		const endless = () => { for (;;); };
		const never = () => new Promise(() => {});`)
	for _, name := range []string{"notOne", "missing", "o.missing", "notOne.x", "missing.x", "", "class", "a b"} {
		if _, err := rt.CallFunction(t.Context(), name); !errors.Is(err, gojaloop.ErrNotFunction) || !strings.Contains(err.Error(), name) {
			t.Errorf("%q: %v", name, err)
		}
	}
	for name, message := range map[string]string{"fails": "TypeError: sync", "rejects": "{ code: 5 }", "o.throws": "RangeError: getter"} {
		_, err := rt.CallFunction(t.Context(), name)
		var thrown *gojaloop.ScriptError
		if !errors.As(err, &thrown) || thrown.Message != message {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := rt.CallFunction(t.Context(), "fails")
	var exception *goja.Exception
	var thrown *gojaloop.ScriptError
	if !errors.As(err, &exception) || !errors.As(err, &thrown) || !strings.Contains(thrown.Stack, "fails (eval.js:3:") {
		t.Errorf("%v, with the stack %q", err, thrown.Stack)
	}
	if _, err := rt.CallFunction(t.Context(), "rejects"); !errors.As(err, &thrown) || !reflect.DeepEqual(thrown.Value, map[string]any{"code": int64(5)}) {
		t.Errorf("%v, with the value %v", err, thrown.Value)
	}
	for _, name := range []string{"endless", "never"} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		_, err := rt.CallFunction(ctx, name)
		var interrupted *gojaloop.InterruptError
		if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &interrupted) {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
	}
	if _, err := rt.CallFunction(t.Context(), "fails", make(chan int)); err == nil || !strings.Contains(err.Error(), "argument 1 of fails") {
		t.Error(err)
	}
}

func TestCallsOfARuntimeThatHasEndedAreRefused(t *testing.T) {
	rt := running(t, `
		const exit = () => process.exit(3);
		const exitsLater = () => { setTimeout(exit, 1); return new Promise(() => {}) }`)
	var exit *gojaloop.ExitError
	if _, err := rt.CallFunction(t.Context(), "exitsLater"); !errors.As(err, &exit) {
		t.Errorf("the call that was under way: %v", err)
	}
	if _, err := rt.CallFunction(t.Context(), "exit"); !errors.Is(err, gojaloop.ErrStopped) {
		t.Errorf("after the exit: %v", err)
	}
	loop := eventloop.New()
	rt = gojaloop.New(loop)
	go func() { _ = loop.Run(context.Background()) }()
	if err := loop.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := rt.CallFunction(t.Context(), "f"); !errors.Is(err, gojaloop.ErrStopped) || !errors.Is(err, eventloop.ErrLoopTerminated) {
		t.Errorf("after the loop's end: %v", err)
	}
}

func TestCallOnTheLoopIsRefused(t *testing.T) {
	rt := running(t, `const f = () => 1`)
	err := rt.Do(t.Context(), func(*goja.Runtime) error {
		_, err := rt.CallFunction(t.Context(), "f")
		return err
	})
	if !errors.Is(err, eventloop.ErrOnLoop) {
		t.Error(err)
	}
}

var errMade = errors.New("made by the test")

func TestErrorsOfGoAreFoundBehindTheScripts(t *testing.T) {
	rt := running(t, `
		const sync = (f) => f();
		const rethrown = (f) => { try { f() } catch (e) { throw e } };
		const caused = (f) => { try { f() } catch (cause) { throw new Error('outer', { cause: new TypeError('inner', { cause }) }) } };
		const replaced = (f) => { try { f() } catch (e) { throw new Error(e.message) } };
		const circular = () => { const e = new Error('circular'); e.cause = e; throw e };`)
	fails := func() (int, error) { return 0, errMade }
	async := rt.Async(func(context.Context, []any) (any, error) { return os.Open("/there is no such file") })
	err := rt.Do(t.Context(), func(vm *goja.Runtime) error {
		if err := vm.Set("open", async); err != nil {
			return err
		}
		_, err := vm.RunString(`const opens = async () => { await open() }; const hides = () => open().catch((e) => [e.name, e.message, Object.getOwnPropertyNames(e).join()])`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"sync": true, "rethrown": true, "caused": true, "replaced": false, "circular": false} {
		if _, err := rt.CallFunction(t.Context(), name, fails); errors.Is(err, errMade) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = rt.CallFunction(t.Context(), "opens")
	var path *fs.PathError
	if !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &path) {
		t.Errorf("behind a promise: %v", err)
	}
	got, err := gojaloop.Call[[]string](t.Context(), rt, "hides")
	if err != nil || got[0] != "Error" || !strings.Contains(got[1], "no such file") || got[2] != "stack,message" && got[2] != "message,stack" {
		t.Errorf("the script sees %q, %v", got, err)
	}
	err = rt.Do(t.Context(), func(vm *goja.Runtime) error { return errMade })
	if err != errMade {
		t.Errorf("an error of Do's function became %v", err)
	}
}

func TestProgramThatAnErrorOfGoHasEndedTellsIt(t *testing.T) {
	for _, src := range []string{`fail()`, `(async () => { await failLater() })()`, `failLater()`, `setTimeout(() => fail(), 1)`} {
		rt := gojaloop.New(eventloop.New())
		err := rt.RunMain(t.Context(), func(vm *goja.Runtime) error {
			_ = vm.Set("fail", func() error { return errMade })
			_ = vm.Set("failLater", rt.Async(func(context.Context, []any) (any, error) { return nil, errMade }))
			_, err := vm.RunString(src)
			return err
		})
		var uncaught *gojaloop.UncaughtError
		if !errors.Is(err, errMade) || !errors.As(err, &uncaught) {
			t.Errorf("%s: %v", src, err)
		}
	}
}

func TestScriptsSeeErrorsOfGoOnlyIfTheEmbedderSaysSo(t *testing.T) {
	rt := gojaloop.New(eventloop.New(), gojaloop.WithGoErrors())
	var seen string
	err := rt.RunMain(t.Context(), func(vm *goja.Runtime) error {
		_ = vm.Set("see", func(s string) { seen = s })
		_ = vm.Set("open", rt.Async(func(context.Context, []any) (any, error) { return os.Open("/there is no such file") }))
		_, err := vm.RunString(`open().catch((e) => see(e.name + ' ' + e.value.Path))`)
		return err
	})
	if err != nil || seen != "GoError /there is no such file" {
		t.Errorf("the script saw %q, %v", seen, err)
	}
}
