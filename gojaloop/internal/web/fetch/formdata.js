// FormData (XHR 5), and its encoding as multipart/form-data (HTML 4.10.21.8).
const { expose, usv, needArguments, pairIterator } = load('webidl');
const { Blob, File, isBlob, bytesOf } = load('blob');
let entriesOf, isFormData;
class FormData {
  #list = [];
  static {
    entriesOf = (f) => f.#list;
    isFormData = (v) => v !== null && typeof v === 'object' && #list in v;
  }
  constructor(form = undefined) { if (form !== undefined) throw new TypeError('FormData: there are no forms here'); }
  #entry(name, value, args) {
    name = usv(name);
    if (!isBlob(value)) {
      if (args.length > 2) throw new TypeError('FormData: the value is not a Blob');
      return [name, usv(value)];
    }
    const filename = args.length > 2 && args[2] !== undefined ? usv(args[2]) : undefined;
    if (!(value instanceof File)) value = new File([value], filename === undefined ? 'blob' : filename, { type: value.type });
    else if (filename !== undefined) value = new File([value], filename, { type: value.type, lastModified: value.lastModified });
    return [name, value];
  }
  append(name, value, filename = undefined) { this.#list; needArguments('append', 2, arguments); this.#list.push(this.#entry(name, value, arguments)); }
  delete(name) { this.#list; needArguments('delete', 1, arguments); name = usv(name); this.#list = this.#list.filter((p) => p[0] !== name); }
  get(name) { this.#list; needArguments('get', 1, arguments); name = usv(name); const found = this.#list.find((p) => p[0] === name); return found ? found[1] : null; }
  getAll(name) { this.#list; needArguments('getAll', 1, arguments); name = usv(name); return this.#list.filter((p) => p[0] === name).map((p) => p[1]); }
  has(name) { this.#list; needArguments('has', 1, arguments); name = usv(name); return this.#list.some((p) => p[0] === name); }
  set(name, value, filename = undefined) {
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
expose(FormData);
Object.defineProperty(FormData.prototype, Symbol.for('nodejs.util.inspect.custom'), {
  __proto__: null,
  value(depth, options, inspect) {
    const shown = {};
    for (const [name, value] of entriesOf(this)) {
      if (!Object.prototype.hasOwnProperty.call(shown, name)) Object.defineProperty(shown, name, { __proto__: null, value, writable: true, enumerable: true });
      else if (Array.isArray(shown[name])) shown[name].push(value);
      else shown[name] = [shown[name], value];
    }
    return `FormData ${inspect(shown, options)}`;
  }, writable: true, configurable: true,
});

function encode(form) {
  const boundary = `----formdata-${Array.from(new Uint8Array(native.random(12)), (b) => b.toString(16).padStart(2, '0')).join('')}`;
  const lines = (s) => s.replace(/\r\n?|\n/g, '\r\n');
  const escape = (s) => s.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22');
  const parts = [];
  for (const [name, value] of entriesOf(form)) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escape(lines(name))}"`;
    if (typeof value === 'string') parts.push(`${head}\r\n\r\n${lines(value)}\r\n`);
    else parts.push(`${head}; filename="${escape(value.name)}"\r\nContent-Type: ${value.type || 'application/octet-stream'}\r\n\r\n`, value, '\r\n');
  }
  parts.push(`--${boundary}--\r\n`);
  return { bytes: bytesOf(new Blob(parts)), type: `multipart/form-data; boundary=${boundary}` };
}
return { FormData, isFormData, encode };
