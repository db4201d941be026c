// crypto.getRandomValues and crypto.randomUUID (Web Cryptography, 10.1).
const { DOMException } = load('exception');
const { expose, needArguments } = load('webidl');
const { illegalConstructor, argType, invalidThis } = load('nodeerrors');
const { typedName, typedBuffer, typedOffset, typedLength } = load('slots');
const sizes = { __proto__: null, Int8Array: 1, Uint8Array: 1, Uint8ClampedArray: 1, Int16Array: 2, Uint16Array: 2, Int32Array: 4, Uint32Array: 4, BigInt64Array: 8, BigUint64Array: 8 };
const hex = (b) => b.toString(16).padStart(2, '0');
const { isView } = ArrayBuffer;
const quota = 65536;
const secret = {};
class Crypto {
  #brand;
  constructor() { if (arguments[0] !== secret) throw illegalConstructor(); }
  static #check(v) { if (v === null || typeof v !== 'object' || !(#brand in v)) throw invalidThis('Crypto'); }
  getRandomValues(array) {
    Crypto.#check(this);
    needArguments('getRandomValues', 1, arguments);
    if (!isView(array)) throw argType('array', 'ArrayBufferView', array);
    const size = sizes[typedName(array)]; // a script may have given the array other properties
    if (size === undefined) throw new DOMException('The data argument must be an integer-type TypedArray', 'TypeMismatchError');
    const bytes = typedLength(array) * size;
    if (bytes > quota) throw new DOMException(`The requested length exceeds ${quota} bytes`, 'QuotaExceededError');
    native.random(typedBuffer(array), typedOffset(array), bytes);
    return array;
  }
  randomUUID() {
    Crypto.#check(this);
    const b = new Uint8Array(16);
    native.random(typedBuffer(b), 0, 16);
    b[6] = (b[6] & 15) | 64;
    b[8] = (b[8] & 63) | 128;
    const s = Array.from(b, hex).join('');
    return `${s.slice(0, 8)}-${s.slice(8, 12)}-${s.slice(12, 16)}-${s.slice(16, 20)}-${s.slice(20)}`;
  }
}
expose(Crypto);
return { crypto: new Crypto(secret), Crypto };
