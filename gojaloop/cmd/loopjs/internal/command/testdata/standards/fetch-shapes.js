// The shape of fetch and of its classes (Web IDL 3.7).
const classes = [Headers, Request, Response, Blob, File];
for (const C of classes) {
  const d = Object.getOwnPropertyDescriptor(globalThis, C.name), p = Object.getOwnPropertyDescriptor(C, 'prototype');
  console.log(C.name, C.length, d.enumerable, d.writable, d.configurable, p.writable, p.enumerable, p.configurable, C.prototype[Symbol.toStringTag], Object.getPrototypeOf(C).name, Object.getPrototypeOf(C.prototype) === Object.prototype);
  for (const [where, o] of [['static', C], ['member', C.prototype]]) {
    for (const key of Object.getOwnPropertyNames(o).sort()) {
      if (['length', 'prototype', 'constructor'].includes(key) || (where === 'static' && key === 'name')) continue;
      const m = Object.getOwnPropertyDescriptor(o, key);
      console.log(' ', where, key, m.value ? `method ${m.value.length} ${m.value.name}` : `getter ${m.get.name} ${m.set}`, m.enumerable, m.configurable);
    }
  }
  console.log('  iterable', typeof C.prototype[Symbol.iterator], C.prototype[Symbol.iterator] === C.prototype.entries);
}
const attempt = (name, fn) => { try { const v = fn(); console.log(name, typeof v); } catch (e) { console.log(name, e instanceof TypeError); } };
for (const C of [...classes, FormData]) {
  attempt(`call ${C.name}`, () => C('http://h/'));
  for (const key of Object.getOwnPropertyNames(C.prototype).sort()) {
    if (key === 'constructor') continue;
    const { get, value } = Object.getOwnPropertyDescriptor(C.prototype, key);
    if (get) { attempt(`${C.name} ${key}`, () => get.call({})); attempt(`${C.name} ${key} of its prototype`, () => C.prototype[key]); }
    if (value && !['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'].includes(key)) attempt(`${C.name} ${key}`, () => value.call({}, 'a', 'b'));
  }
}
console.log(fetch.name, fetch.length, Object.getOwnPropertyDescriptor(globalThis, 'fetch').enumerable);
for (const o of [new Headers({ a: 'b' }), new URLSearchParams('a=b')]) {
  const it = o.entries(), proto = Object.getPrototypeOf(it), d = Object.getOwnPropertyDescriptor(proto, 'next');
  console.log(Object.prototype.toString.call(it), d.writable, d.enumerable, d.configurable, d.value.length, d.value.name, it[Symbol.iterator]() === it, Object.getPrototypeOf(proto) === Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())));
  attempt('next', () => proto.next.call({})); attempt('next', () => proto.next.call(o));
}
(async () => {
  for (const key of ['arrayBuffer', 'blob', 'formData', 'json', 'text']) for (const C of [Request, Response]) await C.prototype[key].call({}).then(() => console.log('no error'), (e) => console.log(C.name, key, e.name));
  for (const key of ['arrayBuffer', 'text']) await Blob.prototype[key].call({}).then(() => console.log('no error'), (e) => console.log('Blob', key, e.name));
})();
