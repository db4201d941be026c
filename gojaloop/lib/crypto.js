// crypto.getRandomValues and crypto.randomUUID (Web Cryptography, 10.1).
const { DOMException } = load('exception');
const integers = ['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'BigInt64Array', 'BigUint64Array'];
const tag = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;
const hex = (b) => b.toString(16).padStart(2, '0');
class Crypto {
  constructor(key) { if (key !== secret) throw new TypeError('Illegal constructor'); }
  getRandomValues(array) {
    const type = typeof array === 'object' && array !== null ? tag.call(array) : undefined;
    if (!integers.includes(type)) throw new DOMException('The data argument must be an integer-type TypedArray', 'TypeMismatchError');
    if (array.byteLength > 65536) throw new DOMException(`The requested length exceeds 65,536 bytes`, 'QuotaExceededError');
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(new Uint8Array(native.random(array.byteLength)));
    return array;
  }
  randomUUID() {
    const b = new Uint8Array(native.random(16));
    b[6] = (b[6] & 15) | 64;
    b[8] = (b[8] & 63) | 128;
    const s = [...b].map(hex).join('');
    return `${s.slice(0, 8)}-${s.slice(8, 12)}-${s.slice(12, 16)}-${s.slice(16, 20)}-${s.slice(20)}`;
  }
}
const secret = {};
Object.defineProperty(Crypto.prototype, Symbol.toStringTag, { value: 'Crypto', configurable: true });
return { crypto: new Crypto(secret), Crypto };
