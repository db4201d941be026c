// Proxies: ECMA-262 10.5 and 28.2. Each trap is called with the handler for this, the target and the operation's arguments.
const show = (name, f) => {
  let line;
  try { line = f(); } catch (e) { line = `${e.name}`; }
  console.log(name, line);
};
const s = Symbol('s');

// The constructor.
show('length', () => Proxy.length);
show('name', () => Proxy.name);
show('typeof', () => typeof Proxy);
show('own names', () => Object.getOwnPropertyNames(Proxy).sort().join());
show('own prototype', () => Object.hasOwn(Proxy, 'prototype') + ' ' + Proxy.prototype);
show('descriptor', () => JSON.stringify(Object.getOwnPropertyDescriptor(globalThis, 'Proxy'), (k, v) => typeof v === 'function' ? 'function' : v));
show('revocable', () => [Proxy.revocable.length, Proxy.revocable.name, JSON.stringify(Object.getOwnPropertyDescriptor(Proxy, 'revocable'))]);
show('without new', () => Proxy({}, {}));
show('no handler', () => new Proxy({}));
show('bad target', () => new Proxy(1, {}));
show('bad handler', () => new Proxy({}, null));
show('bad revocable', () => Proxy.revocable({}, 1));
show('extends', () => class extends Proxy {});
show('Reflect.construct', () => Reflect.construct(Proxy, [[1, 2], {}]).length);
show('own new.target', () => Reflect.construct(Proxy, [{ a: 3 }, {}], class {}).a);

// All traps, in their order.
const calls = [];
const record = (...names) => Object.fromEntries(names.map((name) => [name, function (target, ...args) {
  calls.push(`${name} ${this === handler} ${target === object || target === f} ${args.map((a) => a === proxy || a === callable ? 'proxy' : typeof a === 'object' ? JSON.stringify(a) : String(a)).join('|')}`);
  return Reflect[name](target, ...args);
}]));
const object = { a: 1, 5: 'five', [s]: 's' };
const handler = record('get', 'set', 'has', 'deleteProperty', 'ownKeys', 'getOwnPropertyDescriptor', 'defineProperty',
  'getPrototypeOf', 'setPrototypeOf', 'isExtensible', 'preventExtensions', 'apply', 'construct');
const f = function () { return 'called'; };
const proxy = new Proxy(object, handler), callable = new Proxy(f, handler);
for (const [name, f] of Object.entries({
  get: () => proxy.a, 'get index': () => proxy[5], 'get symbol': () => proxy[s] + proxy[Symbol.iterator],
  set: () => proxy.b = 2, 'set index': () => proxy[6] = 6, 'set symbol': () => proxy[s] = 't',
  has: () => 'a' in proxy, 'has index': () => 5 in proxy, 'has symbol': () => s in proxy,
  delete: () => delete proxy.b, 'delete index': () => delete proxy[6], 'delete symbol': () => delete proxy[s],
  keys: () => Object.keys(proxy).join(), symbols: () => Object.getOwnPropertySymbols(proxy).length,
  descriptor: () => JSON.stringify(Object.getOwnPropertyDescriptor(proxy, 'a')),
  define: () => Reflect.defineProperty(proxy, 'c', { value: 3, configurable: true }),
  proto: () => Object.getPrototypeOf(proxy) === Object.prototype, 'set proto': () => Reflect.setPrototypeOf(proxy, Object.prototype),
  instanceof: () => proxy instanceof Object, extensible: () => Object.isExtensible(proxy),
  call: () => callable(1, 2), method: () => ({ callable }).callable.call(7, 8), new: () => typeof new callable(9),
  Reflect: () => Reflect.get(proxy, 'a', 4) + Reflect.has(proxy, 'x'),
  spread: () => JSON.stringify({ ...proxy }), prevent: () => Reflect.preventExtensions(proxy),
})) {
  show(name, f);
  console.log('  ' + calls.splice(0).join('\n  '));
}

// What traps there are is looked up at each operation.
const changing = {};
const late = new Proxy({ x: 1 }, changing);
show('no trap', () => late.x);
changing.get = () => 2;
show('added', () => late.x);
changing.get = undefined;
show('undefined', () => late.x);
changing.get = null;
show('null', () => late.x);
changing.get = 3;
show('no function', () => late.x);
delete changing.get;
Object.setPrototypeOf(changing, { get: () => 4 });
show('inherited', () => late.x);
show('getter', () => new Proxy({}, { get get() { return () => typeof this.own; }, own: 1 }).x);
show('throws', () => new Proxy({}, { get() { throw new RangeError('x'); } }).x);
show('handler throws', () => new Proxy({}, { get get() { throw new EvalError('x'); } }).x);
show('class as trap', () => new Proxy({}, { get: class {} }).x);
show('bound trap', () => new Proxy({}, { get: function () { return this.y; }.bind({ y: 5 }) }).x);
show('native trap', () => new Proxy({ x: 6 }, Reflect).x);
show('async trap', () => new Proxy({}, { async get() {} }).x instanceof Promise);
show('arrow trap', () => new Proxy({}, { get: (t, k, r) => k + typeof r }).x);
show('generator trap', () => new Proxy({}, { * get() { yield 1; } }).x.next().value);

// Proxies for everything.
const log = [];
const spying = new Proxy({}, { get: (t, k) => { log.push(k); return undefined; } });
const spied = new Proxy({ x: 1 }, spying);
void spied.x; spied.y = 1; delete spied.x; Object.keys(spied); 'x' in spied;
show('handler is a proxy', () => log.join());
show('trap is a proxy', () => new Proxy({}, { get: new Proxy(function () { return typeof this; }, {}) }).x);
show('proxy of a proxy', () => new Proxy(new Proxy({ x: 7 }, {}), {}).x);
let many = { x: 8 };
for (let i = 0; i < 500; i++) many = new Proxy(many, {});
show('five hundred', () => [many.x, 'x' in many, Object.keys(many).length, (many.y = 1), delete many.y, Object.isExtensible(many)].join());
show('inherits from a proxy', () => Object.create(new Proxy({}, { get: (t, k, r) => k })).foo);
show('array', () => [Array.isArray(new Proxy([], {})), new Proxy([3, 1, 2], {}).sort().join(), JSON.stringify(new Proxy([1], {})), [...new Proxy([1, 2], {})].length].join(' '));
show('typeof', () => [typeof new Proxy(() => {}, {}), typeof new Proxy(class {}, {}), typeof new Proxy({}, {})].join());
show('constructs', () => new (new Proxy(class { constructor(a) { this.a = a; } }, {}))(9).a);
show('not a constructor', () => new (new Proxy(() => {}, {}))());
show('not callable', () => new Proxy({}, { apply: () => 1 })());
show('class without new', () => new Proxy(class {}, {})());
show('tag', () => Object.prototype.toString.call(new Proxy([], {})) + Object.prototype.toString.call(new Proxy(() => {}, {})));
show('private names', () => { class A { #x = 1; get() { return this.#x; } } return new Proxy(new A(), {}).get(); });
show('with', () => new Function('p', 'with (p) return x')(new Proxy({}, { has: (t, k) => k === 'x', get: (t, k) => k === 'x' ? 10 : undefined })));
show('for in', () => { const r = []; for (const k in new Proxy({ a: 1, b: 2 }, { ownKeys: () => ['b', 'a'] })) r.push(k); return r.join(); });
show('this is the receiver', () => { const p = new Proxy({ get me() { return this === p; } }, {}); return p.me; });
show('setter receiver', () => { let seen; const p = new Proxy({ set x(v) { seen = this === p; } }, {}); p.x = 1; return seen; });

// Invariants.
const frozen = Object.freeze({ a: 1 });
for (const [name, f] of Object.entries({
  get: () => new Proxy(frozen, { get: () => 2 }).a,
  set: () => { 'use strict'; new Proxy(frozen, { set: () => true }).a = 2; },
  'set false': () => { 'use strict'; new Proxy({}, { set: () => false }).a = 2; },
  has: () => 'a' in new Proxy(frozen, { has: () => false }),
  delete: () => delete new Proxy(frozen, { deleteProperty: () => true }).a,
  ownKeys: () => Object.keys(new Proxy(frozen, { ownKeys: () => [] })),
  'ownKeys twice': () => Object.keys(new Proxy({}, { ownKeys: () => ['a', 'a'] })),
  'ownKeys number': () => Object.keys(new Proxy({}, { ownKeys: () => [1] })),
  descriptor: () => Object.getOwnPropertyDescriptor(new Proxy(frozen, { getOwnPropertyDescriptor: () => undefined }), 'a'),
  'descriptor number': () => Object.getOwnPropertyDescriptor(new Proxy({}, { getOwnPropertyDescriptor: () => 1 }), 'a'),
  define: () => Object.defineProperty(new Proxy(frozen, { defineProperty: () => true }), 'b', { value: 1 }),
  proto: () => Object.getPrototypeOf(new Proxy(frozen, { getPrototypeOf: () => null })),
  'proto number': () => Object.getPrototypeOf(new Proxy({}, { getPrototypeOf: () => 1 })),
  'set proto': () => Object.setPrototypeOf(new Proxy(frozen, { setPrototypeOf: () => true }), null),
  extensible: () => Object.isExtensible(new Proxy({}, { isExtensible: () => false })),
  prevent: () => Object.preventExtensions(new Proxy({}, { preventExtensions: () => true })),
  construct: () => new (new Proxy(class {}, { construct: () => 1 }))(),
})) show('invariant ' + name, f);

// Revoked.
const r = Proxy.revocable(function () {}, {});
show('before', () => [Object.keys(r).join(), typeof r.proxy, r.revoke.length, r.revoke.name === ''].join(' '));
show('revoke', () => [r.revoke(), r.revoke()].join());
for (const [name, f] of Object.entries({
  get: () => r.proxy.x, set: () => { r.proxy.x = 1; }, has: () => 'x' in r.proxy, delete: () => delete r.proxy.x, keys: () => Object.keys(r.proxy),
  call: () => r.proxy(), new: () => new r.proxy(), proto: () => Object.getPrototypeOf(r.proxy), typeof: () => typeof r.proxy,
  isArray: () => Array.isArray(r.proxy), again: () => typeof new Proxy(r.proxy, {}),
})) show('revoked ' + name, f);

// How they are shown.
const util = require('util');
console.log(new Proxy([1, { a: 2 }], {}), new Proxy({ get x() { throw 1; } }, { get() { throw 1; } }), new Proxy(class A {}, {}), r.proxy);
const given = { get: 1, own: { b: 2 } };
console.log(util.inspect(new Proxy({ a: 1 }, given), { showProxy: true }));
console.log(util.inspect(new Proxy(new Proxy([], given), {}), { showProxy: 1 }));
console.log(util.types.isProxy(new Proxy({}, {})), util.types.isProxy(Proxy.revocable({}, {}).proxy), util.types.isProxy({}));
console.log(Proxy);
