package contracts_test

import (
	"context"
	"testing"
	"time"

	core "github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// likeness compares two values, and which of their parts are the same objects.
const likeness = `
const entries = (m) => [...Map.prototype.entries.call(m)].flat(), kind = (v) => Object.prototype.toString.call(v);
function alike(a, b, known) {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return Object.is(a, b);
  if (known.has(a)) return known.get(a) === b;
  known.set(a, b);
  if (a === b || kind(a) !== kind(b) || Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (a instanceof Date) return Object.is(a.getTime(), b.getTime());
  const inside = (v) => v instanceof Map ? entries(v) : v instanceof Set ? [...v] : [];
  const [x, y] = [inside(a), inside(b)], [k, l] = [Object.getOwnPropertyNames(a), Object.getOwnPropertyNames(b)];
  if (x.length !== y.length || k.length !== l.length) return false;
  if (!x.every((v, i) => alike(v, y[i], known))) return false;
  return k.every((key, i) => {
    if (key !== l[i]) return false;
    const [p, q] = [Object.getOwnPropertyDescriptor(a, key), Object.getOwnPropertyDescriptor(b, key)];
    return ['writable', 'enumerable', 'configurable'].every((flag) => p[flag] === q[flag]) && alike(p.value, q.value, known);
  });
}
`

func TestGoClonesValuesAsTheScriptDoes(t *testing.T) {
	got := output(t, randomValues+likeness+`
		let same = 0;
		const attempt = (f) => { try { return [f()] } catch (e) { return e.name + ': ' + e.message } };
		for (let i = 0; i < 3000; i++) {
			const v = value(5, i % 2, []);
			if (i % 7 === 0) v !== null && typeof v === 'object' && Object.assign(v, { date: new Date(i % 2 ? i : NaN), set: new Set([v, 1]) });
			// With a second argument the script does it all.
			const plain = attempt(() => structuredClone(v)), script = attempt(() => structuredClone(v, undefined));
			if (typeof plain === 'string' ? plain === script : alike(plain, script, new Map())) same++; else console.log(v, plain, script);
		}
		console.log('%d', same)`)
	if got != "3000\n" {
		t.Error(got)
	}
}

func TestCloningRunsNothingOfTheScript(t *testing.T) {
	for name, change := range map[string]string{
		"a setter":              `Object.defineProperty(Object.prototype, 'a', { set() { throw new Error('ran') }, configurable: true })`,
		"a setter of arrays":    `Object.defineProperty(Array.prototype, 0, { set() { throw new Error('ran') }, configurable: true })`,
		"an iterator":           `Array.prototype[Symbol.iterator] = () => { throw new Error('ran') }`,
		"a species":             `Object.defineProperty(Array, Symbol.species, { get() { throw new Error('ran') } })`,
		"a constructor":         `Array.prototype.constructor = Object.prototype.constructor = class { constructor() { throw new Error('ran') } }`,
		"methods, afterwards":   `structuredClone(new Map()); Map.prototype.set = Map.prototype.forEach = Set.prototype.add = Date.prototype.getTime = () => { throw new Error('ran') }`,
		"classes, afterwards":   `structuredClone(1); globalThis.Map = globalThis.Set = globalThis.Date = class { constructor() { throw new Error('ran') } }`,
		"methods of primitives": `String.prototype.toString = Number.prototype.valueOf = () => { throw new Error('ran') }`,
	} {
		got := output(t, `const v = { a: [1, 'x', { b: 2 }], m: new Map([['k', new Set([1])]]), d: new Date(5) }; v.self = v.m; structuredClone(v); `+change+`;
			const c = structuredClone(v);
			console.log([c !== v, c.a !== v.a, c.a[2].b, c.m === c.self, c.m !== v.m, c.m.size, +c.d].join());`)
		if got != "true,true,2,true,true,1,5\n" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestCloningEndsWithTheContext(t *testing.T) {
	for name, all := range map[string]string{
		"array": `Array.from({ length: 100000 }, (_, i) => ({ i }))`,
		"map":   `new Map(Array.from({ length: 100000 }, (_, i) => [i, i]))`,
		"set":   `new Set(Array.from({ length: 100000 }, (_, i) => i))`,
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 250*time.Millisecond)
			defer cancel()
			rt := gojaloop.New(core.New(), gojaloop.WithOutput(&discard{}, &discard{}))
			err := rt.Run(ctx, `const all = `+all+`; for (;;) structuredClone(all)`)
			if ctx.Err() == nil || err == nil {
				t.Errorf("ended with %v", err)
			}
		})
	}
}

func TestValuesNestedTooDeepToBeClonedAreRangeErrors(t *testing.T) {
	for name, nest := range map[string]string{"arrays": `[v]`, "objects": `{ v }`, "maps": `new Map([[v, v]])`, "sets": `new Set([v])`} {
		rt := gojaloop.New(core.New())
		err := rt.Run(t.Context(), `let v = 1; for (let i = 0; i < 50000; i++) v = `+nest+`; try { structuredClone(v) } catch (e) { if (e instanceof RangeError) v = null } if (v !== null) throw 1`)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
