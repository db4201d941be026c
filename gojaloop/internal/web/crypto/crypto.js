// crypto.getRandomValues and crypto.randomUUID (Web Cryptography, 10.1).
const { DOMException } = load('exception');
const { expose, needArguments } = load('webidl');
const { illegalConstructor, argType, invalidThis } = load('nodeerrors');
const integers = ['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'BigInt64Array', 'BigUint64Array'];
const tag = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;
const hex = (b) => b.toString(16).padStart(2, '0');
const quota = 65536;
const secret = {};
class Crypto {
  #brand;
  constructor() { if (arguments[0] !== secret) throw illegalConstructor(); }
  static #check(v) { if (v === null || typeof v !== 'object' || !(#brand in v)) throw invalidThis('Crypto'); }
  getRandomValues(array) {
    Crypto.#check(this);
    needArguments('getRandomValues', 1, arguments);
    if (!ArrayBuffer.isView(array)) throw argType('array', 'ArrayBufferView', array);
    if (!integers.includes(tag.call(array))) throw new DOMException('The data argument must be an integer-type TypedArray', 'TypeMismatchError');
    if (array.byteLength > quota) throw new DOMException(`The requested length exceeds ${quota} bytes`, 'QuotaExceededError');
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(new Uint8Array(native.random(array.byteLength)));
    return array;
  }
  randomUUID() {
    Crypto.#check(this);
    const b = new Uint8Array(native.random(16));
    b[6] = (b[6] & 15) | 64;
    b[8] = (b[8] & 63) | 128;
    const s = Array.from(b, hex).join('');
    return `${s.slice(0, 8)}-${s.slice(8, 12)}-${s.slice(12, 16)}-${s.slice(16, 20)}-${s.slice(20)}`;
  }
}
expose(Crypto);
return { crypto: new Crypto(secret), Crypto };
