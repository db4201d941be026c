// util: callbackify, promisify, inherits, deprecate, isDeepStrictEqual, types.
const util = require('util');
const { promisify, callbackify, inherits, types } = util;
const thrown = (fn) => { try { fn(); return 'nothing'; } catch (e) { return `${e.name} ${e.code} ${e.message} ${String(e)}`; } };
const bad = [undefined, null, 1, 'x', {}, [], Symbol('s')];
for (const v of bad) console.log(thrown(() => promisify(v)), thrown(() => callbackify(v)), thrown(() => inherits(class {}, v)));
async function add(a, b) { return a + b; }
const called = callbackify(add);
console.log(thrown(() => inherits(null, A)), thrown(() => inherits(undefined, A)));
console.log(called.name, called.length, thrown(() => called(1)));
called.call({ x: 1 }, 1, 2, (...args) => console.log('done', args));
callbackify(() => Promise.reject(null))((e) => console.log(e.code, e.reason, e.message));
callbackify(() => Promise.reject(new RangeError('r')))((e) => console.log(e.name));
const o = { f: promisify(function (a, done) { done(a === 0 ? new Error('zero') : null, this === o, 'lost'); }) };
o.f(1).then(console.log);
o.f(0).catch((e) => console.log(e.message));
const marked = Object.assign(() => {}, { [promisify.custom]: 5 });
console.log(thrown(() => promisify(marked)));
function A() {}
function B() {}
inherits(A, B);
console.log(new A() instanceof B, Object.getOwnPropertyDescriptor(A, 'super_').enumerable, util.isArray([]), util.toUSVString('a\ud800') === 'a\ufffd', util.stripVTControlCharacters('\u001b[31mred\u001b[39m'));
console.log(util.isDeepStrictEqual([{ a: new Map([[1, new Set([2])]]) }], [{ a: new Map([[1, new Set([2])]]) }]), util.isDeepStrictEqual([0], [-0]), util.isDeepStrictEqual(new Date(1), new Date(2)));
const samples = {
  map: new Map(), set: new Set(), weakMap: new WeakMap(), weakSet: new WeakSet(), date: new Date(), regexp: /x/, promise: Promise.resolve(), buffer: new ArrayBuffer(1),
  bytes: new Uint8Array(1), floats: new Float64Array(1), bigs: new BigInt64Array(1), view: new DataView(new ArrayBuffer(1)), generator: (function* () {})(), generators: function* () {},
  async: async () => {}, number: Object(1), string: Object('x'), boolean: Object(true), symbol: Object(Symbol('s')), big: Object(1n), error: new TypeError(), args: (function () { return arguments; })(),
  entries: new Map().entries(), values: new Set().values(), proxy: new Proxy({}, {}), object: {}, nothing: null, missing: undefined, text: 'x', one: 1, liar: { [Symbol.toStringTag]: 'Map' },
};
for (const name of Object.keys(types).filter((k) => !/Key|EventTarget|Shared/.test(k)).sort()) console.log(name, Object.keys(samples).filter((k) => types[name](samples[k])).join());
const e = {};
Error.captureStackTrace(e);
console.log(typeof e.stack, e.stack.split('\n')[0], Object.keys(e));
