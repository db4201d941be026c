// structuredClone (HTML 2.7).
const { DOMException, isException } = load('exception');
const { coded } = load('nodeerrors');
const { isPlatformObject } = load('webidl');
const fail = (what) => { throw new DOMException(`${what} could not be cloned.`, 'DataCloneError'); };
const errors = { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
const own = (o, k) => Object.prototype.hasOwnProperty.call(o, k);
const { isView } = ArrayBuffer;
const typedName = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;
const typed = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array,
  ...(typeof BigInt64Array === 'function' ? [BigInt64Array, BigUint64Array] : [])];
const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, 'size').get, setSize = Object.getOwnPropertyDescriptor(Set.prototype, 'size').get;
const { entries } = Map.prototype, { values } = Set.prototype;
const is = (brand, v) => { try { Reflect.apply(brand, v, []); return true; } catch { return false; } };
const iterators = new Set([[], new Map(), new Set(), ''].map((o) => Object.getPrototypeOf(o[Symbol.iterator]())));
const define = (o, key, value, enumerable = true) => Object.defineProperty(o, key, { value, writable: true, enumerable, configurable: true });
const name = (v) => { const { constructor } = v; return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'Object'; };

function clone(v, seen) {
  if (typeof v === 'symbol') fail(String(v));
  if (typeof v === 'function') fail(Function.prototype.toString.call(v));
  if (typeof v !== 'object' || v === null) return v;
  if (seen.has(v)) return seen.get(v);
  const keep = (copy) => { seen.set(v, copy); return copy; };
  if (native.proxyTarget(v) !== undefined) fail(Array.isArray(v) ? '[object Array]' : '#<Object>');
  switch (native.className(v)) {
    case 'Boolean': return keep(Object(Boolean.prototype.valueOf.call(v)));
    case 'Number': return keep(Object(Number.prototype.valueOf.call(v)));
    case 'String': return keep(Object(String.prototype.valueOf.call(v)));
    case 'Date': return keep(new Date(Date.prototype.getTime.call(v)));
    case 'RegExp': return keep(new RegExp(v.source, v.flags));
    case 'Error': return cloneError(v, seen, keep);
    case 'Arguments': fail('#<Object>'); break;
    case 'Generator': fail('[object Generator]');
  }
  if (iterators.has(Object.getPrototypeOf(v))) fail('#<Object>');
  if (Array.isArray(v)) return properties(v, keep(new Array(v.length)), seen);
  if (v instanceof ArrayBuffer) return keep(native.copyBuffer(v) || detached());
  if (isView(v)) return cloneView(v, seen, keep);
  if (v instanceof Map && is(mapSize, v)) {
    const copy = keep(new Map());
    for (const [key, value] of [...Reflect.apply(entries, v, [])]) copy.set(clone(key, seen), clone(value, seen));
    return copy;
  }
  if (v instanceof Set && is(setSize, v)) {
    const copy = keep(new Set());
    for (const value of [...Reflect.apply(values, v, [])]) copy.add(clone(value, seen));
    return copy;
  }
  if (typeof BigInt === 'function' && v instanceof BigInt && is(BigInt.prototype.valueOf, v)) return keep(Object(BigInt.prototype.valueOf.call(v)));
  if (native.promiseState(v) || is(Symbol.prototype.valueOf, v) || v instanceof WeakMap || v instanceof WeakSet) fail(is(Symbol.prototype.valueOf, v) ? '[object Symbol]' : `#<${name(v)}>`);
  if (isException(v)) {
    const copy = keep(new DOMException(v.message, v.name));
    return define(copy, 'stack', v.stack, false);
  }
  if (isPlatformObject(v)) fail(`#<${name(v)}>`);
  return properties(v, keep({}), seen);
}
function detached() { throw new DOMException('An ArrayBuffer is detached and could not be cloned.', 'DataCloneError'); }
function properties(v, copy, seen) {
  for (const key of Object.keys(v)) if (own(v, key)) define(copy, key, clone(v[key], seen));
  return copy;
}
function cloneView(v, seen, keep) {
  const buffer = clone(v.buffer, seen), tag = typedName.call(v);
  if (tag === undefined) return keep(new DataView(buffer, v.byteOffset, v.byteLength));
  return keep(new (typed.find((C) => C.name === tag))(buffer, v.byteOffset, v.length));
}
function cloneError(v, seen, keep) {
  const own_ = Object.getOwnPropertyDescriptor(v, 'message');
  const C = own(errors, v.name) ? errors[v.name] : Error;
  const e = keep(new C());
  if (own_ !== undefined && 'value' in own_) define(e, 'message', String(own_.value), false);
  const { stack } = v;
  define(e, 'stack', typeof stack === 'string' ? stack : undefined, false);
  if (own(v, 'cause')) define(e, 'cause', clone(v.cause, seen), false);
  return e;
}

// A method, which cannot be called with new.
const { structuredClone } = { structuredClone(value) {
  if (arguments.length === 0) throw coded(TypeError, 'ERR_MISSING_ARGS', 'The value argument must be specified');
  const options = arguments[1];
  if (options !== undefined && options !== null && typeof options !== 'object' && typeof options !== 'function') {
    throw coded(TypeError, 'ERR_INVALID_ARG_TYPE', 'The options argument must be either an object or undefined');
  }
  let transfer = options === undefined || options === null ? undefined : options.transfer;
  if (transfer === undefined || transfer === null) {
    transfer = [];
  } else {
    if (typeof transfer !== 'object' || typeof transfer[Symbol.iterator] !== 'function') throw coded(TypeError, 'ERR_INVALID_ARG_TYPE', 'Optional transferList argument must be an iterable');
    transfer = [...transfer];
  }
  const seen = new Map(), moved = new Map();
  for (const t of transfer) {
    if (t === null || (typeof t !== 'object' && typeof t !== 'function')) throw coded(TypeError, 'ERR_INVALID_TRANSFER_OBJECT', 'Found invalid object in transferList');
    if (!(t instanceof ArrayBuffer)) throw new DOMException('Found invalid object in transferList', 'DataCloneError');
    if (moved.has(t)) throw new DOMException('Transfer list contains duplicate ArrayBuffer', 'DataCloneError');
    // Bytes are copied here, and again below: a getter that cloning calls may have changed them.
    const copy = native.copyBuffer(t) || detached();
    moved.set(t, copy);
    seen.set(t, copy);
  }
  const result = clone(value, seen);
  for (const [from, to] of moved) native.moveBuffer(from, to);
  return result;
} };
return { structuredClone };
