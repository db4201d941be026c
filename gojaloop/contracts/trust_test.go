package contracts_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// everything uses all features that the library implements by scripts, and logs the results.
const everything = `
	console.log([1, { a: new Map([[1, 2]]) }], new Error('x').message);
	console.table([{ a: 1 }]);
	const url = new URL('http://a.example/b?c=d'); url.searchParams.append('e', 'f');
	console.log(url.href, url.searchParams.get('c'));
	console.log(structuredClone({ a: [new Set([1])] }), atob(btoa('x')), new TextDecoder().decode(new TextEncoder().encode('y')));
	const target = new EventTarget(); target.addEventListener('e', (e) => console.log(e.type)); target.dispatchEvent(new Event('e'));
	const c = new AbortController(); c.signal.addEventListener('abort', () => console.log('aborted')); c.abort();
	console.log(typeof crypto.randomUUID(), performance.mark('m').name, new DOMException('d', 'AbortError').code);
	console.log(new Headers({ A: 'b' }).get('a'), new Request('http://a.example').method, new Response('r').status, new Blob(['ab']).size);
	process.on('x', (v) => console.log(v)); process.emit('x', 'emitted');
	new ReadableStream({ start(c) { c.enqueue(1); c.close(); } }).getReader().read().then((r) => console.log(r.value));
	require('util').promisify((done) => done(null, 'promised'))().then((v) => console.log(v));
	require('assert').deepEqual({ a: [1] }, { a: [1] });
	require('timers/promises').setTimeout(1, 'late').then((v) => console.log(v));
	const { EventEmitter } = require('events'); new EventEmitter().on('y', () => console.log('y')).emit('y');
	console.log(require('path').join('a', '..', 'b'), process.memoryUsage().rss > 0);`

// A script may declare names, and change prototypes and globals, before the library's scripts run for the first time.
// This does not change their behaviour.
func TestTheLibraryTakesNothingFromTheScript(t *testing.T) {
	runIt := func(before string) (string, error) {
		var out strings.Builder
		rt := gojaloop.New(eventloop.New(), gojaloop.WithOutput(&out, &out), gojaloop.WithModules(nil), gojaloop.WithFetch(http.DefaultClient))
		err := rt.Run(t.Context(), before+"\n"+"{"+everything+"}")
		return out.String(), err
	}
	want, err := runIt("")
	if err != nil || !strings.Contains(want, "late") {
		t.Fatalf("%s\n%v", want, err)
	}
	for _, before := range []string{
		`const { setTimeout, setImmediate, setInterval } = require('timers/promises');`,
		`const queueMicrotask = 1;`,
		`class TypeError {} class RangeError {}`,
		`const Object = 1, Reflect = 2, Array = 3, Promise = 4, Symbol = 5, JSON = 6, Math = 7, Number = 8, String = 9;`,
		`const Uint8Array = 1, ArrayBuffer = 2, DataView = 3, Date = 4, RegExp = 5, Proxy = 6, WeakMap = 7, Function = 8;`,
		`Reflect = Math = JSON = undefined;`,
		`globalThis.Reflect = globalThis.Proxy = globalThis.WeakMap = globalThis.Number = null;`,
		`var DataView = 1, Date = 2, BigInt = 3; function RegExp() {}`,
		`Object.prototype.get = () => 1; Object.prototype.set = undefined;`,
		`Object.prototype.value = 1;`,
		`Object.prototype.writable = Object.prototype.configurable = false;`,
		`Object.prototype.enumerable = true;`,
	} {
		if got, err := runIt(before); got != want || err != nil {
			t.Errorf("%s: ended with %v, wrote\n%s\nwant\n%s", before, err, got, want)
		}
	}
}

func TestTimersOfPromisesMayHaveTheNamesOfGlobals(t *testing.T) {
	expect(t, `const { setTimeout, setImmediate } = require('timers/promises');
		setTimeout(1, 'late').then(console.log); setImmediate('soon').then(console.log);`, "soon\nlate\n", gojaloop.WithModules(nil))
}
