// Parts of Node's util module.
load('timersmodule'); // tells promisify what to make of setTimeout and setImmediate
const { defineProperties } = load('descriptors');
const { argType, check, coded } = load('nodeerrors');
const { deprecate } = load('deprecate');
const { inspect } = load('inspect');
const { format, formatWithOptions } = load('format');
const promisifyCustom = Symbol.for('nodejs.util.promisify.custom');
function promisify(fn) {
  check.func(fn, 'original');
  if (fn[promisifyCustom]) {
    check.func(fn[promisifyCustom], 'util.promisify.custom');
    return Object.defineProperty(fn[promisifyCustom], promisifyCustom, { __proto__: null, value: fn[promisifyCustom], enumerable: false, writable: false, configurable: true });
  }
  const promised = function (...args) {
    return new Promise((resolve, reject) => { Reflect.apply(fn, this, [...args, (e, v) => (e ? reject(e) : resolve(v))]); });
  };
  Object.setPrototypeOf(promised, Object.getPrototypeOf(fn));
  Object.defineProperty(promised, promisifyCustom, { __proto__: null, value: promised, enumerable: false, writable: false, configurable: true });
  return defineProperties(promised, Object.getOwnPropertyDescriptors(fn));
}
promisify.custom = promisifyCustom;
function callbackify(original) {
  check.func(original, 'original');
  function callbackified(...args) {
    const last = args.pop();
    check.func(last, 'last argument');
    const done = (...outcome) => Reflect.apply(last, this, outcome);
    Reflect.apply(original, this, args).then((value) => native.nextTick(done, null, value), (reason) => native.nextTick(failed, reason, done));
  }
  const own = Object.getOwnPropertyDescriptors(original);
  if (typeof own.length.value === 'number') own.length.value++;
  if (typeof own.name.value === 'string') own.name.value += 'Callbackified';
  return defineProperties(callbackified, own);
}
// A callback takes null for success, so a reason that is false must be told in an error.
function failed(reason, done) {
  done(reason || Object.assign(coded(Error, 'ERR_FALSY_VALUE_REJECTION', 'Promise was rejected with falsy value'), { reason }));
}
function inherits(ctor, parent) {
  if (ctor === undefined || ctor === null) throw argType('ctor', 'function', ctor);
  if (parent === undefined || parent === null) throw argType('superCtor', 'function', parent);
  if (parent.prototype === undefined) throw argType('superCtor.prototype', 'Object', parent.prototype);
  Object.defineProperty(ctor, 'super_', { __proto__: null, value: parent, writable: true, configurable: true });
  Object.setPrototypeOf(ctor.prototype, parent.prototype);
}
const brand = (v) => Object.prototype.toString.call(v).slice(8, -1);
const is = (Class) => (v) => native.className(v) === Class;
const typedArray = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;
const isKind = (name) => (v) => Reflect.apply(typedArray, v, []) === name;
const accepts = (method) => (v) => { try { method(v); return true; } catch { return false; } };
const sizeOf = (Class) => Object.getOwnPropertyDescriptor(Class.prototype, 'size').get;
const types = {
  isPromise: (v) => !!native.promiseState(v),
  isProxy: (v) => native.proxyTarget(v) !== undefined,
  isDate: is('Date'), isRegExp: is('RegExp'), isNativeError: is('Error'),
  isNumberObject: is('Number'), isStringObject: is('String'), isBooleanObject: is('Boolean'),
  isSymbolObject: (v) => typeof v === 'object' && accepts((s) => Symbol.prototype.valueOf.call(s))(v),
  isBigIntObject: (v) => typeof v === 'object' && accepts((n) => BigInt.prototype.valueOf.call(n))(v),
  isMap: accepts((v) => Reflect.apply(sizeOf(Map), v, [])),
  isSet: accepts((v) => Reflect.apply(sizeOf(Set), v, [])),
  isWeakMap: accepts((v) => WeakMap.prototype.has.call(v, {})),
  isWeakSet: accepts((v) => WeakSet.prototype.has.call(v, {})),
  isArrayBuffer: accepts((v) => Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength').get.call(v)),
  isAnyArrayBuffer: (v) => types.isArrayBuffer(v), isSharedArrayBuffer: () => false,
  isArrayBufferView: ArrayBuffer.isView, isTypedArray: (v) => Reflect.apply(typedArray, v, []) !== undefined,
  isDataView: (v) => ArrayBuffer.isView(v) && !types.isTypedArray(v),
  isGeneratorObject: (v) => typeof v === 'object' && v !== null && brand(v) === 'Generator',
  isAsyncFunction: (v) => typeof v === 'function' && brand(v).startsWith('Async'),
  isGeneratorFunction: (v) => typeof v === 'function' && /Generator/.test(brand(v)),
  isMapIterator: (v) => brand(v) === 'Map Iterator', isSetIterator: (v) => brand(v) === 'Set Iterator',
  isArgumentsObject: is('Arguments'), isModuleNamespaceObject: () => false, isExternal: () => false,
};
types.isBoxedPrimitive = (v) => ['Number', 'String', 'Boolean', 'Symbol', 'BigInt'].some((k) => types[`is${k}Object`](v));
for (const kind of ['Int8', 'Uint8', 'Uint8Clamped', 'Int16', 'Uint16', 'Int32', 'Uint32', 'Float32', 'Float64', 'BigInt64', 'BigUint64']) types[`is${kind}Array`] = isKind(`${kind}Array`);
const debugs = new Map();
function debuglog(set, notify) {
  const name = `${set}`.toUpperCase(), { process } = load('process');
  if (!debugs.has(name)) {
    const wanted = `${process.env.NODE_DEBUG || ''}`.toUpperCase().split(',').map((p) => new RegExp(`^${p.trim().replace(/[|\\{}()[\]^$+?.]/g, '\\$&').replace(/\*/g, '.*')}$`));
    debugs.set(name, wanted.some((p) => p.test(name)));
  }
  const enabled = debugs.get(name);
  const log = (...args) => { if (enabled) process.stderr.write(`${name} ${process.pid}: ${format(...args)}\n`); };
  Object.defineProperty(log, 'enabled', { __proto__: null, get: () => enabled, configurable: true, enumerable: true });
  if (notify) notify(log);
  return log;
}
function styleText(style, text) {
  if (typeof text !== 'string') throw argType('text', 'string', text);
  let before = '', after = '';
  for (const name of Array.isArray(style) ? style : [style]) {
    const codes = inspect.colors[name];
    if (!codes) throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', `The argument 'format' must be one of: ${Object.keys(inspect.colors).map((k) => `'${k}'`).join(', ')}. Received ${native.inspectShort(name)}`);
    before += `\u001b[${codes[0]}m`;
    after = `\u001b[${codes[1]}m${after}`;
  }
  return before + text + after;
}
const old = {
  isBoolean: (v) => typeof v === 'boolean', isBuffer: (v) => load('buffer').Buffer.isBuffer(v), isDate: types.isDate, isError: (v) => types.isNativeError(v) || v instanceof Error,
  isFunction: (v) => typeof v === 'function', isNull: (v) => v === null, isNullOrUndefined: (v) => v === null || v === undefined, isNumber: (v) => typeof v === 'number',
  isObject: (v) => v !== null && typeof v === 'object', isPrimitive: (v) => v === null || (typeof v !== 'object' && typeof v !== 'function'), isRegExp: types.isRegExp,
  isString: (v) => typeof v === 'string', isSymbol: (v) => typeof v === 'symbol', isUndefined: (v) => v === undefined,
};
return {
  ...old, callbackify, debug: debuglog, debuglog, deprecate, format, formatWithOptions, inherits, inspect, isArray: Array.isArray, promisify, styleText, types,
  parseArgs: (config) => load('parseargs').parseArgs(config),
  _extend: (target, source) => (source === null || typeof source !== 'object' ? target : Object.assign(target, source)),
  log: (...args) => { load('process').process.stdout.write(`${format(...args)}\n`); },
  getSystemErrorName: (n) => { const { errno } = load('os').constants; for (const name of Object.keys(errno)) if (errno[name] === -n) return name; },
  aborted: (signal) => new Promise((resolve) => { if (signal.aborted) resolve(); else signal.addEventListener('abort', () => resolve(), { once: true }); }),
  isDeepStrictEqual: (a, b) => load('assert').same(a, b, true),
  stripVTControlCharacters(text) { check.string(text, 'str'); return text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, ''); },
  toUSVString: (text) => native.wellFormed(`${text}`),
  get TextEncoder() { return load('encoding').TextEncoder; },
  get TextDecoder() { return load('encoding').TextDecoder; },
};
