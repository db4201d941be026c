// util.deprecate of Node: a function that warns when it is called for the first time. Those with a code warn once for
// each code.
const { check } = load('nodeerrors');
const warned = new Set();
function deprecate(fn, message, code) {
  check.func(fn, 'fn');
  if (code !== undefined) check.string(code, 'code');
  let first = true;
  function deprecated(...args) {
    if (first && !(code !== undefined && warned.has(code))) {
      first = false;
      if (code !== undefined) warned.add(code);
      native.emitWarning(message, 'DeprecationWarning', ...(code === undefined ? [] : [code]));
    }
    return new.target ? Reflect.construct(fn, args, new.target) : Reflect.apply(fn, this, args);
  }
  Object.setPrototypeOf(deprecated, fn);
  if (fn.prototype) deprecated.prototype = fn.prototype;
  return deprecated;
}
return { deprecate };
