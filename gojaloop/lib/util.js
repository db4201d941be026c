// Parts of Node's util module.
const { inspect } = load('inspect');
const { format, formatWithOptions } = load('format');
const promisifyCustom = Symbol.for('nodejs.util.promisify.custom');
function promisify(fn) {
  if (typeof fn !== 'function') throw new TypeError('The "original" argument must be of type function');
  if (fn[promisifyCustom]) return fn[promisifyCustom];
  return function (...args) {
    return new Promise((resolve, reject) => Reflect.apply(fn, this, [...args, (e, v) => (e ? reject(e) : resolve(v))]));
  };
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
