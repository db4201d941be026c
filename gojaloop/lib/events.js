// EventTarget (DOM 2.7).
const { DOMException } = load('exception');
const { stateOf, isEvent } = load('event');
const { expose, needArguments, show } = load('webidl');
const { argType, invalidThis } = load('nodeerrors');
const apply = Reflect.apply;
const report = native.report;
const isObject = (v) => (typeof v === 'object' && v !== null) || typeof v === 'function';

// What AbortSignal, made later, needs of listeners and they of it.
let follow = null, isSignal = () => false;
function setSignals(f, is) { follow = f; isSignal = is; }

let innerDispatch, isTarget, watch, countOf, listenersOf;
class EventTarget {
  #listeners = new Map(); // by type, for each pass of a dispatch, by callback
  #made = 0;
  #watcher = null; // hears that listeners have come or gone
  static {
    innerDispatch = (t, e) => t.#dispatch(e);
    isTarget = (v) => v !== null && typeof v === 'object' && #listeners in v;
    watch = (t, fn) => { t.#watcher = fn; };
    const both = (t, type) => { const of = t.#listeners.get(type); return of === undefined ? [] : [...of.capture.values(), ...of.bubble.values()]; };
    countOf = (t, type) => { const of = t.#listeners.get(type); return of === undefined ? 0 : of.capture.size + of.bubble.size; };
    listenersOf = (t, type) => both(t, type).sort((a, b) => a.order - b.order).map((l) => l.callback);
  }
  addEventListener(type, callback, options = undefined) {
    const target = self(this);
    needArguments('addEventListener', 2, arguments);
    type = `${type}`;
    checkCallback(callback);
    let capture = false, once = false, passive = false, signal;
    if (isObject(options)) {
      capture = !!options.capture;
      once = !!options.once;
      passive = !!options.passive;
      signal = options.signal;
      if (signal !== undefined && !isSignal(signal)) throw new TypeError("Failed to read the 'signal' property: it is not of type 'AbortSignal'.");
    } else {
      capture = !!options;
    }
    if (callback === undefined || callback === null || (signal !== undefined && signal.aborted)) return;
    let of = target.#listeners.get(type);
    if (of === undefined) target.#listeners.set(type, of = { capture: new Map(), bubble: new Map() });
    const pass = capture ? of.capture : of.bubble;
    if (pass.has(callback)) return;
    const l = { callback, pass, once, passive, removed: false, release: null, order: ++target.#made };
    pass.set(callback, l);
    if (signal !== undefined) l.release = follow(signal, () => target.#remove(type, l));
    if (target.#watcher !== null) target.#watcher();
  }
  removeEventListener(type, callback, options = undefined) {
    const target = self(this);
    needArguments('removeEventListener', 2, arguments);
    type = `${type}`;
    checkCallback(callback);
    const capture = isObject(options) ? !!options.capture : !!options;
    const of = target.#listeners.get(type);
    const l = of === undefined ? undefined : (capture ? of.capture : of.bubble).get(callback);
    if (l !== undefined) target.#remove(type, l);
  }
  dispatchEvent(event) {
    const target = self(this);
    needArguments('dispatchEvent', 1, arguments);
    if (!isEvent(event)) throw new TypeError("Failed to execute 'dispatchEvent': parameter 1 is not of type 'Event'.");
    const s = stateOf(event);
    if (s.dispatching || !s.initialized) throw new DOMException('The event is already being dispatched.', 'InvalidStateError');
    s.trusted = false;
    return target.#dispatch(event);
  }
  #remove(type, l) {
    if (l.removed) return;
    l.removed = true;
    if (l.release) l.release();
    l.pass.delete(l.callback);
    const of = this.#listeners.get(type);
    if (of.capture.size + of.bubble.size === 0) this.#listeners.delete(type);
    if (this.#watcher !== null) this.#watcher();
  }
  #dispatch(event) {
    const s = stateOf(event);
    s.dispatching = true;
    s.target = s.currentTarget = this;
    s.phase = 2;
    for (const capturing of [true, false]) {
      if (s.stop) break;
      // Listeners that a capturing listener adds for the bubbling pass are invoked; those that are added in their own pass are not.
      const of = this.#listeners.get(s.type), last = this.#made;
      if (of === undefined) break;
      for (const l of (capturing ? of.capture : of.bubble).values()) {
        if (l.order > last) break;
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
function checkCallback(v) {
  if (v === undefined || v === null || isObject(v)) return;
  throw argType('listener', 'EventListener', v);
}
function self(v) {
  if (!isTarget(v)) throw invalidThis('EventTarget'); // the global object, which undefined stands for, is none either
  return v;
}
expose(EventTarget);
const { addEventListener, removeEventListener } = EventTarget.prototype;
show(EventTarget, () => ({}));

// handler defines an event handler attribute, such as onabort (HTML 8.1.8.1): a listener whose place is kept when it is
// exchanged. is tells the interface's objects.
function handler(proto, name, is) {
  const held = new WeakMap();
  const key = `on${name}`;
  const mine = (v) => { if (!is(v)) throw invalidThis(proto.constructor.name); return v; };
  const attribute = {
    get [key]() { const h = held.get(mine(this)); return h ? h.fn : null; },
    set [key](fn) {
      mine(this);
      fn = isObject(fn) ? fn : null;
      const h = held.get(this);
      if (h && fn) { h.fn = fn; return; }
      if (h) { apply(removeEventListener, this, [name, h.run]); held.delete(this); return; }
      if (!fn) return;
      const fresh = { fn, run: (e) => { if (typeof fresh.fn === 'function' && apply(fresh.fn, this, [e]) === false) e.preventDefault(); } };
      held.set(this, fresh);
      apply(addEventListener, this, [name, fresh.run]);
    },
  };
  Object.defineProperty(proto, key, Object.getOwnPropertyDescriptor(attribute, key));
}
return { EventTarget, innerDispatch, isTarget, watch, countOf, listenersOf, handler, setSignals };
