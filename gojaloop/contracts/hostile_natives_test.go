package contracts_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// callEverything calls all our functions, wherever a script finds them, with unexpected values. The program must not
// end: every exception is caught.
const callEverything = `
const hostile = () => [undefined, null, 0, -1, 1e9, NaN, 5n, '', 'abort', Symbol('s'), {}, [], Object.create(null), Object.setPrototypeOf(() => {}, null), class {}, function () {},
	{ get [Symbol.toStringTag]() { return 'AbortSignal' } }, { signal: { [Symbol.toStringTag]: 'AbortSignal' }, get message() { throw 1 } },
	new Proxy({}, {}), new Proxy(() => {}, { get() { throw new Error('trap') } }), Proxy.revocable({}, {}).proxy,
	{ toString: null, valueOf: null, length: 3 }, { toString() { throw new Error('toString') }, then: 1, name: null, constructor: { name: undefined } },
	new Uint8Array(2), (() => { const b = new ArrayBuffer(4); structuredClone(b, { transfer: [b] }); return b })(), new Error('e'), Object.setPrototypeOf(new Error('e'), null),
	new Map(), Promise.resolve(), new AbortController().signal, new EventTarget(), new Event('x'), new URL('http://a/'), new Headers(), new Date(NaN), /x/g];
const seen = new Set(), functions = [];
function walk(v, path, depth) {
	if ((typeof v !== 'object' && typeof v !== 'function') || v === null || seen.has(v) || depth > 6) return;
	seen.add(v);
	if (typeof v === 'function') functions.push([v, path]);
	for (const key of Reflect.ownKeys(v)) {
		let d; try { d = Object.getOwnPropertyDescriptor(v, key) } catch { continue }
		const at = path + '.' + String(key);
		if (skip.test(at)) continue;
		if ('value' in d) walk(d.value, at, depth + 1); else { walk(d.get, at, depth + 1); walk(d.set, at, depth + 1) }
	}
	walk(Object.getPrototypeOf(v), path + '.__proto__', depth + 1);
}
// These end the program on purpose.
const skip = /process\.(exit|reallyExit|abort|exitCode|_exiting|setUncaughtException)/i;
// The engine's own functions are not ours.
for (const name of ['Object', 'Function', 'Array', 'String', 'Number', 'Boolean', 'Symbol', 'BigInt', 'Math', 'JSON', 'Reflect', 'Proxy', 'Promise', 'Map', 'Set', 'WeakMap', 'WeakSet',
	'Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'EvalError', 'URIError', 'RegExp', 'Date', 'ArrayBuffer', 'DataView', 'Uint8Array', 'Int8Array', 'Float64Array']) walk(globalThis[name], name, 0);
for (const v of [[].values(), new Map().values(), new Set().values(), ''[Symbol.iterator](), 'a'.matchAll(/a/g), function* () {}, async () => {}, (function* () {})()]) walk(v, '', 0);
if (!engines) functions.length = 0;
for (const name of ours) walk(globalThis[name], name, 0);
for (const name of modules) walk(require(name), name, 0);
process.on('uncaughtException', () => {}); process.on('unhandledRejection', () => {}); process.removeAllListeners('warning');
let calls = 0;
for (const [f, path] of functions) {
	for (const v of hostile()) {
		for (const args of [[], [v], [v, v, v], [() => {}, v], ['x', v], [v, 'x', { signal: v, type: v }]]) {
			for (const self of [undefined, v, {}]) { calls++; now = path; try { Reflect.apply(f, self, args) } catch {} }
			if (constructs) try { now = 'new ' + path; Reflect.construct(f, args) } catch {}
		}
	}
}
done(functions.length, calls);
process.reallyExit(0);`

func TestNativesSurviveHostileReceiversAndArguments(t *testing.T) {
	var now goja.Value
	var functions, calls int
	rt := gojaloop.New(eventloop.New(), gojaloop.WithModules(nil), gojaloop.WithFetch(&http.Client{Transport: everywhere}), gojaloop.WithOutput(&discard{}, &discard{}))
	err := rt.RunMain(t.Context(), func(vm *goja.Runtime) error {
		for name, v := range map[string]any{
			"now":        "",
			"engines":    false,
			"done":       func(f, c int) { functions, calls = f, c },
			"constructs": testkit.Full(),
			"modules":    []string{"events", "timers", "util", "path", "url", "perf_hooks", "async_hooks"},
			"ours": []string{"setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "clearImmediate", "queueMicrotask", "structuredClone",
				"DOMException", "atob", "btoa", "TextEncoder", "TextDecoder", "performance", "Performance", "PerformanceMark", "PerformanceObserver", "fetch", "Headers",
				"Request", "Response", "Blob", "File", "FormData", "crypto", "process", "Event", "CustomEvent", "EventTarget", "AbortController", "AbortSignal",
				"URL", "URLSearchParams", "require", "console"},
		} {
			if err := vm.Set(name, v); err != nil {
				return err
			}
		}
		_, err := vm.RunString(callEverything)
		now = vm.Get("now")
		return err
	})
	var engine *gojaloop.EngineError
	if errors.As(err, &engine) {
		t.Logf("%s", engine.Stack)
	}
	if err != nil || functions < 300 || calls < 10_000 {
		t.Errorf("%d calls of %d functions; ended with %v at %v", calls, functions, err, now)
	}
}

type discard struct{}

func (*discard) Write(p []byte) (int, error) { return len(p), nil }
