// Parts of Node's util module.
load('timersmodule'); // tells promisify what to make of setTimeout and setImmediate
const { argType, check } = load('nodeerrors');
const { inspect } = load('inspect');
const { format, formatWithOptions } = load('format');
const promisifyCustom = Symbol.for('nodejs.util.promisify.custom');
function promisify(fn) {
  check.func(fn, 'original');
  if (fn[promisifyCustom]) {
    check.func(fn[promisifyCustom], 'util.promisify.custom');
    return Object.defineProperty(fn[promisifyCustom], promisifyCustom, { value: fn[promisifyCustom], enumerable: false, writable: false, configurable: true });
  }
  const promised = function (...args) {
    return new Promise((resolve, reject) => Reflect.apply(fn, this, [...args, (e, v) => (e ? reject(e) : resolve(v))]));
  };
  Object.setPrototypeOf(promised, Object.getPrototypeOf(fn));
  Object.defineProperty(promised, promisifyCustom, { value: promised, enumerable: false, writable: false, configurable: true });
  return Object.defineProperties(promised, Object.getOwnPropertyDescriptors(fn));
}
promisify.custom = promisifyCustom;
function inherits(ctor, parent) {
  Object.defineProperty(ctor, 'super_', { value: parent, writable: true, configurable: true });
  Object.setPrototypeOf(ctor.prototype, parent.prototype);
}
const types = {
  isPromise: (v) => !!native.promiseState(v),
  isProxy: (v) => native.proxyTarget(v) !== undefined,
  isDate: (v) => native.className(v) === 'Date',
  isRegExp: (v) => native.className(v) === 'RegExp',
  isNativeError: (v) => native.className(v) === 'Error',
};
return { inspect, format, formatWithOptions, promisify, inherits, types };
