// Globals are own properties of globalThis with the attributes of Web IDL and Node, and classes have Web IDL's shape.
const own = (o, k) => Object.prototype.hasOwnProperty.call(o, k);
console.log(globalThis === global, Object.prototype.toString.call(globalThis), globalThis.globalThis === globalThis);
const names = ['global', 'clearImmediate', 'setImmediate', 'clearInterval', 'clearTimeout', 'setInterval', 'setTimeout', 'queueMicrotask',
  'structuredClone', 'atob', 'btoa', 'performance', 'crypto', 'console', 'process', 'Event', 'EventTarget', 'AbortController',
  'AbortSignal', 'DOMException', 'TextEncoder', 'TextDecoder', 'URL', 'URLSearchParams', 'Performance', 'PerformanceEntry', 'PerformanceMark',
  'PerformanceMeasure', 'Crypto', 'CustomEvent', 'globalThis'];
console.log(names.filter((n) => !own(globalThis, n)));
console.log(names.filter((n) => Object.keys(globalThis).includes(n)).sort().join());
for (const n of names) {
  const d = Object.getOwnPropertyDescriptor(globalThis, n);
  console.log(n, typeof globalThis[n], d.enumerable, d.configurable);
}
for (const n of names.filter((n) => typeof globalThis[n] === 'function' && n !== 'structuredClone')) {
  const f = globalThis[n];
  const d = Object.getOwnPropertyDescriptor(f, 'name');
  console.log(n, f.name, f.length, d.writable, d.enumerable, d.configurable);
}
const classes = [EventTarget, AbortController, TextEncoder, TextDecoder, URL, URLSearchParams];
const omit = ['inspect.custom', 'kInspect', 'subtle', 'nodeTiming', 'timerify', 'onresourcetimingbufferfull', 'markResourceTiming', 'createObjectURL', 'revokeObjectURL', 'parse', 'webkitMatchesSelector'];
for (const C of classes) {
  const p = Object.getOwnPropertyDescriptor(C, 'prototype');
  console.log(`class ${C.name}`, p.writable, p.enumerable, p.configurable, Object.getPrototypeOf(C).name, C.prototype[Symbol.toStringTag]);
  const tag = Object.getOwnPropertyDescriptor(C.prototype, Symbol.toStringTag);
  console.log('  tag', tag.writable, tag.enumerable, tag.configurable);
  for (const [where, o] of [['static', C], ['member', C.prototype]]) {
    for (const key of Object.getOwnPropertyNames(o).sort()) {
      if (['length', 'name', 'prototype', 'constructor', 'arguments', 'caller', 'stackTraceLimit', 'captureStackTrace'].includes(key) || omit.includes(key)) continue;
      const d = Object.getOwnPropertyDescriptor(o, key);
      const what = 'value' in d ? (typeof d.value === 'function' ? `method ${d.value.length}` : `value ${d.value}`) : `get${d.set ? '/set' : ''}`;
      console.log(`  ${where} ${key}: ${what}`, d.enumerable, d.configurable);
    }
  }
}
const attempt = (name, fn) => { try { console.log(name, fn()); } catch (e) { console.log(name, e instanceof TypeError, e.constructor.name); } };
for (const C of classes) {
  attempt(`call ${C.name}`, () => C('x'));
  for (const key of Object.getOwnPropertyNames(C.prototype).sort()) {
    if (key === 'constructor' || omit.includes(key)) continue;
    const d = Object.getOwnPropertyDescriptor(C.prototype, key);
    if (d.get) { attempt(`${C.name} get ${key}`, () => d.get.call({})); attempt(`${C.name} get ${key} of prototype`, () => C.prototype[key]); }
    if (d.set) attempt(`${C.name} set ${key}`, () => d.set.call({}, 'x'));
  }
}
for (const C of [AbortSignal, Performance, PerformanceEntry, PerformanceMeasure, Crypto]) attempt(`new ${C.name}`, () => new C());
for (const C of [Event, CustomEvent, URL, PerformanceMark]) attempt(`new ${C.name}`, () => new C());
for (const m of ['addEventListener', 'removeEventListener', 'dispatchEvent']) attempt(m, () => EventTarget.prototype[m].call({}, new Event('x'), () => {}));
for (const m of ['abort', 'throwIfAborted']) attempt(m, () => (m === 'abort' ? AbortController : AbortSignal).prototype[m].call({}));
attempt('encode', () => TextEncoder.prototype.encode.call({}, 'x'));
attempt('decode', () => TextDecoder.prototype.decode.call({}));
attempt('append', () => URLSearchParams.prototype.append.call({}, 'a', 'b'));
attempt('now', () => performance.now.call({}));
attempt('getRandomValues', () => crypto.getRandomValues.call({}, new Uint8Array(1)));
globalThis.URL = 1; console.log(URL); delete globalThis.URL; console.log(typeof URL);
var atob = 2; console.log(atob);
TextEncoder = 3; console.log(TextEncoder, Object.getOwnPropertyDescriptor(globalThis, 'TextEncoder'));
for (const m of ['assert', 'count', 'countReset', 'debug', 'dir', 'dirxml', 'error', 'group', 'groupCollapsed', 'groupEnd', 'info', 'log', 'table', 'time', 'timeEnd', 'timeLog', 'trace', 'warn']) {
  const d = Object.getOwnPropertyDescriptor(console, m);
  console.log(m, typeof console[m], console[m].name, d.writable, d.enumerable, d.configurable, own(console[m], 'prototype'));
}
console.log(Object.prototype.toString.call(console), Object.getPrototypeOf(Object.getPrototypeOf(console)) === Object.prototype);
