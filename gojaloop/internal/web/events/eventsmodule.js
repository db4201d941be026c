// The functions of Node's events module that wait for events of emitters and of event targets.
const { EventEmitter, targetLimits } = load('emitter');
const { check, argType, outOfRange, abortError } = load('nodeerrors');
const { follow } = load('abort');
const { listenersOf, isTarget } = load('events');

function listen(emitter, type, listener, options) {
  if (typeof emitter?.on === 'function') emitter[options?.once ? 'once' : 'on'](type, listener);
  else if (typeof emitter?.addEventListener === 'function') emitter.addEventListener(type, listener, options);
  else throw argType('emitter', 'EventEmitter', emitter);
}
function unlisten(emitter, type, listener) {
  if (typeof emitter?.removeListener === 'function') emitter.removeListener(type, listener);
  else if (typeof emitter?.removeEventListener === 'function') emitter.removeEventListener(type, listener);
  else throw argType('emitter', 'EventEmitter', emitter);
}
function signalOf(options) {
  const signal = options?.signal;
  check.signal(signal, 'options.signal');
  if (signal?.aborted) throw abortError(signal.reason);
  return signal;
}

async function once(emitter, name, options = {}) {
  const signal = signalOf(options);
  return new Promise((resolve, reject) => {
    let release = () => {};
    const failed = (error) => { unlisten(emitter, name, done); release(); reject(error); };
    const done = (...args) => {
      if (typeof emitter.removeListener === 'function') emitter.removeListener('error', failed);
      release();
      resolve(args);
    };
    listen(emitter, name, done, { once: true });
    // Only emitters have errors that end everything.
    if (name !== 'error' && typeof emitter.once === 'function') emitter.once('error', failed);
    if (signal) {
      release = follow(signal, () => {
        unlisten(emitter, name, done);
        unlisten(emitter, 'error', failed);
        reject(abortError(signal.reason));
      });
    }
  });
}

function watermark(value, name) {
  if (typeof value !== 'number') throw argType(name, 'number', value);
  if (!Number.isInteger(value)) throw outOfRange(name, 'an integer', value);
  if (value < 1) throw outOfRange(name, `>= 1 && <= ${Number.MAX_SAFE_INTEGER}`, value);
  return value;
}
const AsyncIteratorPrototype = Object.defineProperty({}, Symbol.asyncIterator, { __proto__: null,
  value: function () { return this; }, writable: true, configurable: true,
});
function on(emitter, event, options = {}) {
  const signal = signalOf(options);
  const high = watermark(options.highWaterMark ?? options.highWatermark ?? Number.MAX_SAFE_INTEGER, 'options.highWaterMark');
  const low = watermark(options.lowWaterMark ?? options.lowWatermark ?? 1, 'options.lowWaterMark');
  const events = [], waiting = [], listening = [];
  let error = null, finished = false, paused = false, release = () => {};
  const close = () => {
    release();
    for (const args of listening.splice(0).reverse()) unlisten(...args);
    finished = true;
    for (const w of waiting.splice(0)) w.resolve({ value: undefined, done: true });
    return Promise.resolve({ value: undefined, done: true });
  };
  const fail = (e) => {
    if (waiting.length) waiting.shift().reject(e); else error = e;
    close();
  };
  const hear = (type, fn) => { listen(emitter, type, fn); listening.push([emitter, type, fn]); };
  hear(event, (...args) => {
    if (waiting.length) { waiting.shift().resolve({ value: args, done: false }); return; }
    events.push(args);
    if (!paused && events.length > high) { paused = true; emitter.pause(); }
  });
  if (event !== 'error' && typeof emitter.on === 'function') hear('error', fail);
  for (const type of options.close ?? []) hear(type, close);
  if (signal) release = follow(signal, () => fail(abortError(signal.reason)));
  return Object.setPrototypeOf({
    next() {
      if (events.length) {
        const value = events.shift();
        if (paused && events.length < low) { emitter.resume(); paused = false; }
        return Promise.resolve({ value, done: false });
      }
      if (error) { const e = error; error = null; return Promise.reject(e); }
      return finished ? close() : new Promise((resolve, reject) => { waiting.push({ resolve, reject }); });
    },
    return: () => close(),
    throw(e) {
      if (!(e instanceof Error)) throw argType('EventEmitter.AsyncIterator', 'Error', e);
      fail(e);
    },
    [Symbol.asyncIterator]() { return this; },
  }, AsyncIteratorPrototype);
}

function getEventListeners(emitterOrTarget, type) {
  if (typeof emitterOrTarget?.listeners === 'function') return emitterOrTarget.listeners(type);
  if (!isTarget(emitterOrTarget)) throw argType('emitter', ['EventEmitter', 'EventTarget'], emitterOrTarget);
  return listenersOf(emitterOrTarget, type);
}
function getMaxListeners(emitter) {
  if (typeof emitter?.getMaxListeners === 'function') return emitter.getMaxListeners();
  if (isTarget(emitter)) return targetLimits.get(emitter) ?? EventEmitter.defaultMaxListeners;
  throw argType('emitter', ['EventEmitter', 'EventTarget'], emitter);
}
function addAbortListener(signal, listener) {
  if (signal === undefined) throw argType('signal', 'AbortSignal', signal);
  check.signal(signal, 'signal');
  check.func(listener, 'listener');
  let release = () => {};
  if (signal.aborted) queueMicrotask(() => listener());
  else { signal.addEventListener('abort', listener, { once: true }); release = () => signal.removeEventListener('abort', listener); }
  return { [Symbol.dispose]() { release(); } };
}
Object.assign(EventEmitter, { addAbortListener, once, on, getEventListeners, getMaxListeners });
return { EventEmitter };
