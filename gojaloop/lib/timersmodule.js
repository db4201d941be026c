// Node's timers and timers/promises modules.
const { follow } = load('events');
const { DOMException } = load('exception');
const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate } = globalThis;
const aborted = (signal) => {
  const e = new Error('The operation was aborted');
  e.name = 'AbortError';
  e.code = 'ABORT_ERR';
  if (signal.reason !== undefined) e.cause = signal.reason;
  return e;
};
function waiting(start, stop) {
  return (value, { signal, ref = true } = {}) => {
    if (signal && signal.aborted) return Promise.reject(aborted(signal));
    return new Promise((resolve, reject) => {
      let release = () => {};
      const t = start(() => { release(); resolve(value); });
      if (!ref) t.unref();
      if (signal) release = follow(signal, () => { stop(t); reject(aborted(signal)); });
    });
  };
}
const promises = {
  setTimeout: (ms, value, options) => waiting((fn) => setTimeout(fn, ms), clearTimeout)(value, options),
  setImmediate: (value, options) => waiting((fn) => setImmediate(fn), clearImmediate)(value, options),
  setInterval(ms, value, { signal, ref = true } = {}) {
    let ready = 0, wake = null, failed = null;
    const t = setInterval(() => { ready++; if (wake) { wake(); wake = null; } }, ms);
    if (!ref) t.unref();
    const release = signal ? follow(signal, () => { clearInterval(t); failed = aborted(signal); if (wake) wake(); }) : () => {};
    if (signal && signal.aborted) { clearInterval(t); failed = aborted(signal); }
    return {
      [Symbol.asyncIterator]() { return this; },
      async next() {
        if (ready === 0 && !failed) await new Promise((resolve) => { wake = resolve; });
        if (failed) throw failed;
        ready--;
        return { value, done: false };
      },
      async return() { release(); clearInterval(t); return { value: undefined, done: true }; },
    };
  },
};
promises.scheduler = { wait: (ms, options) => promises.setTimeout(ms, undefined, options), yield: () => promises.setImmediate() };
const custom = Symbol.for('nodejs.util.promisify.custom');
Object.defineProperty(setTimeout, custom, { value: promises.setTimeout, configurable: true });
Object.defineProperty(setImmediate, custom, { value: promises.setImmediate, configurable: true });
return { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate, promises };
