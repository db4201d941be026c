// structuredClone (HTML 2.7).
const attempt = (name, fn) => { try { console.log(name, fn()); } catch (e) { console.log(name, e.name, e.code, e.message); } };
const clone = structuredClone;
const values = [undefined, null, true, -0, NaN, Infinity, 'x', 12n, '', Object(1), Object('s'), Object(true), Object(5n), new Date(0), new Date(NaN), /a(b)/giu, [], [1, , 3], [, ,], {}, { a: 1, b: { c: [2] } },
  new Map([[1, { a: 1 }], ['k', new Map()]]), new Set([1, 'a', { b: 2 }]), new ArrayBuffer(3), new Uint8Array([1, 2, 3]), new Float64Array([1.5, NaN]), new DataView(new ArrayBuffer(4), 1, 2), new BigInt64Array([1n]),
  new Uint16Array(new ArrayBuffer(8), 2, 2), Object.create(null), Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true }, hidden: { value: 3 } }), new (class Foo { constructor() { this.x = 1; } get y() { return 2; } })(), Object.freeze({ f: 1 })];
for (const v of values) { const r = clone(v); console.log(r, r === v || Object.is(r, v), Object.prototype.toString.call(r)); }
const holes = clone([1, , 3]); console.log(1 in holes, holes.length); const extra = [1]; extra.x = 'y'; extra[-1] = 2; console.log(clone(extra));
const re = /x/g; re.lastIndex = 3; console.log(clone(re).lastIndex);
const cyc = { name: 'c' }; cyc.self = cyc; cyc.list = [cyc, { cyc }]; const cc = clone(cyc); console.log(cc.self === cc, cc.list[0] === cc, cc.list[1].cyc === cc, cc !== cyc);
const m = new Map(); m.set(m, m); const mm = clone(m); console.log(mm.get(mm) === mm); const st = new Set(); st.add(st); console.log(clone(st).size, clone(st).has(st));
const shared = { s: 1 }; const sh = clone([shared, shared]); console.log(sh[0] === sh[1]);
const buf = new ArrayBuffer(8), views = clone([new Uint8Array(buf, 1, 2), new Uint16Array(buf), buf]); console.log(views[0].buffer === views[1].buffer, views[2] === views[0].buffer, views[0].byteOffset);
for (const E of [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError]) { const e = clone(new E('m')); console.log(e instanceof E, e.name, e.message, Object.keys(e), e.constructor === E); }
const custom = new Error('c'); custom.name = 'Custom'; custom.extra = 1; const ce = clone(custom); console.log(ce.name, ce.extra, ce.message, ce instanceof Error);
class MyError extends TypeError { constructor() { super('mine'); this.name = 'RangeError'; } } const me = clone(new MyError()); console.log(me instanceof RangeError, me.name, me.constructor.name);
const nomsg = clone(new Error()); console.log('message' in nomsg, Object.prototype.hasOwnProperty.call(nomsg, 'message'));
const proto = clone(JSON.parse('{"__proto__": {"x": 1}, "a": 2}')); console.log(Object.keys(proto), Object.getPrototypeOf(proto) === Object.prototype);
const acc = clone({ get a() { return 5; } }); console.log(Object.getOwnPropertyDescriptor(acc, 'a'));
console.log(clone({ [Symbol('s')]: 1, b: 2 }));
for (const v of [Symbol('a'), () => 1, function foo(a) { return 1; }, class A {}, Promise.resolve(), new WeakMap(), new WeakSet(), [][Symbol.iterator](), new Map()[Symbol.iterator](), new Proxy({}, {}), new Proxy([], {}), Object(Symbol('x')), { a: Symbol('z') }, [() => {}], new Map([[() => {}, 1]])]) attempt('fail', () => clone(v));
attempt('getter', () => clone({ get a() { throw new RangeError('g'); } }));
attempt('none', () => clone());
for (const o of [1, 'x', true, null, undefined, {}, { transfer: 1 }, { transfer: null }, { transfer: undefined }, { transfer: [1] }]) attempt('options', () => clone(1, o));
const b = new ArrayBuffer(8); new Uint8Array(b)[2] = 7; attempt('duplicate', () => clone(b, { transfer: [b, b] })); console.log(b.byteLength);
const view = new Uint8Array(b, 2, 3); const r = clone({ b, view }, { transfer: [b] }); console.log(r.view, r.b.byteLength, b.byteLength, view.length, r.view.buffer === r.b);
attempt('detached', () => clone(b)); console.log(clone('x', { transfer: [new ArrayBuffer(1)] }));
attempt('atomic', () => { const t = new ArrayBuffer(2); try { clone(() => {}, { transfer: [t] }); } finally { console.log(t.byteLength); } });
const order = []; clone({ get a() { order.push('a'); return 1; }, get b() { order.push('b'); return 2; } }); console.log(order);
const mut = { get a() { delete mut.b; return 1; }, b: 2, get c() { mut.d = 1; return 3; } }; console.log(clone(mut));
const bare = (o) => Object.setPrototypeOf(o, null);
for (const v of [new Map([[1, 2]]), new Set([1]), new ArrayBuffer(2), new Uint8Array(2), new DataView(new ArrayBuffer(1)), Object(1), Object('s'), Object(5n), new Date(0), [1], new Error('e')]) { const r = clone(bare(v)); console.log(r.constructor.name, Object.prototype.toString.call(r)); }
for (const v of [Promise.resolve(), new WeakMap(), new WeakSet()]) { try { clone(bare(v)); } catch (e) { console.log('bare', e.name); } }
for (const C of [Map, Set, WeakMap, Promise, ArrayBuffer, Uint8Array, BigInt, Date, RegExp, Error]) console.log(Object.prototype.toString.call(clone(Object.create(C.prototype))));
const re2 = /x/; Object.defineProperty(re2, 'source', { value: 'y' }); console.log(clone(re2).source); const u8 = new Uint8Array(4); Object.defineProperty(u8, 'length', { value: 1 }); console.log(clone(u8).length);
