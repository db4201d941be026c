// Errors with Node's codes and messages (lib/internal/errors.js), and Node's checks of arguments.
function coded(Class, code, message) {
  const e = new Class(message);
  e.code = code;
  Object.defineProperty(e, 'toString', { __proto__: null, value: native.codedText, writable: true, configurable: true });
  return e;
}
const kinds = ['string', 'function', 'number', 'object', 'boolean', 'bigint', 'symbol'];
const list = (words) => (words.length < 3 ? words.join(' or ') : `${words.slice(0, -1).join(', ')}, or ${words[words.length - 1]}`);
function argType(name, expected, value) {
  const all = Array.isArray(expected) ? expected : [expected];
  const types = all.filter((t) => kinds.includes(t)), classes = all.filter((t) => !kinds.includes(t) && t !== 'Object');
  if (all.includes('Object')) types.push('object');
  let must = types.length ? `${types.length > 1 ? 'one of type' : 'of type'} ${list(types)}` : '';
  const others = classes.filter((t) => t === 'null'), instances = classes.filter((t) => t !== 'null');
  if (instances.length) must += `${must ? ' or ' : ''}an instance of ${list(instances)}`;
  if (others.length) must += `${must ? ' or ' : ''}${list(others)}`;
  return coded(TypeError, 'ERR_INVALID_ARG_TYPE',
    `The ${name.endsWith(' argument') ? name : `"${name}" ${name.includes('.') ? 'property' : 'argument'}`} must be ${must}. Received ${native.received(value)}`);
}
const outOfRange = (name, range, value) => coded(RangeError, 'ERR_OUT_OF_RANGE',
  `The value of "${name}" is out of range. It must be ${range}. Received ${native.inspectShort(value)}`);
const check = {
  object(value, name) { if (value === null || typeof value !== 'object') throw argType(name, 'object', value); },
  boolean(value, name) { if (typeof value !== 'boolean') throw argType(name, 'boolean', value); },
  string(value, name) { if (typeof value !== 'string') throw argType(name, 'string', value); },
  func(value, name) { if (typeof value !== 'function') throw argType(name, 'function', value); },
  signal(value, name) {
    if (value !== undefined && (value === null || typeof value !== 'object' || !('aborted' in value))) throw argType(name, 'AbortSignal', value);
  },
};
const missing = (...names) => coded(TypeError, 'ERR_MISSING_ARGS',
  names.length === 1 ? `The "${names[0]}" argument must be specified` : `The ${list(names.map((n) => `"${n}"`)).replace(' or ', ' and ').replace(', or ', ', and ')} arguments must be specified`);
const invalidThis = (type) => coded(TypeError, 'ERR_INVALID_THIS', `Value of "this" must be of type ${type}`);
const illegalConstructor = () => coded(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
function abortError(cause) {
  const e = new Error('The operation was aborted', cause === undefined ? undefined : { cause });
  e.code = 'ABORT_ERR';
  e.name = 'AbortError';
  return e;
}
return { coded, argType, outOfRange, check, missing, invalidThis, illegalConstructor, abortError };
