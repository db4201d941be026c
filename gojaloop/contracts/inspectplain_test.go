package contracts_test

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"

	core "github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// randomValues logs values made at random, the same in each engine: plain ones, which Go shows, among others, which it hands on.
const randomValues = `
let seed = 7; const random = (n) => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) % (n * 8) >>> 3;
const strings = ['', 'a', 'x y', "it's", 'say "hi"', "both ' and \"", "all ' \" ` + "`" + `", '\n', 'tab\t\x07\x0b\x7f\\', 'é', '日本', '😀', '\ud800', '__proto__', '0', '-0', 'constructor', 'a$b', '\${x}',
  'a long string that takes more than sixteen columns', 'line one of several\nline two of several, which is longer\nand the third one of all these lines, of which there are many'];
const rare = [() => Symbol('s'), () => new Date(0), () => /x/g, () => function f() {}, () => Object.create(null), () => new (class A {})(), () => new Set([1]), () => Object(1), () => new Uint8Array(2),
  () => ({ get g() { throw new Error('ran') } }), () => ({ set s(v) {} }), () => [1, , 3], () => new Array(5), () => ({ [Symbol('k')]: 1 }), () => Object.assign([1], { extra: 2 }),
  () => new Proxy({ a: 1 }, { get() { throw new Error('trap') }, ownKeys() { throw new Error('trap') } }), () => ({ [Symbol.toStringTag]: 'T' }), () => ({ constructor: 1 }),
  () => Object.freeze({ a: 1, b: [2] }), () => Object.defineProperty({}, 'hidden', { value: 1 }), () => ({ [Symbol.for('nodejs.util.inspect.custom')]() { return 'mine' } }),
  () => Object.defineProperty([1, 2], 0, { get() { throw new Error('ran') } }), () => Object.freeze([1, [2]]), () => Object.setPrototypeOf([1], null), () => new (class B extends Array {})(3)];
function value(depth, odd, above) {
  switch (random(depth > 0 ? 13 : 8)) {
    case 0: return random(1000) - 500; case 1: return [0, -0, NaN, Infinity, 1.5, 1e21, 1e-7][random(7)];
    case 2: return strings[random(strings.length)]; case 3: return [true, false, null, undefined][random(4)]; case 4: return BigInt(random(100));
    case 5: return 'abcdefghij'.slice(random(10)); case 6: return above.length > 0 ? above[random(above.length)] : 1;
    case 7: return odd && random(4) === 0 ? rare[random(rare.length)]() : random(100);
    case 8: { const m = new Map(); for (let i = random(4); i > 0; i--) m.set(value(depth - 1, odd, [...above, m]), value(depth - 1, odd, [...above, m])); return m; }
    case 9: { const numbers = random(2); return Array.from({ length: random(130) }, () => (numbers ? random(100000) : 'abcdefghijklmnop'.slice(random(16)))); }
    case 10: { const a = []; for (let i = random(9); i > 0; i--) a.push(value(depth - 1, odd, [...above, a])); return a; }
    default: { const o = {}; for (let i = random(6); i > 0; i--) {
		Object.defineProperty(o, strings[random(strings.length)], { value: value(depth - 1, odd, [...above, o]), enumerable: random(20) > 0, configurable: true, writable: true });
	} return o; }
  }
}
`

func output(t *testing.T, src string) string {
	t.Helper()
	out, err := run(t, src, gojaloop.WithModules(nil))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestGoShowsValuesAsTheScriptsDo(t *testing.T) {
	got := output(t, randomValues+`
		const { inspect } = require('util'); let same = 0;
		for (let i = 0; i < 3000; i++) {
			const v = value(5, i % 2, []), plain = inspect(v), scripts = inspect(v, {});
			if (plain === scripts) same++; else console.log('%s\nis not\n%s', plain, scripts);
		}
		console.log('%d', same)`)
	if got != "3000\n" {
		t.Error(got)
	}
}

func TestLoggedValuesAreThoseOfNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no Node")
	}
	src := randomValues + `for (let i = 0; i < 2000; i++) console.log(i, value(5, i % 2, []))`
	want, err := exec.Command(node, "-e", src).Output()
	if err != nil {
		t.Fatal(err)
	}
	wanted, got := strings.Split(string(want), "\n"), strings.Split(output(t, src), "\n")
	for i, line := range wanted {
		if i >= len(got) || got[i] != line {
			t.Fatalf("line %d is\n%q\nand not\n%q", i, got[min(i, len(got)-1)], line)
		}
	}
}

func TestWhatAScriptHasPutOnClassesShowsInTheValues(t *testing.T) {
	for name, change := range map[string]string{
		"a getter named constructor":  `Object.defineProperty(Object.prototype, 'constructor', { get() { throw new Error('ran') } })`,
		"another name":                `Object.defineProperty(Object, 'name', { value: 'Renamed' })`,
		"a getter of the name":        `Object.defineProperty(Array, 'name', { get() { return 'Other' } })`,
		"a tag":                       `Object.prototype[Symbol.toStringTag] = 'Tag'`,
		"a tag of maps":               `Object.defineProperty(Map.prototype, Symbol.toStringTag, { value: 'Other' })`,
		"an inspector":                `Array.prototype[Symbol.for('nodejs.util.inspect.custom')] = () => 'mine'`,
		"an instance test":            `Object.defineProperty(Object, Symbol.hasInstance, { value: () => false })`,
		"another prototype":           `Object.setPrototypeOf(Array.prototype, null)`,
		"another constructor":         `Array.prototype.constructor = class Mine {}`,
		"no constructor":              `delete Array.prototype.constructor`,
		"a class of its own":          `inspect({}); Object.setPrototypeOf(v, Object.assign(Object.create(null), { constructor: Object }))`,
		"an array's class of its own": `inspect([]); Object.setPrototypeOf(v.a, Object.create(Object.prototype, { constructor: { value: Array } }))`,
		"other defaults":              `inspect.defaultOptions.depth = 0`,
		"all other defaults":          `inspect.defaultOptions = { depth: 0 }`,
	} {
		src := `const { inspect } = require('util'); const v = { a: [{ b: new Map([[1, {}]]) }] }; ` + change + `;
			let plain, scripts; try { plain = inspect(v) } catch (e) { plain = e.message } try { scripts = inspect(v, {}) } catch (e) { scripts = e.message }
			console.log('%s', plain === scripts ? 'same' : plain + ' is not ' + scripts)`
		if got := output(t, src); got != "same\n" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestShowingAHugeMapEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	rt := gojaloop.New(core.New(), gojaloop.WithOutput(&discard{}, &discard{}), gojaloop.WithModules(nil))
	err := rt.Run(ctx, `const { inspect } = require('util'); const m = new Map(); for (let i = 0; i < 10000; i++) m.set(i, i); for (;;) inspect(m)`)
	if ctx.Err() == nil || err == nil {
		t.Errorf("ended with %v", err)
	}
}
