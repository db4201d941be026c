package gojaloop

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop"
)

// A script that puts setters on the prototypes does not reach the objects of the runtime's own scripts.
func TestSettersOnPrototypesAreNotCalledByTheRuntime(t *testing.T) {
	names := strings.Join(New(eventloop.New(), WithModules(nil)).vm.NativeNames(), "','")
	src := `
		const found = [], say = console.log;
		for (const C of [Object, Function, Array, Promise, Map, Set, WeakMap, Error, TypeError, String, Number, Boolean, Symbol, RegExp, Date, ArrayBuffer, Uint8Array]) {
			for (const name of ['` + names + `']) {
				if (name in C.prototype) continue;
				Object.defineProperty(C.prototype, name, { configurable: true, get() { return undefined }, set(v) { found.push(C.name + '.' + name) } });
			}
		}
		for (const name of Object.getOwnPropertyNames(globalThis)) {
			try { const v = globalThis[name]; if (typeof v === 'function') { try { v() } catch {} try { new v() } catch {} } } catch {}
		}
		new AbortController().abort(); AbortSignal.timeout(1e6); structuredClone({ a: 1 }); new URL('http://a/?b'); new Blob(['x']); fetch('data:,x');
		fetch('http://localhost:1/').catch(() => {}); new TextDecoder().decode(new TextEncoder().encode('x')); crypto.randomUUID(); setTimeout(() => {}, 1);
		for (const m of ['assert', 'events', 'timers', 'util', 'path', 'url', 'perf_hooks', 'async_hooks']) require(m);
		process.on('uncaughtException', () => {});
		process.on('exit', () => say('found:', found.join()));`
	var out bytes.Buffer
	rt := New(eventloop.New(), WithModules(nil), WithFetch(&http.Client{Transport: http.NewFileTransport(http.Dir(t.TempDir()))}), WithOutput(&out, &out))
	if err := rt.Run(t.Context(), src); err != nil || out.String() != "found: \n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}
