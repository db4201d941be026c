// The class Headers (Fetch 5.1).
const { expose, pairIterator, bytes, needArguments } = load('webidl');
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
function checkedName(v) {
  const name = bytes(v, 'the name');
  if (!token.test(name)) throw new TypeError(`Headers: ${name} is an invalid header name.`);
  return name.toLowerCase();
}
function checkedValue(v) {
  const value = bytes(v, 'the value').replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
  if (/[\0\r\n]/.test(value)) throw new TypeError(`Headers: ${value} is an invalid header value.`);
  return value;
}
let listOf, makeImmutable, sorted;
class Headers {
  #list = []; // pairs with names in lower case
  #immutable = false;
  static {
    listOf = (h) => h.#list;
    makeImmutable = (h) => { h.#immutable = true; return h; };
    sorted = (h) => {
      const out = [];
      for (const name of [...new Set(h.#list.map((p) => p[0]))].sort()) {
        const values = h.#list.filter((p) => p[0] === name).map((p) => p[1]);
        if (name === 'set-cookie') for (const v of values) out.push([name, v]);
        else out.push([name, values.join(', ')]);
      }
      return out;
    };
  }
  constructor(init = undefined) {
    if (init !== undefined) this.#fill(init);
  }
  #fill(init) {
    if (init === null || (typeof init !== 'object' && typeof init !== 'function')) throw new TypeError('Headers: the init is neither a sequence nor a record');
    const method = init[Symbol.iterator];
    if (method !== undefined && method !== null) {
      if (typeof method !== 'function') throw new TypeError('Headers: the init is not iterable');
      const pairs = [];
      for (const pair of { [Symbol.iterator]: () => Reflect.apply(method, init, []) }) {
        if (pair === null || typeof pair !== 'object' || typeof pair[Symbol.iterator] !== 'function') throw new TypeError('Headers: expected a name/value pair');
        pairs.push([...pair]);
      }
      for (const pair of pairs) {
        if (pair.length !== 2) throw new TypeError('Headers: expected name/value pair to be length 2');
        this.append(pair[0], pair[1]);
      }
      return;
    }
    const record = [];
    for (const key of Reflect.ownKeys(init)) {
      const d = Reflect.getOwnPropertyDescriptor(init, key);
      if (d === undefined || !d.enumerable) continue;
      record.push([bytes(key, 'the name'), bytes(init[key], 'the value')]);
    }
    for (const [name, value] of record) this.append(name, value);
  }
  #change() { if (this.#immutable) throw new TypeError('Headers: immutable'); }
  append(name, value) {
    this.#list;
    needArguments('append', 2, arguments);
    const n = checkedName(name), v = checkedValue(value);
    this.#change();
    this.#list.push([n, v]);
  }
  delete(name) {
    this.#list;
    needArguments('delete', 1, arguments);
    const n = checkedName(name);
    this.#change();
    this.#list = this.#list.filter((p) => p[0] !== n);
  }
  get(name) {
    this.#list;
    needArguments('get', 1, arguments);
    const n = checkedName(name), found = this.#list.filter((p) => p[0] === n);
    return found.length === 0 ? null : found.map((p) => p[1]).join(', ');
  }
  has(name) {
    this.#list;
    needArguments('has', 1, arguments);
    const n = checkedName(name);
    return this.#list.some((p) => p[0] === n);
  }
  set(name, value) {
    this.#list;
    needArguments('set', 2, arguments);
    const n = checkedName(name), v = checkedValue(value);
    this.#change();
    const i = this.#list.findIndex((p) => p[0] === n);
    if (i < 0) { this.#list.push([n, v]); return; }
    this.#list[i] = [n, v];
    this.#list = this.#list.filter((p, j) => j <= i || p[0] !== n);
  }
  getSetCookie() { return this.#list.filter((p) => p[0] === 'set-cookie').map((p) => p[1]); }
}
pairIterator(Headers, sorted);
expose(Headers);
Object.defineProperty(Headers.prototype, Symbol.for('nodejs.util.inspect.custom'), {
  value(depth, options, inspect) { return `Headers ${inspect(Object.fromEntries(sorted(this)), options)}`; }, writable: true, configurable: true,
});
return { Headers, listOf, makeImmutable };
