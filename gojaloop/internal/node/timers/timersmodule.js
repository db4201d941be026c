// Node's timers and timers/promises modules.
const { follow } = load('abort');
const { check, abortError, illegalConstructor, invalidThis } = load('nodeerrors');
const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate } = native.timers();

// failure is why options cannot be used, or null.
function failure(options) {
  try {
    check.object(options, 'options');
    check.signal(options.signal, 'options.signal');
    if (options.ref !== undefined) check.boolean(options.ref, 'options.ref');
    return options.signal !== undefined && options.signal.aborted ? abortError(options.signal.reason) : null;
  } catch (e) { return e; }
}
function wait(start, stop, value, options) {
  const failed = failure(options);
  if (failed !== null) return Promise.reject(failed);
  const { signal, ref } = options;
  return new Promise((resolve, reject) => {
    let release = () => {};
    const t = start(() => { release(); resolve(value); });
    if (ref === false) t.unref();
    if (signal !== undefined) release = follow(signal, () => { stop(t); reject(abortError(signal.reason)); });
  });
}
const waiting = {
  setTimeout(after, value, options = {}) { return wait((fn) => setTimeout(fn, after), clearTimeout, value, options); },
  setImmediate(value, options = {}) { return wait(setImmediate, clearImmediate, value, options); },
};

// An asynchronous iterator with the behaviour of an async generator, which the engine does not have: its body begins
// with the first call of next, and calls wait for each other.
const AsyncIteratorPrototype = Object.defineProperty({}, Symbol.asyncIterator, { __proto__: null,
  value: function () { return this; }, writable: true, configurable: true,
});
const Ticks = Object.create(AsyncIteratorPrototype, { __proto__: null, [Symbol.toStringTag]: { __proto__: null, value: 'AsyncGenerator', configurable: true } });
function each(after, value, options = {}) {
  let timer, wake = null, due = 0, failed = null, release = () => {}, state = 'new', last = Promise.resolve();
  const begin = () => {
    failed = failure(options);
    state = 'running';
    if (failed !== null) return;
    const { signal, ref } = options;
    timer = setInterval(() => { due++; if (wake) { wake(); wake = null; } }, after);
    if (ref === false) timer.unref();
    if (signal !== undefined) release = follow(signal, () => { clearInterval(timer); failed = abortError(signal.reason); if (wake) { wake(); wake = null; } });
  };
  const end = () => { state = 'done'; clearInterval(timer); release(); };
  const step = async () => {
    if (state === 'done') return { value: undefined, done: true };
    if (state === 'new') begin();
    if (due === 0 && failed === null) await new Promise((resolve) => { wake = resolve; });
    if (due > 0) { due--; return { value, done: false }; }
    end();
    throw failed;
  };
  const enqueue = (fn) => { const p = last.then(fn, fn); last = p.catch(() => {}); return p; };
  return Object.create(Ticks, {
    __proto__: null,
    next: { __proto__: null, value: () => enqueue(step) },
    return: { __proto__: null, value: (v) => enqueue(() => { end(); return { value: v, done: true }; }) },
    throw: { __proto__: null, value: (e) => enqueue(() => { end(); throw e; }) },
  });
}
const promises = { setTimeout: waiting.setTimeout, setImmediate: waiting.setImmediate, setInterval: each };
Object.defineProperty(each, 'name', { __proto__: null, value: 'setInterval' });
const own = {};
class Scheduler {
  #made = true;
  constructor() { if (arguments[0] !== own) throw illegalConstructor(); }
  static check(v) { if (v === null || typeof v !== 'object' || !(#made in v)) throw invalidThis('Scheduler'); }
  wait(delay, options) { checkScheduler(this); return promises.setTimeout(delay, undefined, options); }
  yield() { checkScheduler(this); return promises.setImmediate(); }
}
const checkScheduler = Scheduler.check;
delete Scheduler.check;
promises.scheduler = new Scheduler(own);
const custom = Symbol.for('nodejs.util.promisify.custom');
Object.defineProperty(setTimeout, custom, { __proto__: null, get() { return promises.setTimeout; }, enumerable: true });
Object.defineProperty(setImmediate, custom, { __proto__: null, get() { return promises.setImmediate; }, enumerable: true });
return { setTimeout, clearTimeout, setImmediate, clearImmediate, setInterval, clearInterval, ...load('enroll'), promises };
