// TextEncoder and TextDecoder (Encoding).
const { expose, dictionary } = load('webidl');
const { coded, argType } = load('nodeerrors');
const isBuffer = (v) => v instanceof ArrayBuffer || ArrayBuffer.isView(v);
const bytesOf = (v) => {
  if (v === undefined) return new ArrayBuffer(0);
  return v instanceof ArrayBuffer ? v : v.buffer.slice(v.byteOffset, v.byteOffset + v.byteLength);
};
class TextEncoder {
  #brand;
  get encoding() { this.#brand; return 'utf-8'; }
  encode(input = '') { this.#brand; return new Uint8Array(native.utf8Encode(`${input}`)); }
  encodeInto(source, destination) {
    this.#brand;
    const s = `${source}`;
    if (!(destination instanceof Uint8Array)) throw argType('dest', 'Uint8Array', destination);
    const { bytes, read } = native.utf8Prefix(s, destination.length);
    destination.set(new Uint8Array(bytes));
    return { read, written: bytes.byteLength };
  }
}
class TextDecoder {
  #name; #fatal; #ignoreBOM; #rest = new ArrayBuffer(0); #begun = false; #state = 0;
  constructor(label = 'utf-8', options = undefined) {
    label = `${label}`;
    const o = dictionary(options, 'The options');
    const fatal = !!o.fatal, ignoreBOM = !!o.ignoreBOM;
    this.#name = native.encodingName(label);
    if (this.#name === '') throw coded(RangeError, 'ERR_ENCODING_NOT_SUPPORTED', `The "${label}" encoding is not supported`);
    this.#fatal = fatal;
    this.#ignoreBOM = ignoreBOM;
  }
  get encoding() { return this.#name; }
  get fatal() { return this.#fatal; }
  get ignoreBOM() { return this.#ignoreBOM; }
  decode(input = undefined, options = undefined) {
    this.#name; // a brand check
    if (input !== undefined && !isBuffer(input)) throw argType('input', ['ArrayBuffer', 'ArrayBufferView'], input);
    const stream = !!dictionary(options, 'The options').stream; // its getter may still change the input
    const next = bytesOf(input);
    let bytes = next;
    if (this.#rest.byteLength > 0) {
      const all = new Uint8Array(this.#rest.byteLength + next.byteLength);
      all.set(new Uint8Array(this.#rest));
      all.set(new Uint8Array(next), this.#rest.byteLength);
      bytes = all.buffer;
    }
    const { text, used, bad, state } = native.decode(this.#name, bytes, !stream, this.#state);
    this.#rest = stream ? bytes.slice(used) : new ArrayBuffer(0);
    this.#state = stream ? state : 0;
    if (bad && this.#fatal) {
      this.#rest = new ArrayBuffer(0);
      this.#state = 0;
      this.#begun = false;
      throw coded(TypeError, 'ERR_ENCODING_INVALID_ENCODED_DATA', `The encoded data was not valid for encoding ${this.#name}`);
    }
    let result = text;
    if (!this.#begun && result.length > 0) {
      this.#begun = true;
      if (!this.#ignoreBOM && result.charCodeAt(0) === 0xfeff && this.#name.startsWith('utf-')) result = result.slice(1);
    }
    if (!stream) this.#begun = false;
    return result;
  }
}
expose(TextEncoder);
expose(TextDecoder);
return { TextEncoder, TextDecoder };
