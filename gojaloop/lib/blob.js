// Blob and File (File API), and FormData (XHR 5).
const { expose, usv, needArguments, pairIterator } = load('webidl');
const { ReadableStream } = load('stream');
const { isView } = ArrayBuffer;
let bytesOf, isBlob;
class Blob {
  #bytes; #type;
  static {
    bytesOf = (b) => b.#bytes;
    isBlob = (v) => v !== null && typeof v === 'object' && #bytes in v;
  }
  constructor(parts = [], options = {}) {
    if (parts === null || (typeof parts !== 'object' && typeof parts !== 'function') || typeof parts[Symbol.iterator] !== 'function') throw new TypeError('The blob parts are not a sequence');
    if (options !== undefined && options !== null && typeof options !== 'object' && typeof options !== 'function') throw new TypeError('The options are not an object');
    const { endings = 'transparent', type = '' } = options || {};
    if (!['transparent', 'native'].includes(`${endings}`)) throw new TypeError(`${endings} is not a valid value for endings`);
    const text = `${type}`;
    this.#type = /[^\x20-\x7e]/.test(text) ? '' : text.toLowerCase();
    const pieces = Array.from(parts, (p) => {
      if (p instanceof ArrayBuffer) return new Uint8Array(p.slice(0));
      if (isView(p)) return new Uint8Array(p.buffer.slice(p.byteOffset, p.byteOffset + p.byteLength));
      if (isBlob(p)) return p.#bytes;
      const s = usv(p);
      return new Uint8Array(native.utf8Encode(`${endings}` === 'native' ? s.replace(/\r\n?|\n/g, '\n') : s));
    });
    const all = new Uint8Array(pieces.reduce((n, p) => n + p.length, 0));
    let at = 0;
    for (const p of pieces) { all.set(p, at); at += p.length; }
    this.#bytes = all;
  }
  get size() { return this.#bytes.length; }
  get type() { return this.#type; }
  slice(start = 0, end = this.size, type = '') {
    const blob = new Blob([], { type });
    blob.#bytes = this.#bytes.slice(Number(start) || 0, end === undefined ? undefined : Number(end) || 0);
    return blob;
  }
  async arrayBuffer() { return this.#bytes.slice().buffer; }
  async bytes() { return this.#bytes.slice(); }
  async text() { return native.decode('utf-8', this.#bytes.buffer, true).text; }
  stream() {
    let left = this.#bytes.slice();
    return new ReadableStream({ pull(c) { if (left !== null && left.length > 0) { c.enqueue(left); left = null; } else { c.close(); } } }, { highWaterMark: 0 });
  }
}
class File extends Blob {
  #name; #modified;
  constructor(fileBits, fileName, options = {}) {
    needArguments('File', 2, arguments);
    super(fileBits, options);
    this.#name = usv(fileName);
    const { lastModified } = options || {};
    this.#modified = lastModified === undefined ? Date.now() : Math.trunc(Number(lastModified)) || 0;
  }
  get name() { return this.#name; }
  get lastModified() { return this.#modified; }
}
let entriesOf;
class FormData {
  #list = [];
  static { entriesOf = (f) => f.#list; }
  constructor(form = undefined) { if (form !== undefined) throw new TypeError('FormData: there are no forms here'); }
  #entry(name, value, args) {
    name = usv(name);
    if (!isBlob(value)) {
      if (args.length > 2) throw new TypeError('FormData: the value is not a Blob');
      return [name, usv(value)];
    }
    if (!(value instanceof File)) value = new File([value], args.length > 2 ? args[2] : 'blob', { type: value.type });
    else if (args.length > 2) value = new File([value], args[2], { type: value.type, lastModified: value.lastModified });
    return [name, value];
  }
  append(name, value) { this.#list; needArguments('append', 2, arguments); this.#list.push(this.#entry(name, value, arguments)); }
  delete(name) { this.#list; needArguments('delete', 1, arguments); name = usv(name); this.#list = this.#list.filter((p) => p[0] !== name); }
  get(name) { this.#list; needArguments('get', 1, arguments); name = usv(name); const found = this.#list.find((p) => p[0] === name); return found ? found[1] : null; }
  getAll(name) { this.#list; needArguments('getAll', 1, arguments); name = usv(name); return this.#list.filter((p) => p[0] === name).map((p) => p[1]); }
  has(name) { this.#list; needArguments('has', 1, arguments); name = usv(name); return this.#list.some((p) => p[0] === name); }
  set(name, value) {
    this.#list;
    needArguments('set', 2, arguments);
    const entry = this.#entry(name, value, arguments);
    const i = this.#list.findIndex((p) => p[0] === entry[0]);
    if (i < 0) { this.#list.push(entry); return; }
    this.#list[i] = entry;
    this.#list = this.#list.filter((p, j) => j <= i || p[0] !== entry[0]);
  }
}
pairIterator(FormData, entriesOf);
for (const C of [Blob, File, FormData]) expose(C);

// encode is the multipart/form-data encoding (HTML 4.10.21.8).
function encode(form) {
  const boundary = `----formdata-${Array.from(new Uint8Array(native.random(12)), (b) => b.toString(16).padStart(2, '0')).join('')}`;
  const escape = (s) => s.replace(/\r\n?|\n/g, '\r\n').replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22');
  const parts = [];
  for (const [name, value] of entriesOf(form)) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escape(name)}"`;
    if (typeof value === 'string') parts.push(`${head}\r\n\r\n${value.replace(/\r\n?|\n/g, '\r\n')}\r\n`);
    else parts.push(`${head}; filename="${escape(value.name)}"\r\nContent-Type: ${value.type || 'application/octet-stream'}\r\n\r\n`, value, '\r\n');
  }
  parts.push(`--${boundary}--\r\n`);
  return { bytes: bytesOf(new Blob(parts)), type: `multipart/form-data; boundary=${boundary}` };
}
return { Blob, File, FormData, isBlob, bytesOf, encode, isFormData: (v) => { try { entriesOf(v); return true; } catch { return false; } } };
