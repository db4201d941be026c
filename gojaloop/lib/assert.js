// Node's assert module, as far as tests use it. Messages name the values, but show no diff.
const { inspect } = load('inspect');
const { argType } = load('nodeerrors');
class AssertionError extends Error {
  constructor({ message, actual, expected, operator }) {
    super(message === undefined ? `${inspect(actual)} ${operator} ${inspect(expected)}` : String(message));
    Object.assign(this, { generatedMessage: message === undefined, code: 'ERR_ASSERTION', actual, expected, operator });
  }
}
Object.defineProperty(AssertionError.prototype, 'name', { value: 'AssertionError', writable: true, configurable: true });
function fail(message, actual, expected, operator) {
  if (message instanceof Error) throw message;
  throw new AssertionError({ message, actual, expected, operator });
}

const tag = (v) => Object.prototype.toString.call(v);
const own = (o, key) => Object.prototype.propertyIsEnumerable.call(o, key);
const keysOf = (v, strict) => [...Object.keys(v), ...(strict ? Object.getOwnPropertySymbols(v).filter((s) => own(v, s)) : [])];
// same compares as deepStrictEqual does, or loosely. pairs holds what is being compared further out.
function same(a, b, strict, pairs = new Map()) {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return !strict && (typeof a !== 'object' || a === null) && (typeof b !== 'object' || b === null) && (a == b || (a !== a && b !== b));
  }
  if (tag(a) !== tag(b) || Array.isArray(a) !== Array.isArray(b) || (strict && Object.getPrototypeOf(a) !== Object.getPrototypeOf(b))) return false;
  if (pairs.get(a) === b) return true;
  pairs.set(a, b);
  const kind = native.className(a);
  if (kind !== native.className(b)) return false;
  if (kind === 'Date') { if (!Object.is(a.getTime(), b.getTime())) return false; }
  else if (kind === 'RegExp') { if (String(a) !== String(b) || a.lastIndex !== b.lastIndex) return false; }
  else if (kind === 'Error') { if (a.name !== b.name || a.message !== b.message) return false; }
  else if (['Number', 'String', 'Boolean'].includes(kind)) { if (!Object.is(a.valueOf(), b.valueOf())) return false; }
  else if (a instanceof ArrayBuffer) { if (!same(new Uint8Array(a), new Uint8Array(b), strict, pairs)) return false; }
  else if (a instanceof Set) { if (a.size !== b.size || ![...a].every((x) => b.has(x) || (typeof x === 'object' && [...b].some((y) => same(x, y, strict, new Map(pairs)))))) return false; }
  else if (a instanceof Map) {
    if (a.size !== b.size || ![...a].every(([k, v]) => (b.has(k) ? same(v, b.get(k), strict, pairs) : [...b].some(([l, w]) => same(k, l, strict, new Map(pairs)) && same(v, w, strict, new Map(pairs)))))) return false;
  }
  if (Array.isArray(a) && a.length !== b.length) return false;
  const keys = keysOf(a, strict);
  const equal = keys.length === keysOf(b, strict).length && keys.every((key) => own(b, key) && same(a[key], b[key], strict, pairs));
  if (!equal) pairs.delete(a);
  return equal;
}

// expected checks what was thrown against a class, a pattern, an object or a function.
function matches(error, expected, message, operator) {
  if (expected === undefined) return;
  if (expected instanceof RegExp) { if (!expected.test(String(error))) fail(message, error, expected, operator); return; }
  if (typeof expected === 'function') {
    if (expected.prototype !== undefined && error instanceof expected) return;
    if (expected === Error || Object.prototype.isPrototypeOf.call(Error, expected) || Reflect.apply(expected, {}, [error]) !== true) fail(message, error, expected, operator);
    return;
  }
  const keys = Object.keys(expected);
  if (expected instanceof Error) keys.push('name', 'message');
  for (const key of keys) {
    const pattern = expected[key] instanceof RegExp && typeof error[key] === 'string';
    if (!(key in error) || !(pattern ? expected[key].test(error[key]) : same(error[key], expected[key], true))) fail(message, error, expected, operator);
  }
}
function expectation(expected, message) {
  if (typeof expected === 'string') return [undefined, expected];
  if (expected !== undefined && expected !== null && typeof expected !== 'function' && typeof expected !== 'object') throw argType('expected', ['function', 'Error', 'RegExp', 'object'], expected);
  return [expected === null ? undefined : expected, message];
}
async function outcome(promiseOrFn) {
  const p = typeof promiseOrFn === 'function' ? promiseOrFn() : promiseOrFn;
  if (p === null || typeof p !== 'object' || typeof p.then !== 'function') throw argType('promiseFn', ['function', 'Promise'], promiseOrFn);
  try { await p; return null; } catch (e) { return { e }; }
}

function assert(value, message) { if (!value) fail(message, value, true, '=='); }
const methods = {
  ok(value, message) { if (!value) fail(message, value, true, '=='); },
  fail(message = 'Failed') { fail(message, undefined, undefined, 'fail'); },
  equal(a, b, message) { if (!(a == b || (a !== a && b !== b))) fail(message, a, b, '=='); },
  notEqual(a, b, message) { if (a == b || (a !== a && b !== b)) fail(message, a, b, '!='); },
  strictEqual(a, b, message) { if (!Object.is(a, b)) fail(message, a, b, 'strictEqual'); },
  notStrictEqual(a, b, message) { if (Object.is(a, b)) fail(message, a, b, 'notStrictEqual'); },
  deepEqual(a, b, message) { if (!same(a, b, false)) fail(message, a, b, 'deepEqual'); },
  notDeepEqual(a, b, message) { if (same(a, b, false)) fail(message, a, b, 'notDeepEqual'); },
  deepStrictEqual(a, b, message) { if (!same(a, b, true)) fail(message, a, b, 'deepStrictEqual'); },
  notDeepStrictEqual(a, b, message) { if (same(a, b, true)) fail(message, a, b, 'notDeepStrictEqual'); },
  match(text, pattern, message) { if (typeof text !== 'string' || !pattern.test(text)) fail(message, text, pattern, 'match'); },
  doesNotMatch(text, pattern, message) { if (typeof text === 'string' && pattern.test(text)) fail(message, text, pattern, 'doesNotMatch'); },
  ifError(value) { if (value !== null && value !== undefined) throw value instanceof Error ? value : new AssertionError({ message: `ifError got unwanted exception: ${inspect(value)}`, actual: value, expected: null, operator: 'ifError' }); },
  throws(fn, expected, message) {
    if (typeof fn !== 'function') throw argType('fn', 'function', fn);
    [expected, message] = expectation(expected, message);
    let caught = null;
    try { fn(); } catch (e) { caught = { e }; }
    if (caught === null) fail(message === undefined ? 'Missing expected exception.' : message, undefined, expected, 'throws');
    matches(caught.e, expected, message, 'throws');
  },
  doesNotThrow(fn, expected, message) {
    if (typeof fn !== 'function') throw argType('fn', 'function', fn);
    try { fn(); } catch (e) { fail(typeof expected === 'string' ? expected : message === undefined ? `Got unwanted exception.\nActual message: "${e && e.message}"` : message, e, expected, 'doesNotThrow'); }
  },
  async rejects(promiseOrFn, expected, message) {
    [expected, message] = expectation(expected, message);
    const caught = await outcome(promiseOrFn);
    if (caught === null) fail(message === undefined ? 'Missing expected rejection.' : message, undefined, expected, 'rejects');
    matches(caught.e, expected, message, 'rejects');
  },
  async doesNotReject(promiseOrFn, expected, message) {
    const caught = await outcome(promiseOrFn);
    if (caught !== null) fail(message === undefined ? `Got unwanted rejection.\nActual message: "${caught.e && caught.e.message}"` : message, caught.e, expected, 'doesNotReject');
  },
};
Object.assign(assert, methods, { AssertionError });
assert.strict = Object.assign((value, message) => assert(value, message), assert, {
  equal: methods.strictEqual, notEqual: methods.notStrictEqual, deepEqual: methods.deepStrictEqual, notDeepEqual: methods.notDeepStrictEqual,
});
assert.strict.strict = assert.strict;
return { assert };
