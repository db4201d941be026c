// Node's module string_decoder: it keeps the bytes of a character that is not complete yet.
const { Buffer } = load('buffer');
const { argType, coded } = load('nodeerrors');
const names = { __proto__: null, utf8: 'utf8', 'utf-8': 'utf8', ucs2: 'utf16le', 'ucs-2': 'utf16le', utf16le: 'utf16le', 'utf-16le': 'utf16le', latin1: 'latin1', binary: 'latin1', base64: 'base64', base64url: 'base64url', ascii: 'ascii', hex: 'hex' };
function StringDecoder(encoding) {
  this.encoding = names[encoding === undefined || encoding === null ? 'utf8' : `${encoding}`.toLowerCase()];
  if (this.encoding === undefined) throw coded(TypeError, 'ERR_UNKNOWN_ENCODING', `Unknown encoding: ${encoding}`);
  Object.defineProperty(this, 'held', { __proto__: null, value: Buffer.alloc(0), writable: true, configurable: true });
}
// complete tells how many bytes are whole characters.
function complete(b, encoding) {
  const n = b.length;
  switch (encoding) {
    case 'utf8':
      for (let i = 1; i <= Math.min(3, n); i++) {
        const c = b[n - i];
        if ((c & 0xc0) === 0x80) continue;
        const need = c >= 0xf0 && c <= 0xf4 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 1;
        return c < 0xf5 && need > i && possible(b, n - i) ? n - i : n;
      }
      return n;
    case 'utf16le': {
      const even = n - (n % 2);
      return even >= 2 && (b[even - 1] & 0xfc) === 0xd8 ? even - 2 : even;
    }
    case 'base64': case 'base64url': return n - (n % 3);
  }
  return n;
}
// possible reports whether the bytes from a place on can begin a character.
function possible(b, at) {
  const second = b[at + 1];
  if (second === undefined) return true;
  switch (b[at]) {
    case 0xe0: return second >= 0xa0;
    case 0xed: return second < 0xa0;
    case 0xf0: return second >= 0x90;
    case 0xf4: return second < 0x90;
  }
  return true;
}
StringDecoder.prototype.write = function write(chunk) {
  if (typeof chunk === 'string') return chunk;
  if (!ArrayBuffer.isView(chunk)) throw argType('buf', ['Buffer', 'TypedArray', 'DataView'], chunk);
  const given = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength), all = this.held.length ? Buffer.concat([this.held, given]) : given;
  const n = complete(all, this.encoding);
  this.held = Buffer.from(all.subarray(n));
  return all.toString(this.encoding, 0, n);
};
StringDecoder.prototype.end = function end(chunk) {
  const text = chunk === undefined ? '' : this.write(chunk), rest = this.held;
  this.held = Buffer.alloc(0);
  return text + rest.toString(this.encoding);
};
StringDecoder.prototype.text = function text(chunk, offset) {
  this.held = Buffer.alloc(0);
  return this.write(chunk.slice(offset));
};
Object.defineProperty(StringDecoder.prototype, 'lastNeed', { __proto__: null, configurable: true, enumerable: true, get() { return complete(this.held, this.encoding) < this.held.length ? 1 : 0; } });
Object.defineProperty(StringDecoder.prototype, 'lastTotal', { __proto__: null, configurable: true, enumerable: true, get() { return this.held.length; } });
return { StringDecoder };
