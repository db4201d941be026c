// EventTarget (DOM 2.7).
const { DOMException } = load('exception');
const { isEvent, isDispatching, invoke, trust } = load('event');
const { expose, needArguments, show } = load('webidl');
const { argType, invalidThis } = load('nodeerrors');
const { apply } = Reflect;
const report = native.report;
const isObject = (v) => (typeof v === 'object' && v !== null) || typeof v === 'function';

// What AbortSignal, made later, needs of listeners and they of it.
let follow = null, isSignal = () => false;
function setSignals(f, is) { follow = f; isSignal = is; }

let listsOf, removeFrom, innerDispatch, isTarget, watch, countOf, listenersOf;
class EventTarget {
  #listeners = new Map(); // by type, for each pass of a dispatch, by callback; and as the list that the pass goes through, when it has been asked for
  #made = 0;
  #watcher = null; // hears that listeners have come or gone
  static {
    listsOf = (t, type) => t.#listeners.get(type);
    removeFrom = (t, type, l) => t.#remove(type, l);
    innerDispatch = (t, e) => t.#dispatch(e);
    isTarget = (v) => v !== null && typeof v === 'object' && #listeners in v;
    watch = (t, fn) => { t.#watcher = fn; };
    const both = (t, type) => { const of = t.#listeners.get(type); return of === undefined ? [] : [...of.capture.map.values(), ...of.bubble.map.values()]; };
    countOf = (t, type) => { const of = t.#listeners.get(type); return of === undefined ? 0 : of.capture.map.size + of.bubble.map.size; };
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
    if (of === undefined) target.#listeners.set(type, of = { capture: { map: new Map(), list: null }, bubble: { map: new Map(), list: null } });
    const pass = capture ? of.capture : of.bubble;
    if (pass.map.has(callback)) return;
    const l = { callback, pass, once, passive, removed: false, release: null, order: ++target.#made };
    pass.map.set(callback, l);
    pass.list = null;
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
    const l = of === undefined ? undefined : (capture ? of.capture : of.bubble).map.get(callback);
    if (l !== undefined) target.#remove(type, l);
  }
  dispatchEvent(...args) {
    const target = self(this), event = args[0];
    if (event === undefined) needArguments('dispatchEvent', 1, args);
    if (!isEvent(event)) throw new TypeError("Failed to execute 'dispatchEvent': parameter 1 is not of type 'Event'.");
    if (isDispatching(event)) throw new DOMException('The event is already being dispatched.', 'InvalidStateError');
    trust(event, false);
    return target.#dispatch(event);
  }
  #remove(type, l) {
    if (l.removed) return;
    l.removed = true;
    if (l.release) l.release();
    l.pass.map.delete(l.callback);
    l.pass.list = null;
    const of = this.#listeners.get(type);
    if (of.capture.map.size + of.bubble.map.size === 0) this.#listeners.delete(type);
    if (this.#watcher !== null) this.#watcher();
  }
  #dispatch(event) { return invoke(event, this, listsOf, removeFrom, report); }
}
function checkCallback(v) {
  if (v === undefined || v === null || isObject(v)) return;
  throw argType('listener', 'EventListener', v);
}
function self(v) {
  if (!isTarget(v)) throw invalidThis('EventTarget'); // the global object, which undefined stands for, is none either
  return v;
}
Object.defineProperty(EventTarget.prototype.dispatchEvent, 'length', { __proto__: null, value: 1 });
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
  Object.defineProperty(proto, key, { __proto__: null, ...Object.getOwnPropertyDescriptor(attribute, key) });
}
return { EventTarget, innerDispatch, isTarget, watch, countOf, listenersOf, handler, setSignals };
