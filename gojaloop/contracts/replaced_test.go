package contracts_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// replacements change the engine's own objects. spy counts the calls of the functions that a script has put there: the library
// must make none.
var replacements = map[string]string{
	"methods of arrays":       `for (const k of Object.getOwnPropertyNames(Array.prototype)) if (k !== 'length' && k !== 'constructor') Array.prototype[k] = spy`,
	"methods of strings":      `for (const k of Object.getOwnPropertyNames(String.prototype)) if (k !== 'length' && k !== 'constructor') String.prototype[k] = spy`,
	"methods of maps":         `for (const c of [Map, Set, WeakMap, WeakSet]) for (const k of Object.getOwnPropertyNames(c.prototype)) if (k !== 'size' && k !== 'constructor') c.prototype[k] = spy`,
	"methods of functions":    `Function.prototype.call = Function.prototype.apply = Function.prototype.bind = Function.prototype.toString = spy`,
	"methods of numbers":      `Number.prototype.toString = Number.prototype.toFixed = Symbol.prototype.toString = Symbol.prototype.valueOf = spy`,
	"exec":                    `RegExp.prototype.exec = spy`,
	"test":                    `RegExp.prototype.test = spy`,
	"symbols of expressions":  `for (const k of ['match', 'matchAll', 'replace', 'search', 'split']) RegExp.prototype[Symbol[k]] = spy`,
	"flags of expressions":    `for (const k of ['flags', 'global', 'unicode', 'sticky']) Object.defineProperty(RegExp.prototype, k, { get: spy, configurable: true })`,
	"statics of Object":       `for (const k of Object.getOwnPropertyNames(Object)) if (typeof Object[k] === 'function') Object[k] = spy`,
	"statics of Reflect":      `for (const k of Reflect.ownKeys(Reflect)) if (typeof Reflect[k] === 'function') Reflect[k] = spy`,
	"statics":                 `for (const o of [Array, String, Number, Math, JSON, Date, Promise, ArrayBuffer, BigInt]) for (const k of Object.getOwnPropertyNames(o)) if (k !== 'prototype' && typeof o[k] === 'function') o[k] = spy`,
	"then":                    `Promise.prototype.then = Promise.prototype.catch = Promise.prototype.finally = spy`,
	"iterator of arrays":      `Array.prototype[Symbol.iterator] = spy`,
	"next of arrays":          `Object.getPrototypeOf([][Symbol.iterator]()).next = spy`,
	"iterator of maps":        `Map.prototype[Symbol.iterator] = Set.prototype[Symbol.iterator] = spy`,
	"next of maps":            `Object.getPrototypeOf(new Map()[Symbol.iterator]()).next = Object.getPrototypeOf(new Set()[Symbol.iterator]()).next = spy`,
	"iterator of strings":     `Object.getPrototypeOf(''[Symbol.iterator]()).next = spy; String.prototype[Symbol.iterator] = spy`,
	"species":                 `Object.defineProperty(Array, Symbol.species, { value: spy, configurable: true })`,
	"constructor of arrays":   `function own() { spied++ } Object.defineProperties(own, { name: { value: 'Array' }, prototype: { value: Array.prototype }, [Symbol.species]: { value: spy } }); Array.prototype.constructor = own`,
	"methods of typed arrays": `const T = Object.getPrototypeOf(Uint8Array.prototype); for (const k of ['set', 'slice', 'subarray', 'fill', 'indexOf', 'map', 'join']) { T[k] = spy; Uint8Array.prototype[k] = spy }`,
	"global functions":        `globalThis.parseInt = globalThis.isNaN = globalThis.parseFloat = globalThis.encodeURIComponent = spy`,
	"classes":                 `for (const k of ['Array', 'Map', 'Set', 'WeakMap', 'Promise', 'Error', 'TypeError', 'RangeError', 'Uint8Array', 'Symbol', 'String', 'Proxy', 'Date']) globalThis[k] = spy`,
}

func init() {
	for _, key := range []string{"get", "set", "writable", "configurable", "next", "reading", "name"} {
		replacements["getter of "+key] = `Object.defineProperty(Object.prototype, '` + key + `', { __proto__: null, get: spy, configurable: true })`
	}
}

// librarys uses the library by syntax alone, with values that were made before.
const librarys = `(async () => {
	console.log(list, error.message, '%s %d %j', 'x', 5, { a: 1 }); console.table(table); console.log(map, set, [1.5, -0, 5n], 'a\nb', { f() {} });
	const url = new URL('http://u:p@a.example:81/b/../c?d=e#f'); url.searchParams.append('g', 'h i'); url.searchParams.sort();
	console.log(url.href, url.searchParams.get('d'), url.searchParams.toString(), new URLSearchParams({ a: 'b' }).has('a'));
	console.log(structuredClone({ a: [set, map, date, bytes] }), atob(btoa('x')), new TextDecoder().decode(new TextEncoder().encode('y')));
	const target = new EventTarget(); target.addEventListener('e', (e) => console.log(e.type), { once: true }); target.dispatchEvent(new Event('e'));
	any.onabort = () => console.log('aborted'); c.abort(); console.log(any.reason.name);
	console.log(typeof crypto.randomUUID(), performance.mark('m').name, performance.getEntriesByName('m').length, new DOMException('d', 'AbortError').code);
	const headers = new Headers({ A: 'b', 'c-d': 'e' }); headers.append('a', 'f'); console.log(headers.get('a'), headers, [...headers.keys()].length);
	console.log(new Request('http://a.example', { method: 'post', body: 'b', headers: { x: 'y' } }).method, await new Response('{"r":1}').json(), await blob.text());
	console.log(await (await fetch('data:text/plain;charset=utf-8,hello%20there')).text());
	process.on('x', (v) => console.log(v)); process.emit('x', 'emitted');
	const reader = new ReadableStream({ start(c) { c.enqueue(1); c.close(); } }).getReader(); console.log((await reader.read()).value, (await reader.read()).done);
	console.log(await util.promisify((done) => done(null, 'promised'))(), util.inspect(proxy), util.format('%o', [1]));
	assert.deepEqual({ a: [1, map] }, { a: [1, map] }); console.log(await later(1, 'late'), path.join('a', '..', 'b', 'c.d'), path.extname('x.y'));
	const e = new events.EventEmitter(); e.once('y', () => console.log('y')); e.on('y', () => console.log('z')); e.emit('y'); e.emit('y'); console.log(e.listenerCount('y'));
	const b = Buffer.from('héllo'); console.log(b.toString('base64'), b.slice(1, 3), Buffer.concat([b, b]).length, b.indexOf('l'), b.toString('hex'), Buffer.alloc(4).fill('ab').equals(b));
	console.log(nodeCrypto.createHash('sha256').update('a').digest('hex').length, nodeCrypto.createHmac('sha1', 'k').update('d').digest('base64'), query.parse('a=b&a=c').a, query.stringify({ x: ['y', 'z'] }));
	const t = setTimeout(() => {}, 1000); clearTimeout(t); console.log(await new P((done) => setTimeout(done, 1, 'timer')), await new P((done) => setImmediate(done, 'immediate')));
})();`

// prelude makes the values that it uses, while the engine is whole.
const prelude = `const util = require('util'), assert = require('assert'), path = require('path'), events = require('events'), nodeCrypto = require('crypto'), query = require('querystring');
	const later = require('timers/promises').setTimeout, list = [1, { a: new Map([[1, 2]]) }], error = new Error('x'), table = [{ a: 1 }, { b: 'c' }];
	const map = new Map([['k', { v: 1 }]]), set = new Set([1]), date = new Date(0), bytes = new Uint8Array([1, 2, 3]), { stdout } = process, blob = new Blob(['ab', 'c']), c = new AbortController(), any = AbortSignal.any([c.signal]), E = Error, P = Promise, proxy = new Proxy({}, {});
	let spied = 0; const spy = function () { 'use strict'; spied++; throw new E('spied') };`

// Each of them leaves the library as it is, before and after its first use.
func TestReplacedFunctionsOfTheEngineAreNotCalled(t *testing.T) {
	runIt := func(before, replacement string, opts ...gojaloop.Option) (string, error) {
		var out strings.Builder
		opts = append(opts, gojaloop.WithOutput(&out, io.Discard), gojaloop.WithModules(nil), gojaloop.WithFetch(http.DefaultClient))
		src := prelude + "{" + replacement + "}" + librarys + "process.on('exit', () => spied > 0 && stdout.write('spied'))"
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		if before != "" {
			src = prelude + "const first = " + strings.TrimSuffix(before, ";") + "; first.then(() => {{" + replacement + "}" + librarys + "}); process.on('exit', () => spied > 0 && stdout.write('spied'))"
		}
		err := gojaloop.New(eventloop.New(), opts...).Run(ctx, src)
		return out.String(), err
	}
	want, err := runIt("", "")
	if err != nil || !strings.HasSuffix(want, "timer immediate\n") {
		t.Fatalf("%s\n%v", want, err)
	}
	twice, err := runIt(librarys, "")
	if err != nil || strings.Count(twice, "timer immediate\n") != 2 {
		t.Fatalf("%s\n%v", twice, err)
	}
	for name, replacement := range replacements {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check := func(when, want, before string, opts ...gojaloop.Option) {
				if got, err := runIt(before, replacement, opts...); got != want || err != nil {
					var uncaught *gojaloop.UncaughtError
					stack := ""
					if errors.As(err, &uncaught) {
						stack = uncaught.Stack
					}
					var engine *gojaloop.EngineError
					if errors.As(err, &engine) {
						stack = string(engine.Stack)
					}
					t.Errorf("%s: ended with %v\n%s\nwrote\n%s\nwant\n%s", when, err, stack, got, want)
				}
			}
			check("before", want, "")
			check("hardened", want, "", gojaloop.WithHardening())
			check("after", twice, librarys)
		})
	}
}
