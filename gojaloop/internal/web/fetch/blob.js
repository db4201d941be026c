// Blob and File (File API).
const { expose, usv, needArguments, show, dictionary } = load('webidl');
const { sequence, enumeration, clamped, longLong } = load('convert');
const { isView } = ArrayBuffer;
const typeOf = (v) => { const s = `${v}`; return /[^\x20-\x7e]/.test(s) ? '' : s.toLowerCase(); };

// copyOf copies the bytes of a BufferSource.
function copyOf(v) {
  if (isView(v)) return new Uint8Array(v.buffer.slice(v.byteOffset, v.byteOffset + v.byteLength));
  return new Uint8Array(v.slice(0));
}
let bytesOf, isBlob, blobOf;
class Blob {
  #bytes; #type; // the bytes are never changed: slices share them
  static {
    bytesOf = (b) => b.#bytes;
    isBlob = (v) => v !== null && typeof v === 'object' && #bytes in v;
    // blobOf makes a blob of bytes that nobody else has.
    blobOf = (bytes, type) => {
      const b = new Blob();
      b.#bytes = bytes;
      b.#type = type;
      return b;
    };
  }
  constructor(blobParts = undefined, options = undefined) {
    const parts = blobParts === undefined ? [] : sequence(blobParts, (p) => {
      if (p instanceof ArrayBuffer || isView(p)) return copyOf(p);
      return isBlob(p) ? p.#bytes : usv(p);
    }, 'The blob parts');
    const o = dictionary(options, 'The options');
    const { endings: e = 'transparent' } = o;
    const endings = enumeration(e, ['transparent', 'native'], 'endings');
    const { type = '' } = o;
    this.#type = typeOf(type);
    const pieces = parts.map((p) => (typeof p === 'string' ? new Uint8Array(native.utf8Encode(endings === 'native' ? p.replace(/\r\n?|\n/g, '\n') : p)) : p));
    const all = new Uint8Array(pieces.reduce((n, p) => n + p.length, 0));
    let at = 0;
    for (const p of pieces) { all.set(p, at); at += p.length; }
    this.#bytes = all;
  }
  get size() { return this.#bytes.length; }
  get type() { return this.#type; }
  slice(start = 0, end = undefined, contentType = '') {
    const { size } = this, from = clamped(start), to = end === undefined ? size : clamped(end), type = typeOf(contentType);
    return blobOf(this.#bytes.subarray(from, to), type);
  }
  async arrayBuffer() { return this.#bytes.slice().buffer; }
  async bytes() { return this.#bytes.slice(); }
  async text() { return native.decode('utf-8', this.#bytes.slice().buffer, true).text.replace(/^\ufeff/, ''); }
  stream() { return load('stream').byteStream(this.#bytes); }
}
class File extends Blob {
  #name; #modified;
  constructor(fileBits, fileName, options = undefined) {
    needArguments('File', 2, arguments);
    // The arguments are converted in their order.
    const parts = sequence(fileBits, (p) => (p instanceof ArrayBuffer || isView(p) || isBlob(p) ? p : usv(p)), 'The file bits');
    const name = usv(fileName);
    super(parts, options);
    const { lastModified } = dictionary(options, 'The options');
    this.#modified = lastModified === undefined ? Date.now() : longLong(lastModified);
    this.#name = name;
  }
  get name() { return this.#name; }
  get lastModified() { return this.#modified; }
}
for (const C of [Blob, File]) expose(C);
show(Blob, ({ size, type }) => ({ size, type }));
show(File, ({ size, type, name, lastModified }) => ({ size, type, name, lastModified }));
return { Blob, File, isBlob, bytesOf, blobOf, copyOf };
