// Event, CustomEvent and EventTarget (DOM 2), AbortController and AbortSignal (DOM 3).
const { DOMException } = load('exception');
const apply = Reflect.apply;
const now = native.milliseconds, later = native.later, report = native.report;
const needArguments = (what, n, args) => {
  if (args.length < n) throw new TypeError(`${what}: ${n} argument${n > 1 ? 's' : ''} required, but only ${args.length} present.`);
};
const dictionary = (v, what) => {
  if (v === undefined || v === null) return {};
  if (typeof v !== 'object' && typeof v !== 'function') throw new TypeError(`${what} is not an object`);
  return v;
};

// The state of an event that its target changes. Only code in this file can reach it.
let stateOf;
class Event {
  #s;
  static { stateOf = (e) => e.#s; }
  constructor(type, init) {
    needArguments('Event', 1, arguments);
    const o = dictionary(init, 'The event init');
    this.#s = {
      bubbles: !!o.bubbles, cancelable: !!o.cancelable, composed: !!o.composed, type: `${type}`,
      target: null, currentTarget: null, phase: 0, stop: false, stopNow: false, canceled: false, passive: false,
      dispatching: false, initialized: true, time: now(), trusted: false, path: [],
    };
    Object.defineProperty(this, 'isTrusted', { get: isTrusted, enumerable: true });
  }
  get type() { return this.#s.type; }
  get target() { return this.#s.target; }
  get srcElement() { return this.#s.target; }
  get currentTarget() { return this.#s.currentTarget; }
  composedPath() { return this.#s.dispatching ? [this.#s.currentTarget] : []; }
  get eventPhase() { return this.#s.phase; }
  stopPropagation() { this.#s.stop = true; }
  get cancelBubble() { return this.#s.stop; }
  set cancelBubble(v) { if (v) this.#s.stop = true; }
  stopImmediatePropagation() { this.#s.stop = this.#s.stopNow = true; }
  get bubbles() { return this.#s.bubbles; }
  get cancelable() { return this.#s.cancelable; }
  get returnValue() { return !this.#s.canceled; }
  set returnValue(v) { if (!v) cancel(this.#s); }
  preventDefault() { cancel(this.#s); }
  get defaultPrevented() { return this.#s.canceled; }
  get composed() { return this.#s.composed; }
  get timeStamp() { return this.#s.time; }
  initEvent(type, bubbles = false, cancelable = false) {
    needArguments('initEvent', 1, arguments);
    const s = this.#s;
    if (s.dispatching) return;
    Object.assign(s, { type: `${type}`, bubbles: !!bubbles, cancelable: !!cancelable, initialized: true, stop: false, stopNow: false, canceled: false, target: null, trusted: false });
  }
}
function isTrusted() { return stateOf(this).trusted; }
function cancel(s) { if (s.cancelable && !s.passive) s.canceled = true; }
const phases = { NONE: 0, CAPTURING_PHASE: 1, AT_TARGET: 2, BUBBLING_PHASE: 3 };
for (const key of Object.keys(phases)) {
  for (const where of [Event, Event.prototype]) Object.defineProperty(where, key, { value: phases[key], enumerable: true });
}

class CustomEvent extends Event {
  #detail;
  constructor(type, init) {
    needArguments('CustomEvent', 1, arguments);
    super(type, init);
    const d = dictionary(init, 'The event init').detail;
    this.#detail = d === undefined ? null : d;
  }
  get detail() { return this.#detail; }
  initCustomEvent(type, bubbles, cancelable, detail = null) {
    needArguments('initCustomEvent', 1, arguments);
    if (stateOf(this).dispatching) return;
    this.initEvent(type, bubbles, cancelable);
    this.#detail = detail;
  }
}

let innerDispatch, isTarget;
class EventTarget {
  #listeners = new Map(); // arrays by type, replaced instead of changed
  static {
    innerDispatch = (t, e) => t.#dispatch(e);
    isTarget = (v) => v !== null && typeof v === 'object' && #listeners in v;
  }
  addEventListener(type, callback, options) {
    needArguments('addEventListener', 2, arguments);
    const target = self(this);
    let capture = false, once = false, passive = false, signal;
    if (typeof options === 'boolean') capture = options;
    else if (options !== undefined && options !== null && (typeof options === 'object' || typeof options === 'function')) {
      capture = !!options.capture;
      once = !!options.once;
      passive = !!options.passive;
      signal = options.signal;
      if (signal !== undefined && !isSignal(signal)) throw new TypeError("Failed to read the 'signal' property: it is not of type 'AbortSignal'.");
    }
    type = `${type}`;
    if (callback === undefined || callback === null) return;
    if (typeof callback !== 'function' && typeof callback !== 'object') throw new TypeError('The listener is not an object');
    if (signal !== undefined && signal.aborted) return;
    const list = target.#listeners.get(type) || [];
    if (list.some((l) => l.callback === callback && l.capture === capture)) return;
    const l = { callback, capture, once, passive, removed: false, release: null };
    target.#listeners.set(type, [...list, l]);
    if (signal !== undefined) l.release = follow(signal, () => target.#remove(type, l));
  }
  removeEventListener(type, callback, options) {
    needArguments('removeEventListener', 2, arguments);
    const target = self(this);
    const capture = typeof options === 'boolean' ? options : !!(options !== undefined && options !== null && options.capture);
    type = `${type}`;
    const l = (target.#listeners.get(type) || []).find((l) => l.callback === callback && l.capture === capture);
    if (l) target.#remove(type, l);
  }
  dispatchEvent(event) {
    needArguments('dispatchEvent', 1, arguments);
    const target = self(this);
    if (!(event instanceof Event)) throw new TypeError("Failed to execute 'dispatchEvent': parameter 1 is not of type 'Event'.");
    const s = stateOf(event);
    if (s.dispatching || !s.initialized) throw new DOMException('The event is already being dispatched.', 'InvalidStateError');
    s.trusted = false;
    return target.#dispatch(event);
  }
  #remove(type, l) {
    l.removed = true;
    if (l.release) l.release();
    const rest = (this.#listeners.get(type) || []).filter((o) => o !== l);
    if (rest.length) this.#listeners.set(type, rest); else this.#listeners.delete(type);
  }
  #dispatch(event) {
    const s = stateOf(event);
    s.dispatching = true;
    s.target = s.currentTarget = this;
    s.phase = 2;
    const list = this.#listeners.get(s.type) || [];
    for (const capturing of [true, false]) {
      if (s.stop) break;
      for (const l of list) {
        if (l.removed || l.capture !== capturing) continue;
        if (l.once) this.#remove(s.type, l);
        s.passive = l.passive;
        try {
          if (typeof l.callback === 'function') {
            apply(l.callback, this, [event]);
          } else {
            const handle = l.callback.handleEvent;
            if (typeof handle !== 'function') throw new TypeError('The handleEvent of the listener is not a function');
            apply(handle, l.callback, [event]);
          }
        } catch (e) { report(e); }
        s.passive = false;
        if (s.stopNow) break;
      }
    }
    s.dispatching = s.stop = s.stopNow = false;
    s.phase = 0;
    s.currentTarget = null;
    return !s.canceled;
  }
}
function self(v) {
  if (v === undefined || v === null) return globalTarget();
  if (!isTarget(v)) throw new TypeError('Illegal invocation');
  return v;
}
let global;
function globalTarget() { return global || (global = new EventTarget()); }

// An event handler attribute, such as onabort (HTML 8.1.8.1): a listener whose place is kept when it is exchanged.
function handler(proto, name) {
  const held = new WeakMap();
  Object.defineProperty(proto, `on${name}`, {
    get() { const h = held.get(this); return h ? h.fn : null; },
    set(fn) {
      fn = typeof fn === 'function' || (typeof fn === 'object' && fn !== null) ? fn : null;
      const h = held.get(this);
      if (h && fn) { h.fn = fn; return; }
      if (h) { this.removeEventListener(name, h.run); held.delete(this); return; }
      if (!fn) return;
      const fresh = { fn, run: (e) => { if (typeof fresh.fn === 'function' && apply(fresh.fn, this, [e]) === false) e.preventDefault(); } };
      held.set(this, fresh);
      this.addEventListener(name, fresh.run);
    },
    enumerable: true, configurable: true,
  });
}

// A signal that follows others is held by them only as long as it can matter, and a long-lived one does not gather
// those that are over: each dependent is taken out when it is aborted, and a signal that can never abort takes none.
// What remains is what still listens, so sources hold dependents only once somebody listens to these.
let make, abort, follow, isSignal, attach;
const secret = {};
class AbortSignal extends EventTarget {
  #aborted = false;
  #reason = undefined;
  #algorithms = new Set();
  #dependents = new Set();
  #sources = null; // of a dependent signal
  #listening = 0;
  static {
    make = () => new AbortSignal(secret);
    isSignal = (v) => v !== null && typeof v === 'object' && #aborted in v;
    abort = (s, reason) => s.#abort(reason);
    follow = (s, fn) => {
      if (s.aborted) return () => {};
      s.#algorithms.add(fn);
      s.#listen(1);
      return () => { if (s.#algorithms.delete(fn)) s.#listen(-1); };
    };
  }
  constructor(key) {
    if (key !== secret) throw new TypeError('Illegal constructor');
    super();
  }
  static abort(reason) {
    const s = make();
    s.#aborted = true;
    s.#reason = arguments.length === 0 || reason === undefined ? new DOMException('This operation was aborted', 'AbortError') : reason;
    return s;
  }
  static timeout(ms) {
    needArguments('AbortSignal.timeout', 1, arguments);
    const n = Number(ms);
    if (!(n >= 0 && n <= Number.MAX_SAFE_INTEGER)) throw new TypeError('The delay is out of range');
    const s = make();
    later(n, () => s.#abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')));
    return s;
  }
  static any(signals) {
    needArguments('AbortSignal.any', 1, arguments);
    const list = [...signals];
    for (const s of list) if (!isSignal(s)) throw new TypeError("Failed to convert value to 'AbortSignal'.");
    const result = make();
    for (const s of list) {
      if (s.aborted) {
        result.#aborted = true;
        result.#reason = s.reason;
        return result;
      }
    }
    result.#sources = new Set();
    for (const s of list) {
      if (s.#sources) for (const source of s.#sources) result.#sources.add(source);
      else result.#sources.add(s);
    }
    return result;
  }
  get aborted() { this.#look(); return this.#aborted; }
  get reason() { this.#look(); return this.#reason; }
  throwIfAborted() { if (this.aborted) throw this.#reason; }
  addEventListener(type, callback, options) {
    super.addEventListener(type, callback, options);
    if (`${type}` === 'abort') this.#listen(1);
  }
  // A dependent that nobody listens to is not known to its sources: it asks them when it is asked.
  #look() {
    if (this.#aborted || !this.#sources) return;
    for (const s of this.#sources) {
      if (s.#aborted) {
        this.#aborted = true;
        this.#reason = s.#reason;
        this.#detach();
        return;
      }
    }
  }
  #listen(n) {
    const before = this.#listening;
    this.#listening += n;
    if (!this.#sources || this.#aborted) return;
    if (before === 0 && n > 0) for (const s of this.#sources) s.#dependents.add(this);
    if (this.#listening === 0) this.#detach();
  }
  #detach() { if (this.#sources) for (const s of this.#sources) s.#dependents.delete(this); }
  #abort(reason) {
    if (this.#aborted) return;
    this.#mark(reason);
    const dependents = [];
    for (const d of this.#dependents) if (!d.#aborted) { d.#mark(reason); dependents.push(d); }
    this.#dependents.clear();
    this.#run();
    for (const d of dependents) { d.#detach(); d.#run(); }
  }
  #mark(reason) { this.#aborted = true; this.#reason = reason; }
  #run() {
    const algorithms = [...this.#algorithms];
    this.#algorithms.clear();
    for (const fn of algorithms) fn();
    const event = new Event('abort');
    stateOf(event).trusted = true;
    innerDispatch(this, event);
  }
}
handler(AbortSignal.prototype, 'abort');

class AbortController {
  #signal = make();
  get signal() { return this.#signal; }
  abort(reason) { abort(this.#signal, reason === undefined ? new DOMException('This operation was aborted', 'AbortError') : reason); }
}

const classes = { Event, CustomEvent, EventTarget, AbortSignal, AbortController };
for (const name of Object.keys(classes)) {
  const proto = classes[name].prototype;
  for (const key of Object.getOwnPropertyNames(proto)) {
    if (key !== 'constructor') Object.defineProperty(proto, key, { enumerable: true });
  }
  Object.defineProperty(proto, Symbol.toStringTag, { value: name, configurable: true });
}
for (const key of ['abort', 'timeout', 'any']) Object.defineProperty(AbortSignal, key, { enumerable: true });
return { ...classes, follow };
