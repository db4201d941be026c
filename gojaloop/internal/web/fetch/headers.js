// The class Headers (Fetch 5.1).
const { expose, pairIterator, bytes, needArguments } = load('webidl');
const { pairsOrRecord, byteString } = load('convert');
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const nameOf = (v) => bytes(v, 'the name'), valueOf = (v) => bytes(v, 'the value');
function checkName(name) {
  if (!token.test(name)) throw new TypeError(`Headers: ${name} is an invalid header name.`);
  return name.toLowerCase();
}
function checkValue(text) {
  const value = text.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
  if (/[\0\r\n]/.test(value)) throw new TypeError(`Headers: ${value} is an invalid header value.`);
  return value;
}
// initOf converts to HeadersInit: a list of pairs of strings, which are not checked yet.
const initOf = (v) => pairsOrRecord(v, byteString('a header'), 'The init of Headers');

let listOf, makeImmutable, sorted, fill, copy, fromWire;
class Headers {
  #list = []; // names in lower case, values, and names as they were given
  #given = new Map(); // the names as they were given first, by those in lower case
  #sorted = null; // what iterators see
  #immutable = false;
  static {
    listOf = (h) => h.#list;
    makeImmutable = (h) => { h.#immutable = true; return h; };
    sorted = (h) => {
      if (h.#sorted === null) h.#sorted = sortAndCombine(h.#list);
      return h.#sorted;
    };
    fill = (h, pairs) => {
      for (const pair of pairs) {
        if (pair.length !== 2) throw new TypeError('Headers: expected name/value pair to be length 2');
        h.#append(pair[0], pair[1]);
      }
      return h;
    };
    // fromWire makes headers of a flat list of names and values that package http has checked.
    fromWire = (flat) => {
      const h = new Headers();
      for (let i = 0; i < flat.length; i += 2) {
        const name = flat[i], key = name.toLowerCase();
        if (!h.#given.has(key)) h.#given.set(key, name);
        h.#list.push([key, flat[i + 1], name]);
      }
      return h;
    };
    copy = (from, immutable = from.#immutable) => {
      const h = new Headers();
      h.#list = from.#list.slice();
      h.#given = new Map(from.#given);
      h.#immutable = immutable;
      return h;
    };
  }
  constructor(init = undefined) {
    if (init !== undefined) fill(this, initOf(init));
  }
  #change() {
    if (this.#immutable) throw new TypeError('Headers: immutable');
    this.#sorted = null;
  }
  #append(name, text) {
    const key = checkName(name), value = checkValue(text);
    this.#change();
    if (!this.#given.has(key)) this.#given.set(key, name);
    this.#list.push([key, value, this.#given.get(key)]);
  }
  append(name, value) {
    this.#list;
    needArguments('append', 2, arguments);
    this.#append(nameOf(name), valueOf(value));
  }
  delete(name) {
    this.#list;
    needArguments('delete', 1, arguments);
    const key = checkName(nameOf(name));
    this.#change();
    if (this.#given.delete(key)) this.#list = this.#list.filter((p) => p[0] !== key);
  }
  get(name) {
    this.#list;
    needArguments('get', 1, arguments);
    const key = checkName(nameOf(name)), found = this.#list.filter((p) => p[0] === key);
    return found.length === 0 ? null : found.map((p) => p[1]).join(', ');
  }
  has(name) {
    this.#list;
    needArguments('has', 1, arguments);
    const key = checkName(nameOf(name));
    return this.#given.has(key);
  }
  set(name, value) {
    this.#list;
    needArguments('set', 2, arguments);
    name = nameOf(name);
    const text = valueOf(value), key = checkName(name), v = checkValue(text);
    this.#change();
    const i = this.#list.findIndex((p) => p[0] === key);
    if (i < 0) { this.#list.push([key, v, name]); this.#given.set(key, name); return; }
    this.#list[i] = [key, v, this.#list[i][2]];
    this.#list = this.#list.filter((p, j) => j <= i || p[0] !== key);
  }
  getSetCookie() { return this.#list.filter((p) => p[0] === 'set-cookie').map((p) => p[1]); }
}
// sortAndCombine is "sort and combine" (Fetch 2.2.2).
function sortAndCombine(list) {
  const values = new Map(), out = [];
  for (const [name, value] of list) {
    if (values.has(name)) values.get(name).push(value); else values.set(name, [value]);
  }
  for (const name of [...values.keys()].sort()) {
    if (name === 'set-cookie') for (const v of values.get(name)) out.push([name, v]);
    else out.push([name, values.get(name).join(', ')]);
  }
  return out;
}
pairIterator(Headers, sorted);
expose(Headers);
Object.defineProperty(Headers.prototype, Symbol.for('nodejs.util.inspect.custom'), {
  __proto__: null,
  value(depth, options, inspect) { return `Headers ${inspect(Object.fromEntries(sorted(this)), options)}`; }, writable: true, configurable: true,
});
return { Headers, listOf, initOf, fill, copy, fromWire, makeImmutable, token };
