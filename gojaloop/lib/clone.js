// structuredClone (HTML 2.7).
const { DOMException } = load('exception');
const fail = (what) => { throw new DOMException(`${what} could not be cloned.`, 'DataCloneError'); };
const errors = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
const own = (o, k) => Object.prototype.hasOwnProperty.call(o, k);
const { isView } = ArrayBuffer;

function clone(v, seen) {
  if (typeof v === 'symbol') fail(String(v));
  if (typeof v === 'function') fail(Function.prototype.toString.call(v));
  if (typeof v !== 'object' || v === null) return v;
  if (seen.has(v)) return seen.get(v);
  const keep = (copy) => { seen.set(v, copy); return copy; };
  switch (native.className(v)) {
    case 'Boolean': return keep(Object(Boolean.prototype.valueOf.call(v)));
    case 'Number': return keep(Object(Number.prototype.valueOf.call(v)));
    case 'String': return keep(Object(String.prototype.valueOf.call(v)));
    case 'Date': return keep(new Date(Date.prototype.getTime.call(v)));
    case 'RegExp': return keep(new RegExp(v.source, v.flags));
    case 'Error': return cloneError(v, seen, keep);
    case 'Map': case 'Set': case 'Array': case 'Object': break;
  }
  if (native.promiseState(v)) fail('#<Promise>');
  if (v instanceof WeakMap || v instanceof WeakSet) fail(`#<${v.constructor.name}>`);
  if (v instanceof ArrayBuffer) return keep(v.slice(0));
  if (isView(v)) {
    const buffer = clone(v.buffer, seen);
    return keep(v instanceof DataView ? new DataView(buffer, v.byteOffset, v.byteLength) : new v.constructor(buffer, v.byteOffset, v.length));
  }
  if (v instanceof Map) {
    const copy = keep(new Map());
    for (const [key, value] of [...v]) copy.set(clone(key, seen), clone(value, seen));
    return copy;
  }
  if (v instanceof Set) {
    const copy = keep(new Set());
    for (const value of [...v]) copy.add(clone(value, seen));
    return copy;
  }
  if (v instanceof Event_() || native.isTimer(v)) fail('An object');
  let copy;
  if (Array.isArray(v)) {
    copy = keep(new Array(v.length));
  } else {
    copy = keep({});
  }
  for (const key of Object.keys(v)) if (own(v, key)) copy[key] = clone(v[key], seen);
  return copy;
}
function Event_() { return load('events').EventTarget; }

function cloneError(v, seen, keep) {
  const { name } = v;
  const proto = own(errors, name) ? errors[name].prototype : Error.prototype;
  const copy = keep(Object.create(proto));
  const e = new Error();
  Object.setPrototypeOf(e, proto);
  seen.set(v, e);
  const message = Object.getOwnPropertyDescriptor(v, 'message');
  if (message && 'value' in message) Object.defineProperty(e, 'message', { value: String(message.value), writable: true, configurable: true });
  Object.defineProperty(e, 'stack', { value: String(v.stack), writable: true, configurable: true });
  if (own(v, 'cause')) Object.defineProperty(e, 'cause', { value: clone(v.cause, seen), writable: true, configurable: true });
  return copy && e;
}

function structuredClone(value, options) {
  if (arguments.length === 0) throw new TypeError("The \"value\" argument must be specified");
  const transfer = options === undefined || options === null ? [] : [...(options.transfer || [])];
  for (const t of transfer) if (!(t instanceof ArrayBuffer)) fail('Value');
  const result = clone(value, new Map());
  for (const t of transfer) native.detach(t);
  return result;
}
return { structuredClone };
