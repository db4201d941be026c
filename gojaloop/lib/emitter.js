// EventEmitter of Node's events module.
const apply = Reflect.apply, ownKeys = Reflect.ownKeys;
const kListeners = Symbol('listeners');

function listener(fn) {
  if (typeof fn !== 'function') {
    const e = new TypeError('The "listener" argument must be of type function. Received ' + (fn === null ? 'null' : typeof fn === 'object' ? 'an instance of Object' : typeof fn === 'undefined' ? 'undefined' : `type ${typeof fn} (${String(fn)})`));
    e.code = 'ERR_INVALID_ARG_TYPE';
    throw e;
  }
}

function table(emitter) {
  if (Reflect.getOwnPropertyDescriptor(emitter, kListeners) === undefined) {
    Object.defineProperty(emitter, kListeners, { value: Object.create(null), writable: true, configurable: true });
  }
  return emitter[kListeners];
}

function add(emitter, type, fn, first) {
  listener(fn);
  const events = table(emitter);
  if (events.newListener !== undefined) emitter.emit('newListener', type, fn.listener || fn);
  const list = events[type] ? events[type].slice() : [];
  if (first) list.unshift(fn); else list.push(fn);
  events[type] = list;
  return emitter;
}

function onceWrapper(emitter, type, fn) {
  listener(fn);
  let fired = false;
  const wrapper = function (...args) {
    if (fired) return;
    fired = true;
    emitter.removeListener(type, wrapper);
    return apply(fn, emitter, args);
  };
  wrapper.listener = fn;
  return wrapper;
}

class EventEmitter {
  on(type, fn) { return add(this, type, fn, false); }
  addListener(type, fn) { return add(this, type, fn, false); }
  prependListener(type, fn) { return add(this, type, fn, true); }
  once(type, fn) { return this.on(type, onceWrapper(this, type, fn)); }
  prependOnceListener(type, fn) { return this.prependListener(type, onceWrapper(this, type, fn)); }
  off(type, fn) { return this.removeListener(type, fn); }
  removeListener(type, fn) {
    listener(fn);
    const events = table(this), list = events[type];
    if (!list) return this;
    for (let i = list.length - 1; i >= 0; i--) {
      if (list[i] === fn || list[i].listener === fn) {
        const rest = list.slice();
        rest.splice(i, 1);
        if (rest.length) events[type] = rest; else delete events[type];
        if (events.removeListener) this.emit('removeListener', type, fn);
        break;
      }
    }
    return this;
  }
  removeAllListeners(type) {
    const events = table(this);
    if (type === undefined) this[kListeners] = Object.create(null); else delete events[type];
    return this;
  }
  emit(type, ...args) {
    const list = table(this)[type];
    if (!list) {
      if (type === 'error') {
        if (args[0] instanceof Error) throw args[0];
        const e = new Error('Unhandled error. (' + String(args[0]) + ')');
        e.code = 'ERR_UNHANDLED_ERROR';
        e.context = args[0];
        throw e;
      }
      return false;
    }
    for (let i = 0; i < list.length; i++) apply(list[i], this, args);
    return true;
  }
  listeners(type) { return (table(this)[type] || []).map((f) => f.listener || f); }
  rawListeners(type) { return (table(this)[type] || []).slice(); }
  listenerCount(type) { return (table(this)[type] || []).length; }
  eventNames() { return ownKeys(table(this)); }
  setMaxListeners() { return this; }
  getMaxListeners() { return 10; }
}
for (const name of Object.getOwnPropertyNames(EventEmitter.prototype)) {
  if (name !== 'constructor') Object.defineProperty(EventEmitter.prototype, name, { enumerable: true });
}
EventEmitter.EventEmitter = EventEmitter;
EventEmitter.defaultMaxListeners = 10;
EventEmitter.once = (emitter, type) => new Promise((resolve, reject) => {
  const fail = (e) => { emitter.removeListener(type, done); reject(e); };
  const done = (...args) => { emitter.removeListener('error', fail); resolve(args); };
  emitter.once(type, done);
  if (type !== 'error') emitter.once('error', fail);
});
return { EventEmitter };
