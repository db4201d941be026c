package contracts_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
	"github.com/eventloop-go/eventloop/internal/raceflag"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// Attacks on a runtime end in an exception that the script can catch. want is the output of the catching script. If
// want is empty, the script just ends.
func TestAttacksEndInExceptions(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"toString of another object", `try { setTimeout() } catch (e) { e.toString.call({}); e.toString.call(null) }`, "TypeError"},
		{"stack of a function without a name", `Error.captureStackTrace({}, {})`, ""},
		{"function without a prototype", `AbortSignal.any([Object.setPrototypeOf(() => {}, null)])`, "TypeError"},
		{"object that says it is a signal", `work({ get [Symbol.toStringTag]() { return 'AbortSignal' } }); work({ signal: { [Symbol.toStringTag]: 'AbortSignal' } })`, ""},
		{"repeat", `'x'.repeat(2 ** 40)`, "RangeError"},
		{"repeat of long text", `'xy'.repeat(2 ** 14).repeat(2 ** 15)`, "RangeError"},
		{"repeat with a count that changes", `let n = 0; 'x'.repeat({ valueOf() { return n++ ? 2 ** 40 : 1 } })`, ""},
		{"padStart", `'x'.padStart(2 ** 40)`, "RangeError"},
		{"padEnd", `'x'.padEnd(2 ** 40, 'ab')`, "RangeError"},
		{"buffer", `new ArrayBuffer(2 ** 40)`, "RangeError"},
		{"buffer by its constructor", `new (new ArrayBuffer(1).constructor)(2 ** 40)`, "RangeError"},
		{"buffer of a class", `new (class extends ArrayBuffer {})(2 ** 40)`, "RangeError"},
		{"buffer by reflection", `Reflect.construct(ArrayBuffer, [2 ** 40])`, "RangeError"},
		{"typed array", `new Float64Array(2 ** 33)`, "RangeError"},
		{"typed array of what has a length", `new Uint8Array({ length: 2 ** 40 })`, "RangeError"},
		{"typed array of a length that changes", `let n = 0; new Uint8Array({ get length() { return n++ ? 2 ** 40 : 1 } })`, ""},
		{"typed array from", `Uint8Array.from({ length: 2 ** 40 })`, "RangeError"},
		{"apply", `Math.max.apply(null, { length: 2 ** 32 })`, "RangeError"},
		{"apply with a length that changes", `let n = 0; Math.max.apply(null, { get length() { return n++ ? 2 ** 32 : 1 } })`, ""},
		{"apply with a proxy", `let n = 0; Math.max.apply(null, new Proxy([], { get: (t, k) => k === 'length' ? (n++ ? 2 ** 32 : 1) : 0 }))`, ""},
		{"Reflect.apply", `Reflect.apply(Math.max, null, { length: 2 ** 32 })`, "RangeError"},
		{"Reflect.construct", `Reflect.construct(Array, { length: 2 ** 32 })`, "RangeError"},
		{"apply of apply", `Reflect.apply.apply(null, [Math.max, null, { length: 2 ** 32 }])`, "RangeError"},
		{"sort that shortens the array", `const a = [3, 1, 2, 5, 4, 6, 7, 8, 9]; a.sort((x, y) => { a.length = 1; return x - y })`, "TypeError"},
		{"replace of what is no expression", `RegExp.prototype[Symbol.replace].call({}, 'a', 'b')`, "TypeError"},
		{"toLocaleString of undefined", `Object.prototype.toLocaleString.call(undefined)`, "TypeError"},
		{"JSON", `globalThis['JS' + 'ON'].parse('['.repeat(2e6))`, "RangeError"},
		{"stringify with a list of names", `JSON.stringify({}, new Array(2 ** 32 - 1))`, "RangeError"},
		{"stringify with a proxy of a list", `let n = 0; JSON.stringify({}, new Proxy([], { get: (t, k) => k === 'length' ? (n++ ? 2 ** 32 : 1) : 'a' }))`, ""},
		{"stringify of a long array", `JSON.stringify([new Array(2 ** 32 - 1)])`, "RangeError"},
		{"stringify of a long array with names", `JSON.stringify({ a: new Array(2 ** 32 - 1) }, ['a'])`, "RangeError"},
		{"toSorted", `new Array(2 ** 32 - 1).toSorted()`, "RangeError"},
		{"toSorted of what has a length", `Array.prototype.toSorted.call({ length: 2 ** 31 })`, "RangeError"},
		{"toSorted of a length that changes", `let n = 0; Array.prototype.toSorted.call({ get length() { return n++ ? 2 ** 31 : 1 } })`, ""},
		{"toReversed", `new Array(2 ** 32 - 1).toReversed()`, "RangeError"},
		{"toSpliced", `new Array(2 ** 32 - 1).toSpliced(1)`, "RangeError"},
		{"with", `new Array(2 ** 32 - 1).with(1, 1)`, "RangeError"},
		{"join", `new Array(2 ** 32 - 1).join()`, "RangeError"},
		{"join with a long separator", `new Array(4).join('x'.repeat(2 ** 28))`, "RangeError"},
		{"join of a typed array", `new Uint8Array(4).join('x'.repeat(2 ** 28))`, "RangeError"},
		{"array as a string", `'' + new Array(2 ** 32 - 1)`, "RangeError"},
		{"array as a local string", `new Array(2 ** 32 - 1).toLocaleString()`, "RangeError"},
		{"fill", `new Array(2 ** 32 - 1).fill(0)`, "RangeError"},
		{"indexOf", `new Array(2 ** 32 - 1).indexOf(0)`, "RangeError"},
		{"indexOf of what has a length", `Array.prototype.indexOf.call({ length: 2 ** 53 }, 0)`, "RangeError"},
		{"forEach", `new Array(2 ** 32 - 1).forEach(() => {})`, "RangeError"},
		{"reverse", `Array.prototype.reverse.call({ length: 2 ** 53 })`, "RangeError"},
		{"unshift", `Array.prototype.unshift.call({ length: 2 ** 52 }, 1)`, "RangeError"},
		{"concat", `[].concat(new Array(2 ** 32 - 1))`, "RangeError"},
		{"concat of what can be spread", `[].concat({ length: 2 ** 50, [Symbol.isConcatSpreadable]: true })`, "RangeError"},
		{"flat", `[new Array(2 ** 32 - 1)].flat()`, "RangeError"},
		{"flat of itself", `let a = []; a[0] = a; a.flat(Infinity)`, "RangeError"},
		{"flatMap", `[1].flatMap(() => new Array(2 ** 32 - 1))`, "RangeError"},
		{"Array.from", `Array.from({ length: 2 ** 40 })`, "RangeError"},
		{"Array.from of a length that changes", `let n = 0; Array.from({ get length() { return n++ ? 2 ** 40 : 1 } })`, ""},
		{"Array.from with a function", `Array.from({ length: 2 ** 40 }, () => 1)`, "RangeError"},
		{"String.raw", `String.raw({ raw: { length: 2 ** 40 } })`, "RangeError"},
		{"split", `'x'.repeat(2 ** 26).split('')`, "RangeError"},
		{"replaceAll", `const s = 'x'.repeat(2 ** 20); s.replaceAll('x', s)`, "RangeError"},
		{"typed array of what has some length", `new Uint8Array({ length: 2 ** 30 })`, "RangeError"},
		{"typed array of a small one", `new Float64Array(new Uint8Array(2 ** 28))`, "RangeError"},
		{"asUintN", `BigInt.asUintN(2 ** 53 - 1, -1n)`, "RangeError"},
		{"asUintN of what fits", `if (BigInt.asUintN(2 ** 53 - 1, 5n) !== 5n || BigInt.asIntN(2 ** 53 - 1, -5n) !== -5n || BigInt.asIntN(3, 12n) !== -4n) throw 1`, ""},
		{"Buffer.alloc", `require('buffer').Buffer.alloc(2 ** 40)`, "RangeError"},
		{"Buffer.alloc with nothing to fill it", `if (require('buffer').Buffer.alloc(2, '').length !== 2) throw 1`, ""},
		{"Buffer.alloc with what decodes to nothing", `require('buffer').Buffer.alloc(2, 'z', 'hex')`, "TypeError"},
		{"Buffer.concat", `const { Buffer } = require('buffer'); Buffer.concat([Buffer.from('a')], 2 ** 40)`, "RangeError"},
		{"Buffer.concat of one many times", `const { Buffer } = require('buffer'); Buffer.concat(new Array(2 ** 11).fill(Buffer.alloc(2 ** 20)))`, "RangeError"},
		{"Buffer.from", `require('buffer').Buffer.from({ length: 2 ** 40 })`, "RangeError"},
		{"new Buffer", `const { Buffer } = require('buffer'); new Buffer({ length: 2 ** 40 })`, "RangeError"},
		{"write of a negative length", `require('buffer').Buffer.alloc(4).write('abc', 0, -1)`, "RangeError"},
		{"getRandomValues with another length", `const a = new Uint8Array(4); let n = 0; Object.defineProperty(a, 'byteLength', { get: () => n++ < 2 ? 4 : 2 ** 40 }); crypto.getRandomValues(a)`, ""},
		{"getRandomValues with another buffer", `const a = new Uint8Array(4); Object.defineProperties(a, { buffer: { value: new ArrayBuffer(1) }, byteOffset: { value: 2 ** 40 } }); crypto.getRandomValues(a)`, ""},
		{"digest that there is none of", `Array.prototype.push = function () { this[0] = 'x'; this.length = 1 }; Array.prototype.indexOf = () => 7; fetch('data:,x', { integrity: 'sha256-x' }).catch(() => {})`, ""},
		{"argument that nests deep", `let a = []; for (let i = 0; i < 1e5; i++) a = [a]; work(a)`, "RangeError"},
		{"argument that is long", `work(new Array(4294967295))`, "RangeError"},
		{"argument whose getters never end", `const f = () => ({ get a() { return f() } }); work(f())`, "RangeError"},
	} {
		if !testkit.Full() && (c.name == "join with a long separator" || c.name == "join of a typed array") {
			continue // seconds each, and the guard of the other joins
		}
		t.Run(c.name, func(t *testing.T) {
			rt := gojaloop.New(eventloop.New(), gojaloop.WithHardening(), gojaloop.WithModules(nil), gojaloop.WithFetch(http.DefaultClient))
			var caught string
			err := rt.RunMain(t.Context(), func(vm *goja.Runtime) error {
				_ = vm.Set("caught", func(s string) { caught = s })
				_ = vm.Set("work", rt.Async(func(context.Context, []any) (any, error) { return nil, nil }))
				_, err := vm.RunString(`try { ` + c.src + ` } catch (e) { caught(e.name) }`)
				return err
			})
			if err != nil || caught != c.want {
				t.Errorf("caught was %q, want %q; the program ended with %v", caught, c.want, err)
			}
		})
	}
}

func TestHardenedObjectsAreWhatTheyWere(t *testing.T) {
	expect(t, `
		const show = (v) => console.log(v.name, v.length, v === v.prototype?.constructor);
		[ArrayBuffer, Uint8Array, String.prototype.repeat, Array.prototype.sort, RegExp.prototype[Symbol.replace], Function.prototype.apply, JSON.parse].forEach(show);
		class B extends Uint8Array { get two() { return 2 } }
		const b = new B([1, 2]);
		console.log(b instanceof B, b instanceof Uint8Array, b.two, b.map((x) => x * 2).two, Uint8Array.of(1, 2).slice(1), new Uint8Array(new Set([7])), new Uint8Array({ length: 2, 1: 5 }));
		console.log(new ArrayBuffer(3).slice(1), structuredClone(new Uint16Array([1])), [3, 1, 2].sort(), 'ab'.repeat(2), 'a'.padStart(3, 'xy'), Math.max.apply(null, [1, 5]), 'aXb'.replace(/X/, '-'));
		try { 'a'.repeat(-1) } catch (e) { console.log(e.name) }
		try { String.prototype.repeat.call(null, 1) } catch (e) { console.log(e.name) }
		console.log(Object.getOwnPropertyDescriptor(globalThis, 'Uint8Array').enumerable, typeof Proxy, new Proxy({}, { get: () => 4 }).x);`,
		`ArrayBuffer 1 true
Uint8Array 3 true
repeat 1 false
sort 1 false
[Symbol.replace] 2 false
apply 2 false
parse 2 false
true true 2 2 Uint8Array(1) [ 2 ] Uint8Array(1) [ 7 ] Uint8Array(2) [ 0, 5 ]
ArrayBuffer { [Uint8Contents]: <00 00>, byteLength: 2 } Uint16Array(1) [ 1 ] [ 1, 2, 3 ] abab xya 5 a-b
RangeError
TypeError
false function 4
`, gojaloop.WithHardening())
}

func TestValuesThatGoCannotGetAreErrors(t *testing.T) {
	rt := running(t, ``)
	if testkit.Full() && !raceflag.Enabled { // it needs a gigabyte
		if v, err := rt.Eval(t.Context(), `{ let a = []; for (let i = 0; i < 5e6; i++) a = [a]; a }`); !errors.Is(err, gojaloop.ErrTooDeep) {
			t.Errorf("five million arrays: %v, %v", v, err)
		}
	}
	for src, want := range map[string]error{
		`let a = []; for (let i = 0; i < 5e4; i++) a = [a]; a`:                             gojaloop.ErrTooDeep,
		`let o = {}; for (let i = 0; i < 5e4; i++) o = { o }; o`:                           gojaloop.ErrTooDeep,
		`let m = new Map(); for (let i = 0; i < 5e4; i++) m = new Map([[m, m]]); m`:        gojaloop.ErrTooDeep,
		`let s = new Set(); for (let i = 0; i < 5e4; i++) s = new Set([s]); s`:             gojaloop.ErrTooDeep,
		`let e = []; for (let i = 0; i < 5e4; i++) e = Object.assign(new Error, { e }); e`: gojaloop.ErrTooDeep,
		`new Array(4294967295)`:                                                                gojaloop.ErrTooLarge,
		`let b = []; b[4294967290] = 1; b`:                                                     gojaloop.ErrTooLarge,
		`(function () { arguments.length = 1e9; return arguments })()`:                         gojaloop.ErrTooLarge,
		`Promise.resolve(new Array(4294967295))`:                                               gojaloop.ErrTooLarge,
		`(() => { const f = () => ({ get a() { return f() } }); return f() })()`:               gojaloop.ErrTooDeep,
		`(() => { const m = new Map(); m.forEach = (f) => { for (;;) f(1, 1) }; return m })()`: gojaloop.ErrTooLarge,
	} {
		if v, err := rt.Eval(t.Context(), "{"+src+"}"); !errors.Is(err, want) {
			t.Errorf("%s: %v, %v", src, v, err)
		}
	}
	v, err := rt.Eval(t.Context(), `(() => { const a = [1, [2], { b: new Set([3]), c: new Map([[4, 5]]), d: undefined, e: null }]; a.push(a); a[9] = 'x'; return a })()`)
	got, ok := v.([]any)
	if err != nil || !ok || len(got) != 10 || got[9] != "x" || &got[3].([]any)[0] != &got[0] {
		t.Errorf("%v, %v", v, err)
	}
	var thrown *gojaloop.ScriptError
	if _, err := rt.Eval(t.Context(), `({ get a() { throw new RangeError('getter') } })`); !errors.As(err, &thrown) || thrown.Message != "RangeError: getter" {
		t.Error(err)
	}
}

// Each takes minutes where its time is quadratic, and seconds where it is linear.
func TestManyOfAThingTakeTimeInProportion(t *testing.T) {
	if !testkit.Full() || raceflag.Enabled {
		t.Skip("it takes long, and only a full run without the race detector has the time")
	}
	for name, src := range map[string]string{
		"rejections":       `Promise.allSettled(Array.from({ length: 4e5 }, () => Promise.reject(0))).then((all) => all.length)`,
		"listeners":        `const t = new EventTarget(); for (let i = 0; i < 4e4; i++) t.addEventListener('x', () => {}); t.dispatchEvent(new Event('x')); 4e5`,
		"performance.mark": `for (let i = 0; i < 2e5; i++) performance.mark('x' + i); 4e5`,
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		if v, err := running(t, ``).Eval(ctx, "{"+src+"}"); err != nil || v != int64(4e5) {
			t.Errorf("%s: %v, %v", name, v, err)
		}
		cancel()
	}
}

func TestNothingLeftOutIsReachedThroughASetter(t *testing.T) {
	out, err := run(t, `let N; Object.defineProperty(Object.prototype, 'trackAsync', { set(v) { N = this } }); performance; N.write(1, 'x'); N.exit(3)`,
		gojaloop.Without(gojaloop.Process, gojaloop.Console))
	var uncaught *gojaloop.UncaughtError
	if out != "" || !errors.As(err, &uncaught) || !strings.Contains(uncaught.Message, "TypeError") {
		t.Errorf("wrote %q, ended with %v", out, err)
	}
}

func TestAGoErrorShowsNothingButItsText(t *testing.T) {
	rt := running(t, ``)
	if err := rt.Do(t.Context(), func(vm *goja.Runtime) error {
		return vm.Set("open", rt.Async(func(context.Context, []any) (any, error) {
			return nil, &os.PathError{Op: "open", Path: "/secret", Err: os.ErrNotExist}
		}))
	}); err != nil {
		t.Fatal(err)
	}
	v, err := rt.Eval(t.Context(), `open().catch((e) => [e.message, Object.getPrototypeOf(e) === Error.prototype, typeof e.value, ...Object.keys(e)].join())`)
	if err != nil || v != "open /secret: file does not exist,true,undefined" {
		t.Errorf("%v, %v", v, err)
	}
}

// The text of an error is made on the loop, under the deadline.
func TestErrorsRunNothingOfTheScriptWhenTheyAreRead(t *testing.T) {
	rt := running(t, ``)
	for _, src := range []string{
		`throw { toString() { for (;;); }, [Symbol.for('nodejs.util.inspect.custom')]() { for (;;); } }`,
		`throw Object.assign(new Error('x'), { toString() { for (;;); } })`,
		`Promise.reject(Object.assign(new Error('x'), { toString() { for (;;); } }))`,
		`throw Object.defineProperty(new Error('x'), 'cause', { get() { for (;;); } })`,
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if _, err := rt.Eval(ctx, src); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", src, err)
		}
		cancel()
	}
	_, err := rt.Eval(t.Context(), `globalThis.reads = 0; throw { toString() { reads++; return 'x' }, get value() { reads++ } }`)
	wrapped := rt.Do(t.Context(), func(vm *goja.Runtime) error {
		_, err := vm.RunString(`throw { toString() { reads++; return 'x' } }`)
		return errors.Join(errMade, err)
	})
	before, _ := rt.Eval(t.Context(), `reads`)
	for range 3 {
		_, _ = err.Error(), wrapped.Error()
		errors.Is(err, os.ErrNotExist)
		errors.Is(wrapped, os.ErrNotExist)
	}
	after, _ := rt.Eval(t.Context(), `reads`)
	if before != after {
		t.Errorf("reading the errors ran the script %v times", after)
	}
	if !errors.Is(wrapped, errMade) {
		t.Errorf("what is around an exception is lost: %v", wrapped)
	}
}
