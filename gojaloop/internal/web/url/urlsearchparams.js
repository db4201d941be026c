// The class URLSearchParams of the URL Standard (6.2).
const { expose, usv, pairIterator } = load('webidl');
const { coded } = load('nodeerrors');

// parse is the application/x-www-form-urlencoded parser, serialize its serializer (URL 5).
function parse(input) {
  const list = [];
  for (const sequence of input.split('&')) {
    if (sequence === '') continue;
    const i = sequence.indexOf('=');
    list.push(i < 0 ? [decode(sequence), ''] : [decode(sequence.slice(0, i)), decode(sequence.slice(i + 1))]);
  }
  return list;
}
function decode(s) {
  s = s.replace(/\+/g, ' ');
  return s.includes('%') ? native.percentDecode(s) : s;
}
const serialize = (list) => list.map(([name, value]) => `${native.formEncode(name)}=${native.formEncode(value)}`).join('&');

let ownedBy, replace, listOf;
class URLSearchParams {
  #list = [];
  #update = null; // tells the URL that this belongs to
  static {
    ownedBy = (search, update) => {
      const p = new URLSearchParams(search);
      p.#update = update;
      return p;
    };
    replace = (p, search) => { p.#list = parse(search.replace(/^\?/, '')); };
    listOf = (p) => p.#list;
  }
  constructor(init = undefined) {
    if (init === undefined || init === null) {
      if (init === null) this.#list = parse('null');
      return;
    }
    if (typeof init !== 'object' && typeof init !== 'function') {
      this.#list = parse(usv(init).replace(/^\?/, ''));
      return;
    }
    const method = init[Symbol.iterator];
    if (method !== undefined && method !== null) {
      if (typeof method !== 'function') throw coded(TypeError, 'ERR_ARG_NOT_ITERABLE', 'Query pairs must be iterable');
      for (const pair of { [Symbol.iterator]: () => Reflect.apply(method, init, []) }) {
        if (pair === null || (typeof pair !== 'object' && typeof pair !== 'function') || typeof pair[Symbol.iterator] !== 'function') throw tuple();
        const items = [...pair];
        if (items.length !== 2) throw tuple();
        this.#list.push([usv(items[0]), usv(items[1])]);
      }
      return;
    }
    // A record: of two keys that become equal, the last gives the value.
    const record = new Map();
    for (const key of Reflect.ownKeys(init)) {
      const d = Reflect.getOwnPropertyDescriptor(init, key);
      if (d === undefined || !d.enumerable) continue;
      if (typeof key === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
      record.set(usv(key), usv(init[key]));
    }
    this.#list = [...record];
  }
  #changed() { if (this.#update !== null) this.#update(serialize(this.#list)); }
  get size() { return this.#list.length; }
  append(name, value) {
    this.#list;
    need(2, arguments);
    name = usv(name);
    value = usv(value);
    this.#list.push([name, value]);
    this.#changed();
  }
  delete(name, value = undefined) {
    this.#list;
    need(1, arguments);
    name = usv(name);
    if (value !== undefined) value = usv(value);
    this.#list = this.#list.filter((p) => p[0] !== name || (value !== undefined && p[1] !== value));
    this.#changed();
  }
  get(name) {
    this.#list;
    need(1, arguments);
    name = usv(name);
    const found = this.#list.find((p) => p[0] === name);
    return found === undefined ? null : found[1];
  }
  getAll(name) {
    this.#list;
    need(1, arguments);
    name = usv(name);
    return this.#list.filter((p) => p[0] === name).map((p) => p[1]);
  }
  has(name, value = undefined) {
    this.#list;
    need(1, arguments);
    name = usv(name);
    if (value !== undefined) value = usv(value);
    return this.#list.some((p) => p[0] === name && (value === undefined || p[1] === value));
  }
  set(name, value) {
    this.#list;
    need(2, arguments);
    name = usv(name);
    value = usv(value);
    const i = this.#list.findIndex((p) => p[0] === name);
    if (i < 0) {
      this.#list.push([name, value]);
    } else {
      this.#list[i] = [name, value];
      this.#list = this.#list.filter((p, j) => j <= i || p[0] !== name);
    }
    this.#changed();
  }
  sort() {
    this.#list.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    this.#changed();
  }
  toString() { return serialize(this.#list); }
}
function need(n, args) {
  if (args.length >= n) return;
  throw coded(TypeError, 'ERR_MISSING_ARGS', n === 1 ? 'The "name" argument must be specified' : 'The "name" and "value" arguments must be specified');
}
const tuple = () => coded(TypeError, 'ERR_INVALID_TUPLE', 'Each query pair must be an iterable [name, value] tuple');
pairIterator(URLSearchParams, listOf);
expose(URLSearchParams);
Object.defineProperty(URLSearchParams.prototype, Symbol.for('nodejs.util.inspect.custom'), {
  __proto__: null,
  value(depth, options, inspect) {
    if (typeof depth === 'number' && depth < 0) return '[Object]';
    const list = listOf(this).map(([k, v]) => `${inspect(k, options)} => ${inspect(v, options)}`);
    const length = list.reduce((n, s) => n + s.length + 2, -2);
    if (list.length === 0) return `${this.constructor.name} {}`;
    return length <= options.breakLength ? `${this.constructor.name} { ${list.join(', ')} }` : `${this.constructor.name} {\n  ${list.join(',\n  ')} }`;
  }, writable: true, configurable: true,
});
return { URLSearchParams, ownedBy, replace, parse };
