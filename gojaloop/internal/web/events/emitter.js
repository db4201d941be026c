// EventEmitter of Node's events module. Its properties are Node's too, for programs look at them.
const { check, argType, outOfRange, coded } = load('nodeerrors');
const apply = Reflect.apply, ownKeys = Reflect.ownKeys;
const kCapture = Symbol('kCapture'), kShapeMode = Symbol('shapeMode');
const errorMonitor = Symbol('events.errorMonitor'), rejection = Symbol.for('nodejs.rejection');
const hidden = (object, properties) => {
  for (const name of ownKeys(properties)) Object.defineProperty(object, name, { __proto__: null, value: properties[name], writable: true, configurable: true });
};
const inspect = (value, options) => load('inspect').inspect(value, options); // which itself may show emitters
const count = (n, name) => {
  if (typeof n !== 'number') throw argType(name, 'number', n);
  if (!(n >= 0)) throw outOfRange(name, '>= 0', n);
};

let defaultMaxListeners = 10;
function EventEmitter(options) { apply(EventEmitter.init, this, [options]); }
EventEmitter.init = function (options) {
  const inherited = this._events === undefined || this._events === Object.getPrototypeOf(this)._events;
  if (inherited) { this._events = Object.create(null); this._eventsCount = 0; }
  this[kShapeMode] = !inherited;
  this._maxListeners = this._maxListeners || undefined;
  if (options?.captureRejections) {
    check.boolean(options.captureRejections, 'options.captureRejections');
    this[kCapture] = true;
  } else {
    this[kCapture] = EventEmitter.prototype[kCapture];
  }
};

// With captureRejections, the promise of an async listener that is rejected becomes an 'error' event.
function capture(emitter, result, type, args) {
  if (!emitter[kCapture]) return;
  try {
    const then = result.then;
    if (typeof then === 'function') apply(then, result, [undefined, (error) => native.nextTick(rejected, emitter, error, type, args)]);
  } catch (e) { emitter.emit('error', e); }
}
function rejected(emitter, error, type, args) {
  if (typeof emitter[rejection] === 'function') { emitter[rejection](error, type, ...args); return; }
  const before = emitter[kCapture];
  emitter[kCapture] = false; // lest an async listener of 'error' that fails goes on for ever
  try { emitter.emit('error', error); } finally { emitter[kCapture] = before; }
}
function unhandled(value) {
  if (value instanceof Error) return value;
  let text;
  try { text = inspect(value); } catch { text = value; }
  return Object.assign(coded(Error, 'ERR_UNHANDLED_ERROR', `Unhandled error. (${text})`), { context: value });
}

function add(emitter, type, fn, first) {
  check.func(fn, 'listener');
  if (emitter._events === undefined) {
    emitter._events = Object.create(null);
    emitter._eventsCount = 0;
  } else if (emitter._events.newListener !== undefined) {
    emitter.emit('newListener', type, fn.listener ?? fn);
  }
  const events = emitter._events, list = events[type];
  if (list === undefined) {
    events[type] = fn;
    emitter._eventsCount++;
  } else if (typeof list === 'function') {
    events[type] = first ? [fn, list] : [list, fn];
  } else if (first) {
    list.unshift(fn);
  } else {
    list.push(fn);
  }
  warn(emitter, type, events[type]);
  return emitter;
}
function warn(emitter, type, list) {
  const max = limit(emitter);
  if (typeof list === 'function' || !(max > 0) || list.length <= max || list.warned) return;
  list.warned = true;
  const w = new Error(`Possible EventEmitter memory leak detected. ${list.length} ${String(type)} listeners added to ${
    inspect(emitter, { depth: -1 })}. MaxListeners is ${max}. Use emitter.setMaxListeners() to increase limit`);
  w.name = 'MaxListenersExceededWarning';
  native.emitWarning(Object.assign(w, { emitter, type, count: list.length }));
}
const limit = (emitter) => (emitter._maxListeners === undefined ? EventEmitter.defaultMaxListeners : emitter._maxListeners);

let removing; // the listener of once that is about to be called

function onceWrapper(emitter, type, fn) {
  check.func(fn, 'listener');
  let fired = false;
  const wrapper = function (...args) {
    if (fired) return undefined;
    removing = wrapper;
    emitter.removeListener(type, wrapper);
    fired = true;
    return apply(fn, emitter, args);
  };
  Object.defineProperty(wrapper, 'name', { __proto__: null, value: 'bound onceWrapper', configurable: true });
  wrapper.listener = fn;
  return wrapper;
}
function forget(emitter, type) {
  if (--emitter._eventsCount === 0) emitter._events = Object.create(null); else delete emitter._events[type];
}
const is = (candidate, fn) => candidate === fn || candidate.listener === fn;
const listOf = (emitter, type) => {
  const list = emitter._events === undefined ? undefined : emitter._events[type];
  return list === undefined ? [] : typeof list === 'function' ? [list] : list.slice();
};

const methods = {
  setMaxListeners(n) { count(n, 'setMaxListeners'); this._maxListeners = n; return this; },
  getMaxListeners() { return limit(this); },
  emit(type, ...args) {
    const events = this._events;
    if (type === 'error') {
      if (events !== undefined && events[errorMonitor] !== undefined) this.emit(errorMonitor, ...args);
      if (events === undefined || events.error === undefined) throw unhandled(args[0]);
    }
    const list = events === undefined ? undefined : events[type];
    if (list === undefined) return false;
    if (typeof list === 'function') {
      const result = apply(list, this, args);
      if (result !== undefined && result !== null) capture(this, result, type, args);
      return true;
    }
    const all = list.slice(); // listeners may come and go
    for (let i = 0; i < all.length; i++) {
      const result = apply(all[i], this, args);
      if (result !== undefined && result !== null) capture(this, result, type, args);
    }
    return true;
  },
  addListener(type, listener) { return add(this, type, listener, false); },
  prependListener(type, listener) { return add(this, type, listener, true); },
  once(type, listener) { return this.on(type, onceWrapper(this, type, listener)); },
  prependOnceListener(type, listener) { return this.prependListener(type, onceWrapper(this, type, listener)); },
  removeListener(type, listener) {
    check.func(listener, 'listener');
    const events = this._events, list = events === undefined ? undefined : events[type];
    if (list === undefined) return this;
    if (typeof list === 'function') {
      if (!is(list, listener)) return this;
      if (this[kShapeMode]) { this._eventsCount--; events[type] = undefined; return this; }
      forget(this, type);
      listener = list.listener || listener;
    } else {
      // The last one that is added goes first. Listeners of once are there once, and those that are called are at the beginning.
      let at = removing === listener && list[0] === listener ? 0 : list.length - 1;
      while (at >= 0 && !is(list[at], listener)) at--;
      if (at < 0) return this;
      list.splice(at, 1);
      if (list.length === 1) events[type] = list[0];
    }
    if (this._events.removeListener !== undefined) this.emit('removeListener', type, listener);
    return this;
  },
  removeAllListeners(type) {
    const events = this._events;
    if (events === undefined) return this;
    if (arguments.length === 0) {
      if (events.removeListener !== undefined) {
        for (const key of ownKeys(events)) if (key !== 'removeListener') this.removeAllListeners(key);
        this.removeAllListeners('removeListener');
      }
      this._events = Object.create(null);
      this._eventsCount = 0;
      this[kShapeMode] = false;
    } else if (events.removeListener !== undefined) {
      for (const fn of listOf(this, type).reverse()) this.removeListener(type, fn);
    } else {
      if (events[type] !== undefined) forget(this, type);
      this[kShapeMode] = false;
    }
    return this;
  },
  listeners(type) { return listOf(this, type).map((fn) => (typeof fn.listener === 'function' ? fn.listener : fn)); },
  rawListeners(type) { return listOf(this, type); },
  listenerCount(type, listener) {
    const list = listOf(this, type);
    return listener === undefined || listener === null ? list.length : list.filter((fn) => is(fn, listener)).length;
  },
  eventNames() { return this._eventsCount > 0 ? ownKeys(this._events) : []; },
};
hidden(EventEmitter.prototype, { [kCapture]: false });
// Node's are functions that can be constructed, and Node's order is what is seen in a list of the methods.
Object.assign(EventEmitter.prototype, { _events: undefined, _eventsCount: 0, _maxListeners: undefined });
for (const name of Object.keys(methods)) {
  EventEmitter.prototype[name] = methods[name];
  if (name === 'addListener') EventEmitter.prototype.on = methods.addListener;
  if (name === 'removeListener') EventEmitter.prototype.off = methods.removeListener;
}

const targetLimits = new WeakMap(); // of event targets, which warn of nothing
Object.assign(EventEmitter, {
  EventEmitter, usingDomains: false, errorMonitor, captureRejectionSymbol: rejection,
  setMaxListeners(n = defaultMaxListeners, ...targets) {
    count(n, 'setMaxListeners');
    if (targets.length === 0) defaultMaxListeners = n;
    for (const target of targets) {
      if (typeof target?.setMaxListeners === 'function') target.setMaxListeners(n);
      else if (typeof target?.addEventListener === 'function') targetLimits.set(target, n);
      else throw argType('eventTargets', ['EventEmitter', 'EventTarget'], target);
    }
  },
  listenerCount: (emitter, type) => (typeof emitter.listenerCount === 'function' ? emitter.listenerCount(type) : apply(methods.listenerCount, emitter, [type])),
});
Object.defineProperties(EventEmitter, {
  captureRejections: {
    __proto__: null,
    get: () => EventEmitter.prototype[kCapture],
    set(value) { check.boolean(value, 'EventEmitter.captureRejections'); EventEmitter.prototype[kCapture] = value; },
    enumerable: true,
  },
  defaultMaxListeners: {
    __proto__: null,
    get: () => defaultMaxListeners,
    set(n) { count(n, 'defaultMaxListeners'); defaultMaxListeners = n; },
    enumerable: true,
  },
});
return { EventEmitter, targetLimits };
