// What timers take and return (Node: timers; test/parallel/test-timers-*).
const attempt = (name, fn) => { try { console.log(name, fn()); } catch (e) { console.log(name, e.name, e.code, e.message); } };
const fails = [undefined, null, true, 0, 12.5, NaN, -0, 'text', 'a string that is rather long for a message', '', Symbol('s'), 1n, {}, [], /x/, new Map(), new Date(0), Object.create(null), new (class Foo {})()];
for (const f of [setTimeout, setInterval, setImmediate, queueMicrotask, process.nextTick]) {
  for (const v of fails) attempt(f.name, () => f(v));
  attempt(f.name, () => f());
}
for (const f of [setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate, queueMicrotask, process.nextTick]) console.log(f.name, f.length);
setTimeout(function (...args) { console.log('timeout', args, this.constructor.name, this === t); }, 1, 1, 'two', [3], undefined);
const t = setTimeout(function () { console.log(this === t, arguments.length); }, 1);
const im = setImmediate(function (...args) { console.log('immediate', args, this === im, this.constructor.name); }, 1, 2, 3, 4);
const iv = setInterval(function (...args) { console.log('interval', args, this === iv); clearInterval(this); }, 1, 'x');
process.nextTick(function (...args) { console.log('tick', args, this === undefined || this === globalThis, typeof this); }, 1, 2);
queueMicrotask(function (...args) { console.log('micro', args); });
for (const v of [undefined, null, 0, -1, NaN, 'x', '', {}, [], () => {}, true, Symbol.iterator, 1n, 1e9, '1e9', { [Symbol.toPrimitive]: () => 1 }]) {
  attempt('clear', () => [clearTimeout(v), clearInterval(v), Object(v) !== v || clearImmediate(v)].every((x) => x === undefined || x === true));
}
attempt('clear nothing', () => clearTimeout());
const a = setTimeout(() => console.log('never a'), 1);
console.log(clearTimeout(a), a._destroyed, clearTimeout(a));
const b = setTimeout(() => console.log('never b'), 1); clearInterval(b);
const c = setInterval(() => console.log('never c'), 1); clearTimeout(c);
const d = setTimeout(() => console.log('never d'), 1); clearTimeout(+d);
const e = setTimeout(() => console.log('never e'), 1); clearTimeout(`${+e}`);
const f = setTimeout(() => console.log('never f'), 1); clearTimeout(f[Symbol.toPrimitive]());
const g = setImmediate(() => console.log('never g')); clearImmediate(g);
console.log(typeof +t, Number.isInteger(+t), +t === t[Symbol.toPrimitive](), `${t}` === String(+t), t > 0);
console.log(t.ref() === t, t.unref() === t, t.hasRef(), t.ref().hasRef(), t.refresh() === t, t.close() === t);
console.log(im.ref() === im, im.unref() === im, im.hasRef(), im.ref().hasRef());
console.log(typeof im.refresh, typeof im.close, typeof im[Symbol.toPrimitive], Number.isNaN(+im));
console.log(t instanceof setTimeout(() => {}, 1).constructor, Object.prototype.toString.call(t), Object.prototype.toString.call(im));
console.log(Object.getOwnPropertyNames(Object.getPrototypeOf(t)).sort().join(), Object.getOwnPropertyNames(Object.getPrototypeOf(im)).sort().join());
attempt('hasRef of closed', () => { const x = setTimeout(() => {}, 1); clearTimeout(x); return x.hasRef(); });
attempt('hasRef of closed immediate', () => { const x = setImmediate(() => {}); clearImmediate(x); return x.hasRef(); });
attempt('ref of closed', () => { const x = setTimeout(() => {}, 1); clearTimeout(x); return x.unref().ref() === x; });
attempt('delay bigint', () => setTimeout(() => {}, 1n));
attempt('delay symbol', () => setTimeout(() => {}, Symbol('x')));
attempt('delay throws', () => setTimeout(() => {}, { valueOf() { throw new Error('v'); } }));
const end = performance.now() + 3; while (performance.now() < end);
