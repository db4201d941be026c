// What Web IDL asks of every interface: property attributes, tags, iterators and conversions.
const { coded, argType } = load('nodeerrors');
const { defineProperty, getOwnPropertyNames, getPrototypeOf } = Object;

// expose gives a class the attributes of a Web IDL interface: members are enumerable, and there is a toStringTag.
const interfaces = new Set(); // their prototypes
function expose(C, statics = []) {
  interfaces.add(C.prototype);
  for (const key of getOwnPropertyNames(C.prototype)) {
    if (key !== 'constructor') defineProperty(C.prototype, key, { __proto__: null, enumerable: true });
  }
  for (const key of statics) defineProperty(C, key, { __proto__: null, enumerable: true });
  defineProperty(C.prototype, Symbol.toStringTag, { __proto__: null, value: C.name, configurable: true });
}
function isPlatformObject(v) {
  for (let o = getPrototypeOf(v); o !== null; o = getPrototypeOf(o)) if (interfaces.has(o)) return true;
  return false;
}
function constants(C, values) {
  for (const key of Object.keys(values)) {
    for (const where of [C, C.prototype]) defineProperty(where, key, { __proto__: null, value: values[key], enumerable: true });
  }
}
function needArguments(what, n, args) {
  if (args.length >= n) return;
  throw coded(TypeError, 'ERR_MISSING_ARGS', `Failed to execute '${what}': ${n} argument${n > 1 ? 's' : ''} required, but only ${args.length} present.`);
}
function dictionary(v, what) {
  if (v === undefined || v === null) return {};
  if (typeof v !== 'object' && typeof v !== 'function') throw coded(TypeError, 'ERR_INVALID_ARG_TYPE', `${what} is not an object. Received ${native.received(v)}`);
  return v;
}
// integer converts with [EnforceRange].
function integer(v, max, what) {
  const n = Math.trunc(+v);
  if (!(n >= 0 && n <= max)) throw new TypeError(`${what} is outside the range of 0 to ${max}`);
  return n;
}
// usv converts to a USVString: lone surrogates become U+FFFD.
const usv = (v) => native.wellFormed(`${v}`);
// bytes converts to a ByteString.
function bytes(v, what) {
  const s = `${v}`;
  if (/[^\0-\xff]/.test(s)) throw new TypeError(`Cannot convert argument to a ByteString: ${what} has a character with a value greater than 255`);
  return s;
}

// pairIterator makes the methods of an iterable<K, V> declaration. pairs returns the current list of pairs of an object,
// and throws for what is none.
const IteratorPrototype = getPrototypeOf(getPrototypeOf([][Symbol.iterator]()));
function pairIterator(C, pairs) {
  const states = new WeakMap();
  const proto = Object.create(IteratorPrototype);
  const next = function next() {
    const s = states.get(this);
    if (s === undefined) throw new TypeError('Illegal invocation');
    const list = pairs(s.target);
    if (s.index >= list.length) return { value: undefined, done: true };
    const [key, value] = list[s.index++];
    return { value: s.kind === 'key' ? key : s.kind === 'value' ? value : [key, value], done: false };
  };
  defineProperty(proto, 'next', { __proto__: null, value: next, writable: true, enumerable: true, configurable: true });
  defineProperty(proto, Symbol.toStringTag, { __proto__: null, value: `${C.name} Iterator`, configurable: true });
  defineProperty(proto, Symbol.for('nodejs.util.inspect.custom'), { __proto__: null,
    value(depth, options, inspect) {
      const s = states.get(this);
      const rest = pairs(s.target).slice(s.index).map(([k, v]) => (s.kind === 'key' ? k : s.kind === 'value' ? v : [k, v]));
      return `${C.name} Iterator ${inspect(rest, options).replace(/^\[/, '{').replace(/\]$/, '}')}`.replace('{}', '{  }');
    }, configurable: true, writable: true,
  });
  const make = (target, kind) => {
    pairs(target);
    const it = Object.create(proto);
    states.set(it, { target, kind, index: 0 });
    return it;
  };
  const methods = {
    entries() { return make(this, 'pair'); },
    keys() { return make(this, 'key'); },
    values() { return make(this, 'value'); },
    forEach(callback, self = undefined) {
      pairs(this);
      if (typeof callback !== 'function') {
        throw argType('callback', 'function', callback);
      }
      for (let i = 0; i < pairs(this).length; i++) {
        const [key, value] = pairs(this)[i];
        Reflect.apply(callback, self, [value, key, this]);
      }
    },
  };
  for (const key of Object.keys(methods)) defineProperty(C.prototype, key, { __proto__: null, value: methods[key], writable: true, enumerable: true, configurable: true });
  defineProperty(C.prototype, Symbol.iterator, { __proto__: null, value: C.prototype.entries, writable: true, configurable: true });
}
// show defines how console.log and util.inspect show an object: its fields, or what cut says where these are too deep.
function show(C, fields, cut = (v, name) => name) {
  defineProperty(C.prototype, Symbol.for('nodejs.util.inspect.custom'), { __proto__: null,
    value(depth, options, inspect) {
      const name = (this.constructor && this.constructor.name) || C.name;
      if (depth !== null && depth < 0) return cut(this, name);
      return `${name} ${inspect(fields(this), { ...options, depth: depth === null ? null : Math.max(depth - 1, 0) })}`;
    }, writable: true, configurable: true,
  });
}
return { expose, isPlatformObject, constants, needArguments, dictionary, integer, usv, bytes, pairIterator, show };
