// Where Node 20 departs from the standards, and we do not.
const attempt = (name, fn) => { try { console.log(name, fn()); } catch (e) { console.log(name, e.name); } };
const e = new Event('x'), f = new CustomEvent('y');
console.log(Object.getOwnPropertyNames(e).join(), Object.getOwnPropertyDescriptor(e, 'isTrusted').get === Object.getOwnPropertyDescriptor(f, 'isTrusted').get, Object.getOwnPropertyDescriptor(e, 'isTrusted').configurable);
const order = [];
new CustomEvent({ toString() { order.push('type'); return 'x'; } }, { get bubbles() { order.push('bubbles'); }, get cancelable() { order.push('cancelable'); }, get composed() { order.push('composed'); }, get detail() { order.push('detail'); } });
console.log(order.join());
f.initCustomEvent('z', true, true, 5); console.log(f.type, f.bubbles, f.cancelable, f.detail);
e.initEvent('w', true, true); console.log(e.type, e.bubbles, e.cancelable); attempt('initEvent', () => e.initEvent());
const c = new Event('x', { cancelable: true }); c.returnValue = false; console.log(c.defaultPrevented);
const x = new AbortController(), y = AbortSignal.any([x.signal]), z = AbortSignal.any([y]);
y.onabort = z.onabort = () => {}; x.signal.addEventListener('abort', () => console.log('dependents are aborted already', y.aborted, z.aborted)); x.abort();
for (const v of [undefined, NaN, -1, Infinity, 2 ** 53, 'x', 1n, Symbol('x')]) attempt('timeout', () => AbortSignal.timeout(v).aborted);
for (const v of ['5', 0.5, -0.5, null, true, [3]]) attempt('timeout', () => AbortSignal.timeout(v).aborted);
const s = new AbortController().signal; s.onabort = 1; console.log(s.onabort);
const t = new EventTarget(); t.addEventListener('x', () => console.log('capture by a number')); t.addEventListener('x', () => console.log('captured'), 1); t.dispatchEvent(new Event('x'));
for (const v of [null, 1, {}]) attempt('signal', () => t.addEventListener('x', () => {}, { signal: v }));
for (const make of [() => new Event('x'), () => new EventTarget(), () => new AbortController(), () => new URL('http://a/'), () => new URLSearchParams(), () => new TextDecoder(), () => performance, () => crypto]) attempt('clone', () => structuredClone(make()));
const d = structuredClone(new DOMException('m', 'AbortError')); console.log(d instanceof DOMException, d.name, d.message, d.code);
const code = (s) => Array.from(s, (ch) => ch.codePointAt(0).toString(16)).join(' ');
for (const l of ['windows-1252', 'latin1', 'windows-1250', 'windows-1251', 'windows-1253', 'iso-8859-15', 'windows-874']) console.log(l, code(new TextDecoder(l).decode(new Uint8Array([0x80, 0x81, 0x90, 0x98, 0x9f, 0xa4, 0xff]))));
attempt('label', () => new TextDecoder('\u212aoi8-r')); console.log(new TextDecoder('x-user-defined').decode(new Uint8Array([0x41, 0x80])).charCodeAt(1).toString(16));
console.log(`${new URLSearchParams(null)}`);
for (const v of [new ArrayBuffer(1), [], {}, null, 5]) attempt('getRandomValues', () => crypto.getRandomValues(v));
for (const o of [{ duration: 1 }, { detail: 1 }]) attempt('measure', () => performance.measure('x', o));
const first = new AbortController(), joined = [0, 1, 2, 3].map(() => AbortSignal.any([first.signal])), fired = []; for (const i of [3, 1, 0, 2]) joined[i].addEventListener('abort', () => fired.push(i)); first.abort(); console.log('in order of making', fired.join());
for (const v of [new Set([AbortSignal.abort(1)]), (function* () { yield AbortSignal.abort(2); })(), Object.assign(() => {}, { [Symbol.iterator]: function* () {} })]) attempt('any', () => AbortSignal.any(v).aborted);
const on = Object.getOwnPropertyDescriptor(AbortSignal.prototype, 'onabort'); console.log(on.get.name, on.set.name, on.enumerable); for (const v of [{}, undefined, new EventTarget()]) { attempt('get', () => on.get.call(v)); attempt('set', () => on.set.call(v, null)); }
for (const v of [undefined, null]) attempt('add', () => EventTarget.prototype.addEventListener.call(v, 'x', () => {}));
const read = []; performance.measure('x', { get start() { read.push('start'); return 0; }, get end() { read.push('end'); return 1; }, get duration() { read.push('duration'); }, get detail() { read.push('detail'); } });
performance.mark('x', { get startTime() { read.push('startTime'); return '5'; }, get detail() { read.push('detail'); } }); console.log(read.join());
console.log(performance.mark('five', { startTime: '5' }).startTime, performance.mark('null', { startTime: null }).startTime, performance.measure('x', { start: 0, duration: '5' }).duration);
for (const v of [NaN, Infinity, -1, 'y', {}]) { attempt('mark', () => performance.mark('x', { startTime: v })); attempt('measure', () => performance.measure('x', { start: 0, duration: v })); }
attempt('number', () => performance.measure('x', 5)); attempt('constructed', () => { new PerformanceMark('apart'); performance.measure('x', 'apart'); });
attempt('detail of the other', () => Object.getOwnPropertyDescriptor(PerformanceMeasure.prototype, 'detail').get.call(performance.mark('x')));
const aborting = new AbortController(), unheard = AbortSignal.any([aborting.signal]); aborting.signal.onabort = () => { unheard.onabort = () => console.log('its event is still to come'); }; aborting.abort(); unheard.addEventListener('abort', () => console.log('never'));
