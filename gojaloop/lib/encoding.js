// TextEncoder and TextDecoder (Encoding), atob and btoa (HTML 8.3).
const { DOMException } = load('exception');
const bytesOf = (v) => {
  if (v === undefined) return new ArrayBuffer(0);
  if (v instanceof ArrayBuffer) return v;
  if (ArrayBuffer.isView(v)) return v.buffer.slice(v.byteOffset, v.byteOffset + v.byteLength);
  throw new TypeError('The "input" argument must be an instance of ArrayBuffer or ArrayBufferView');
};
class TextEncoder {
  get encoding() { return 'utf-8'; }
  encode(input = '') { return new Uint8Array(native.utf8Encode(`${input}`)); }
  encodeInto(source, target) {
    if (!(target instanceof Uint8Array)) throw new TypeError('The "dest" argument must be an instance of Uint8Array');
    let read = 0, written = 0;
    for (const c of `${source}`) {
      const b = new Uint8Array(native.utf8Encode(c));
      if (written + b.length > target.length) break;
      target.set(b, written);
      written += b.length;
      read += c.length;
    }
    return { read, written };
  }
}
class TextDecoder {
  #name; #fatal; #ignoreBOM; #rest = new ArrayBuffer(0); #begun = false;
  constructor(label = 'utf-8', options = {}) {
    const name = native.encodingName(`${label}`);
    if (name === '') throw new RangeError(`The "${label}" encoding is not supported`);
    const o = options === null || options === undefined ? {} : options;
    this.#name = name;
    this.#fatal = !!o.fatal;
    this.#ignoreBOM = !!o.ignoreBOM;
  }
  get encoding() { return this.#name; }
  get fatal() { return this.#fatal; }
  get ignoreBOM() { return this.#ignoreBOM; }
  decode(input, options) {
    const stream = !!(options && options.stream);
    const a = new Uint8Array(this.#rest), b = new Uint8Array(bytesOf(input));
    const all = new Uint8Array(a.length + b.length);
    all.set(a);
    all.set(b, a.length);
    const { text, used, bad } = native.decode(this.#name, all.buffer, !stream);
    this.#rest = stream ? all.buffer.slice(used) : new ArrayBuffer(0);
    if (bad && this.#fatal) {
      this.#rest = new ArrayBuffer(0);
      this.#begun = false;
      const e = new TypeError(`The encoded data was not valid for encoding ${this.#name}`);
      e.code = 'ERR_ENCODING_INVALID_ENCODED_DATA';
      throw e;
    }
    let result = text;
    if (!this.#begun && result.length > 0) {
      this.#begun = true;
      if (!this.#ignoreBOM && result.charCodeAt(0) === 0xfeff) result = result.slice(1);
    }
    if (!stream) this.#begun = false;
    return result;
  }
}
for (const c of [TextEncoder, TextDecoder]) {
  for (const key of Object.getOwnPropertyNames(c.prototype)) if (key !== 'constructor') Object.defineProperty(c.prototype, key, { enumerable: true });
  Object.defineProperty(c.prototype, Symbol.toStringTag, { value: c.name, configurable: true });
}
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
function btoa(data) {
  if (arguments.length === 0) throw new TypeError('The "data" argument must be specified');
  const s = `${data}`;
  let out = '';
  for (let i = 0; i < s.length; i += 3) {
    const c = [s.charCodeAt(i), s.charCodeAt(i + 1), s.charCodeAt(i + 2)];
    if (c.some((x) => x > 255)) throw new DOMException('Invalid character', 'InvalidCharacterError');
    out += alphabet[c[0] >> 2] + alphabet[((c[0] & 3) << 4) | (c[1] >> 4)]
      + (i + 1 < s.length ? alphabet[((c[1] & 15) << 2) | (c[2] >> 6)] : '=') + (i + 2 < s.length ? alphabet[c[2] & 63] : '=');
  }
  return out;
}
function atob(data) {
  if (arguments.length === 0) throw new TypeError('The "data" argument must be specified');
  const fail = () => { throw new DOMException('The string to be decoded is not correctly encoded.', 'InvalidCharacterError'); };
  let s = `${data}`.replace(/[\t\n\f\r ]/g, '');
  if (s.length % 4 === 0) s = s.replace(/={1,2}$/, '');
  if (s.length % 4 === 1) fail();
  let out = '', bits = 0, n = 0;
  for (const c of s) {
    const v = alphabet.indexOf(c);
    if (v < 0) fail();
    bits = ((bits << 6) | v) & 0xffffff;
    n += 6;
    if (n >= 8) { n -= 8; out += String.fromCharCode((bits >> n) & 255); }
  }
  return out;
}
return { TextEncoder, TextDecoder, atob, btoa };
