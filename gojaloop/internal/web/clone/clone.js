// structuredClone (HTML 2.7).
const { DOMException, isException } = load('exception');
const { coded } = load('nodeerrors');
const { isPlatformObject } = load('webidl');
const fail = (what) => { throw new DOMException(`${what} could not be cloned.`, 'DataCloneError'); };
const errors = { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
const slots = load('slots');
const { apply } = Reflect;
const { hasOwnProperty } = Object.prototype;
const own = (o, k) => apply(hasOwnProperty, o, [k]);
const typed = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array,
  ...(typeof BigInt64Array === 'function' ? [BigInt64Array, BigUint64Array] : [])];
const { forEach: eachEntry, set } = Map.prototype, { forEach: eachValue, add } = Set.prototype;
const boxed = { Boolean: Boolean.prototype.valueOf, Number: Number.prototype.valueOf, String: String.prototype.valueOf, BigInt: typeof BigInt === 'function' && BigInt.prototype.valueOf };
const { getTime } = Date.prototype;
// Memory is a map that works whatever the script has done to those of its own.
class Memory extends Map {}
for (const key of ['has', 'get', 'set']) Object.defineProperty(Memory.prototype, key, { __proto__: null, value: Map.prototype[key] });
const define = (o, key, value, enumerable = false) => Object.defineProperty(o, key, { __proto__: null, value, writable: true, enumerable, configurable: true });
const { put, className, proxyTarget } = native;
const { getPrototypeOf, keys: keysOf } = Object, plain = Object.prototype;
const name = (v) => { const { constructor } = v; return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'Object'; };

function clone(v, seen) {
  if (typeof v !== 'object' || v === null) {
    if (typeof v === 'symbol') fail(String(v));
    if (typeof v === 'function') fail(Function.prototype.toString.call(v));
    return v;
  }
  const before = seen.get(v);
  if (before !== undefined) return before;
  if (proxyTarget(v) !== undefined) fail(Array.isArray(v) ? '[object Array]' : '#<Object>');
  const kind = className(v);
  if (kind === 'Array' || (kind === 'Object' && getPrototypeOf(v) === plain)) { // as most are
    const copy = kind === 'Array' ? new Array(v.length) : {};
    seen.set(v, copy);
    return properties(v, copy, seen);
  }
  const keep = (copy) => { seen.set(v, copy); return copy; };
  switch (kind) {
    case 'Boolean': case 'Number': case 'String': case 'BigInt': return keep(Object(apply(boxed[kind], v, [])));
    case 'Date': return keep(new Date(apply(getTime, v, [])));
    case 'RegExp': return keep(new RegExp(slots.regexpSource(v), slots.regexpFlags(v)));
    case 'Error': return cloneError(v, seen, keep);
    case 'ArrayBuffer': return keep(native.copyBuffer(v) || detached());
    case 'DataView': return keep(new DataView(clone(slots.viewBuffer(v), seen), slots.viewOffset(v), slots.viewLength(v)));
    case 'TypedArray': {
      const tag = slots.typedName(v), C = typed.find((T) => T.name === tag);
      return keep(new C(clone(slots.typedBuffer(v), seen), slots.typedOffset(v), slots.typedLength(v)));
    }
    case 'Map': {
      const copy = keep(new Map()), list = [];
      apply(eachEntry, v, [(value, key) => list.push([key, value])]); // getters that cloning calls may change the map
      for (const [key, value] of list) apply(set, copy, [clone(key, seen), clone(value, seen)]);
      return copy;
    }
    case 'Set': {
      const copy = keep(new Set()), list = [];
      apply(eachValue, v, [(value) => list.push(value)]);
      for (const value of list) apply(add, copy, [clone(value, seen)]);
      return copy;
    }
    case 'Generator': case 'Symbol': fail(`[object ${kind}]`); break;
    case 'Promise': case 'WeakMap': case 'WeakSet': fail(`#<${name(v)}>`); break;
    case 'Object': break;
    default: fail('#<Object>'); // iterators, arguments
  }
  if (isException(v)) {
    const copy = keep(new DOMException(v.message, v.name));
    return define(copy, 'stack', v.stack);
  }
  if (isPlatformObject(v)) return keep(cloneBlob(v) || fail(`#<${name(v)}>`));
  return properties(v, keep({}), seen);
}
// cloneBlob clones a Blob or a File, which share their bytes with the copy: nothing can change these.
function cloneBlob(v) {
  const { Blob, File, isBlob } = load('blob');
  if (!isBlob(v)) return undefined;
  const of = (C, key) => slots.getter(C.prototype, key)(v), type = of(Blob, 'type');
  const bytes = apply(Blob.prototype.slice, v, [0, of(Blob, 'size'), type]);
  let name;
  try { name = of(File, 'name'); } catch { return bytes; }
  return new File([bytes], name, { type, lastModified: of(File, 'lastModified') });
}
function detached() { throw new DOMException('An ArrayBuffer is detached and could not be cloned.', 'DataCloneError'); }
function properties(v, copy, seen) {
  const keys = keysOf(v);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (!own(v, key)) continue; // a getter has deleted it
    const value = clone(v[key], seen);
    if (!put(copy, key, value)) define(copy, key, value, true);
  }
  return copy;
}
function cloneError(v, seen, keep) {
  const { name: title } = v;
  const message = Object.getOwnPropertyDescriptor(v, 'message');
  const e = keep(new (own(errors, title) ? errors[title] : Error)());
  if (message !== undefined && 'value' in message) define(e, 'message', `${message.value}`);
  const { stack } = v;
  define(e, 'stack', typeof stack === 'string' ? stack : undefined);
  if (own(v, 'cause')) define(e, 'cause', clone(v.cause, seen));
  return e;
}

native.clonePlainWith(Map, Set, Date, eachEntry, set, eachValue, add, getTime);
// The native clones plain values, and calls this for the others.
const structuredClone = native.cloner((...args) => {
  if (args.length === 0) throw coded(TypeError, 'ERR_MISSING_ARGS', 'The value argument must be specified');
  const value = args[0], options = args[1]; // no iterator, which a script may have changed
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
  const seen = new Memory(), moved = new Memory();
  for (const t of transfer) {
    if (t === null || (typeof t !== 'object' && typeof t !== 'function')) throw coded(TypeError, 'ERR_INVALID_TRANSFER_OBJECT', 'Found invalid object in transferList');
    if (native.className(t) !== 'ArrayBuffer') throw new DOMException('Found invalid object in transferList', 'DataCloneError');
    if (moved.has(t)) throw new DOMException('Transfer list contains duplicate ArrayBuffer', 'DataCloneError');
    // Bytes are copied here, and again below: a getter that cloning calls may have changed them.
    const copy = native.copyBuffer(t) || detached();
    moved.set(t, copy);
    seen.set(t, copy);
  }
  const result = clone(value, seen);
  for (const [from, to] of moved) if (!native.moveBuffer(from, to)) detached(); // by a getter
  return result;
});
return { structuredClone };
