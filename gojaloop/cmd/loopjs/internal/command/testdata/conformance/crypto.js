// crypto.getRandomValues and crypto.randomUUID (Web Cryptography).
const attempt = (name, fn) => { try { console.log(name, fn()); } catch (e) { console.log(name, e.name, typeof e.code); } };
for (const T of [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array]) { const a = new T(8); console.log(T.name, crypto.getRandomValues(a) === a, a.some((x) => x != 0)); }
for (const v of [new Float32Array(1), new Float64Array(1), new DataView(new ArrayBuffer(1)), new Uint8Array(65537)]) attempt('bad', () => crypto.getRandomValues(v)); attempt('none', () => crypto.getRandomValues());
console.log(crypto.getRandomValues(new Uint8Array(65536)).length, crypto.getRandomValues(new Uint8Array(0)).length);
const part = new Uint8Array(new ArrayBuffer(16), 4, 4); crypto.getRandomValues(part); console.log(new Uint8Array(part.buffer, 0, 4).join(), new Uint8Array(part.buffer, 8).join());
const ids = new Set(); for (let i = 0; i < 200; i++) { const id = crypto.randomUUID(); if (!/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)) console.log(id); ids.add(id); } console.log(ids.size);
console.log(Object.prototype.toString.call(crypto), crypto instanceof Crypto, crypto === globalThis.crypto);
class Sub extends Uint8Array {} console.log(crypto.getRandomValues(new Sub(3)) instanceof Sub);
