// Node's assert module, as far as tests use it. Messages name the values, but show no diff.
const { inspect } = load('inspect');
const { argType, check, coded, missing } = load('nodeerrors');
const equalities = {
  strictEqual: 'Expected values to be strictly equal:', deepStrictEqual: 'Expected values to be strictly deep-equal:',
  notStrictEqual: 'Expected "actual" to be strictly unequal to:', notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
  deepEqual: 'Expected values to be loosely deep-equal:', notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:',
};
const show = (v) => inspect(v, { compact: false, customInspect: false, depth: 1000, maxArrayLength: Infinity, breakLength: Infinity, sorted: true, getters: true });
const isReference = (v) => (typeof v === 'object' && v !== null) || typeof v === 'function';
// generated is Node's message where that shows the two values, and names them below each other where it shows a diff.
function generated(actual, expected, operator, title = equalities[operator]) {
  const a = show(actual), b = show(expected);
  switch (operator) {
    case 'strictEqual': case 'deepStrictEqual':
      if (operator === 'strictEqual' && a === b && isReference(actual)) return `Values have same structure but are not reference-equal:\n\n${a}\n`;
      if (!a.includes('\n') && !b.includes('\n') && a !== b && a.length + b.length <= 12 && !isReference(actual) && !isReference(expected) && (actual !== 0 || expected !== 0)) return `${title}\n\n${a} !== ${b}\n`;
      return `${title}\n+ actual - expected\n\n${a.split('\n').map((line) => `+ ${line}`).join('\n')}\n${b.split('\n').map((line) => `- ${line}`).join('\n')}`;
    case 'notStrictEqual': case 'notDeepStrictEqual': {
      const base = operator === 'notStrictEqual' && isReference(actual) ? 'Expected "actual" not to be reference-equal to "expected":' : title;
      return a.includes('\n') ? `${base}\n\n${a}\n` : `${base}${a.length > 5 ? '\n\n' : ' '}${a}`;
    }
    case 'deepEqual': return `${title}\n\n${a}\n\nshould loosely deep-equal\n\n${b}`;
    case 'notDeepEqual': return a === b ? `${title}\n\n${a}` : `Expected values not to be loosely deep-equal:\n\n${a}\n\nshould not loosely deep-equal\n\n${b}`;
    default: return `${a} ${operator} ${b}`;
  }
}
class AssertionError extends Error {
  constructor(options) {
    check.object(options, 'options');
    const { message, actual, expected, operator } = options;
    const isNone = message === undefined || message === null, isDiff = operator === 'strictEqual' || operator === 'deepStrictEqual';
    super(isNone ? generated(actual, expected, operator) : isDiff ? generated(actual, expected, operator, message) : String(message));
    Object.assign(this, { generatedMessage: !message, code: 'ERR_ASSERTION', actual, expected, operator });
  }
  toString() { return `${this.name} [${this.code}]: ${this.message}`; }
}
Object.defineProperty(AssertionError.prototype, 'name', { __proto__: null, value: 'AssertionError', writable: true, configurable: true });
function fail(message, actual, expected, operator, isGenerated) {
  if (message instanceof Error) throw message;
  const e = new AssertionError({ message, actual, expected, operator });
  if (isGenerated) e.generatedMessage = true;
  throw e;
}

const tag = (v) => Object.prototype.toString.call(v);
const own = (o, key) => Object.prototype.propertyIsEnumerable.call(o, key);
const keysOf = (v, strict) => [...Object.keys(v), ...(strict ? Object.getOwnPropertySymbols(v).filter((s) => own(v, s)) : [])];
// compare compares as deepStrictEqual does, or loosely. pairs holds what is being compared further out. What nests waits in a
// list: data may nest deeper than calls may.
function compare(a, b, strict, pairs = new Map()) {
  const left = [a], right = [b];
  while (left.length > 0) if (!level(left.pop(), right.pop(), strict, pairs, (x, y) => { left.push(x); right.push(y); return true; })) return false;
  return true;
}
// level compares two values but for what nests in them, which it gives to later.
function level(a, b, strict, pairs, later) {
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
  else if (a instanceof ArrayBuffer) { if (!compare(new Uint8Array(a), new Uint8Array(b), strict, pairs)) return false; }
  else if (a instanceof Set) { if (a.size !== b.size || ![...a].every((x) => b.has(x) || (typeof x === 'object' && [...b].some((y) => compare(x, y, strict, new Map(pairs)))))) return false; }
  else if (a instanceof Map) {
    if (a.size !== b.size || ![...a].every(([k, v]) => (b.has(k) ? later(v, b.get(k)) : [...b].some(([l, w]) => compare(k, l, strict, new Map(pairs)) && compare(v, w, strict, new Map(pairs)))))) return false;
  }
  if (Array.isArray(a) && a.length !== b.length) return false;
  const keys = keysOf(a, strict);
  if (keys.length !== keysOf(b, strict).length || !keys.every((key) => own(b, key))) return false;
  for (let i = keys.length - 1; i >= 0; i--) later(a[keys[i]], b[keys[i]]);
  return true;
}
// same is compare for sets in sets, or getters, that nest without end.
const same = native.bounded(compare);

// matches checks what was thrown against a class, a pattern, an object or a function.
function matches(error, expected, message, operator) {
  if (expected === undefined) return;
  const differs = (text) => fail(message === undefined ? text : message, error, expected, operator, message === undefined);
  if (expected instanceof RegExp) {
    if (!expected.test(String(error))) differs(`The input did not match the regular expression ${inspect(expected)}. Input:\n\n${inspect(String(error))}\n`);
  } else if (typeof expected === 'function') {
    if (expected.prototype !== undefined && error instanceof expected) return;
    if (expected === Error || Object.prototype.isPrototypeOf.call(Error, expected)) {
      const name = error?.constructor?.name;
      differs(`The error is expected to be an instance of "${expected.name}". Received ${error instanceof Error ? (name === expected.name ? 'an error with identical name but a different prototype.' : `"${name}"`) + (error.message ? `\n\nError message:\n\n${error.message}` : '') : `"${inspect(error, { depth: -1 })}"`}`);
    }
    const result = Reflect.apply(expected, {}, [error]);
    if (result !== true) differs(`The ${expected.name ? `"${expected.name}" ` : ''}validation function is expected to return "true". Received ${inspect(result)}${error instanceof Error ? `\n\nCaught error:\n\n${error}` : ''}`);
  } else if (!isReference(error)) {
    fail(message, error, expected, operator);
  } else {
    const keys = Object.keys(expected);
    if (expected instanceof Error) keys.push('name', 'message');
    else if (keys.length === 0) throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', `The argument 'error' may not be an empty object. Received {}`);
    for (const key of keys) {
      const pattern = expected[key] instanceof RegExp && typeof error[key] === 'string';
      if (!(key in error) || !(pattern ? expected[key].test(error[key]) : same(error[key], expected[key], true))) {
        const pick = (o) => Object.fromEntries(keys.filter((k) => k in o).map((k) => [k, o[k]]));
        differs(generated(pick(error), pick(expected), 'deepStrictEqual'));
      }
    }
  }
}
function expectation(expected, message) {
  if (typeof expected === 'string') return [undefined, expected];
  if (expected !== undefined && expected !== null && typeof expected !== 'function' && typeof expected !== 'object') throw argType('expected', ['function', 'Error', 'RegExp', 'object'], expected);
  if (typeof expected === 'object' && expected !== null && message !== undefined && typeof message !== 'string' && !(message instanceof Error)) message = String(message);
  return [expected === null ? undefined : expected, message];
}
async function outcome(promiseOrFn) {
  const p = typeof promiseOrFn === 'function' ? promiseOrFn() : promiseOrFn;
  if (p === null || typeof p !== 'object' || typeof p.then !== 'function') throw argType('promiseFn', ['function', 'Promise'], promiseOrFn);
  try { await p; return null; } catch (e) { return { e }; }
}

function ok(value, message) {
  if (arguments.length === 0) message = 'No value argument passed to `assert.ok()`';
  if (!value) fail(message, value, true, '==', arguments.length === 0);
}
const assert = (...args) => ok(...args);
const two = (args) => { if (args.length < 2) throw missing('actual', 'expected'); };
function input(text, pattern, message, wanted, operator) {
  if (!(pattern instanceof RegExp)) throw argType('regexp', 'RegExp', pattern);
  if (typeof text === 'string' && pattern.test(text) === wanted) return;
  const problem = typeof text !== 'string' ? `The "string" argument must be of type string. Received type ${typeof text} (${inspect(text)})`
    : `The input ${wanted ? 'did not match' : 'was expected to not match'} the regular expression ${inspect(pattern)}. Input:\n\n${inspect(text)}\n`;
  fail(message === undefined ? problem : message, text, pattern, operator, message === undefined);
}
// lacking is the message where nothing was thrown.
const lacking = (what, expected, message) => `Missing expected ${what}${typeof expected === 'function' && expected.name ? ` (${expected.name})` : ''}${message === undefined ? '.' : `: ${message}`}`;
// unwanted tells of what was thrown; only what was expected not to be is a failure of the assertion.
function unwanted(what, error, expected, message, operator) {
  [expected, message] = expectation(expected, message);
  if (expected !== undefined && !(expected instanceof RegExp ? expected.test(String(error)) : error instanceof expected)) throw error;
  if (message instanceof Error) throw message;
  fail(`Got unwanted ${what}${message === undefined ? '.' : `: ${message}`}\nActual message: "${error && error.message}"`, error, expected, operator);
}

const methods = {
  ok,
  fail(message) { fail(message === undefined ? 'Failed' : message, undefined, undefined, 'fail', message === undefined); },
  equal(a, b, message) { two(arguments); if (!(a == b || (a !== a && b !== b))) fail(message, a, b, '=='); },
  notEqual(a, b, message) { two(arguments); if (a == b || (a !== a && b !== b)) fail(message, a, b, '!='); },
  strictEqual(a, b, message) { two(arguments); if (!Object.is(a, b)) fail(message, a, b, 'strictEqual'); },
  notStrictEqual(a, b, message) { two(arguments); if (Object.is(a, b)) fail(message, a, b, 'notStrictEqual'); },
  deepEqual(a, b, message) { two(arguments); if (!same(a, b, false)) fail(message, a, b, 'deepEqual'); },
  notDeepEqual(a, b, message) { two(arguments); if (same(a, b, false)) fail(message, a, b, 'notDeepEqual'); },
  deepStrictEqual(a, b, message) { two(arguments); if (!same(a, b, true)) fail(message, a, b, 'deepStrictEqual'); },
  notDeepStrictEqual(a, b, message) { two(arguments); if (same(a, b, true)) fail(message, a, b, 'notDeepStrictEqual'); },
  match(text, pattern, message) { input(text, pattern, message, true, 'match'); },
  doesNotMatch(text, pattern, message) { input(text, pattern, message, false, 'doesNotMatch'); },
  ifError(value) {
    if (value === null || value === undefined) return;
    const told = typeof value === 'object' && typeof value.message === 'string' ? value.message || value.constructor?.name : inspect(value);
    fail(`ifError got unwanted exception: ${told}`, value, null, 'ifError');
  },
  throws(fn, expected, message) {
    if (typeof fn !== 'function') throw argType('fn', 'function', fn);
    [expected, message] = expectation(expected, message);
    let caught = null;
    try { fn(); } catch (e) { caught = { e }; }
    if (caught === null) fail(lacking('exception', expected, message), undefined, expected, 'throws');
    matches(caught.e, expected, message, 'throws');
  },
  doesNotThrow(fn, expected, message) {
    if (typeof fn !== 'function') throw argType('fn', 'function', fn);
    try { fn(); } catch (e) { unwanted('exception', e, expected, message, 'doesNotThrow'); }
  },
  async rejects(promiseOrFn, expected, message) {
    [expected, message] = expectation(expected, message);
    const caught = await outcome(promiseOrFn);
    if (caught === null) fail(lacking('rejection', expected, message), undefined, expected, 'rejects');
    matches(caught.e, expected, message, 'rejects');
  },
  async doesNotReject(promiseOrFn, expected, message) {
    const caught = await outcome(promiseOrFn);
    if (caught !== null) unwanted('rejection', caught.e, expected, message, 'doesNotReject');
  },
};
Object.assign(assert, methods, { AssertionError });
Object.defineProperty(assert, 'name', { __proto__: null, value: 'ok' });
assert.strict = Object.assign((...args) => ok(...args), assert, {
  equal: methods.strictEqual, notEqual: methods.notStrictEqual, deepEqual: methods.deepStrictEqual, notDeepEqual: methods.notDeepStrictEqual,
});
assert.strict.strict = assert.strict;
return { assert, same };
