// Event and CustomEvent (DOM 2.2 to 2.4).
const { expose, constants, needArguments, dictionary, show } = load('webidl');
const now = native.milliseconds;
const { apply } = Reflect, { defineProperty } = Object;

// What a target does with an event. Only files of lib can do it.
let isEvent, invoke, trust, isDispatching, trusted;
const none = [];
const argument = [undefined]; // of the call of a listener, which begins with a copy
// listOf gives the listeners of a pass as a list that does not change.
const listOf = (pass) => pass.list ??= pass.map.size === 0 ? none : [...pass.map.values()];
class Event {
  #type; #bubbles; #cancelable; #composed;
  #target = null; #currentTarget = null; #phase = 0;
  #stop = false; #stopNow = false; #canceled = false; #passive = false;
  #dispatching = false; #initialized = true; #trusted = false;
  #time = now();
  static {
    isEvent = (v) => v !== null && typeof v === 'object' && #phase in v;
    isDispatching = (e) => e.#dispatching || !e.#initialized;
    trust = (e, trusted) => { e.#trusted = trusted; };
    trusted = function isTrusted() { return this.#trusted; };
    // invoke has the listeners of a target hear of an event, and reports whether nobody has cancelled it. lists gives the
    // listeners of a type, and a pass has those that were there when it began; remove takes one off.
    invoke = (e, target, lists, remove, report) => {
      let of = lists(target, e.#type);
      if (of === undefined || e.#stop) { // an event may be stopped before
        e.#target = target;
        e.#stop = e.#stopNow = false;
        return !e.#canceled;
      }
      e.#dispatching = true;
      e.#target = e.#currentTarget = target;
      e.#phase = 2;
      let list = listOf(of.capture);
      for (let pass = 0; ; pass++) {
        for (let i = 0; i < list.length && !e.#stopNow; i++) {
          const l = list[i];
          if (l.removed) continue;
          if (l.once) remove(target, e.#type, l);
          if (l.passive) e.#passive = true;
          const { callback } = l;
          argument[0] = e;
          try {
            if (typeof callback === 'function') {
              apply(callback, target, argument);
            } else {
              const handle = callback.handleEvent;
              if (typeof handle !== 'function') throw new TypeError('The handleEvent of the listener is not a function');
              argument[0] = e; // the property may have been a getter, which has dispatched another
              apply(handle, callback, argument);
            }
          } catch (error) { report(error); }
          e.#passive = false;
        }
        if (pass === 1 || e.#stop) break;
        if (list.length > 0) of = lists(target, e.#type); // listeners of the first pass may have exchanged it
        list = of === undefined ? none : listOf(of.bubble);
      }
      argument[0] = undefined;
      e.#dispatching = e.#stop = e.#stopNow = false;
      e.#phase = 0;
      e.#currentTarget = null;
      return !e.#canceled;
    };
  }
  // A list of arguments costs the engine a fifth of what the object arguments does.
  constructor(...args) {
    const type = args[0], init = args[1];
    if (type === undefined) needArguments('Event', 1, args);
    this.#type = typeof type === 'string' ? type : `${type}`;
    const o = init === undefined ? nothing : dictionary(init, 'The event init');
    this.#bubbles = !!o.bubbles;
    this.#cancelable = !!o.cancelable;
    this.#composed = !!o.composed;
    defineProperty(this, 'isTrusted', isTrusted);
  }
  get type() { return this.#type; }
  get target() { return this.#target; }
  get srcElement() { return this.#target; }
  get currentTarget() { return this.#currentTarget; }
  composedPath() { return this.#dispatching ? [this.#currentTarget] : []; }
  get eventPhase() { return this.#phase; }
  stopPropagation() { this.#stop = true; }
  get cancelBubble() { return this.#stop; }
  set cancelBubble(v) { if (v) this.#stop = true; else this.#stop; }
  stopImmediatePropagation() { this.#stop = this.#stopNow = true; }
  get bubbles() { return this.#bubbles; }
  get cancelable() { return this.#cancelable; }
  get returnValue() { return !this.#canceled; }
  set returnValue(v) { if (!v) this.#cancel(); else this.#canceled; }
  preventDefault() { this.#cancel(); }
  get defaultPrevented() { return this.#canceled; }
  get composed() { return this.#composed; }
  get timeStamp() { return this.#time; }
  initEvent(type, bubbles = false, cancelable = false) {
    this.#phase; // a brand check
    needArguments('initEvent', 1, arguments);
    type = `${type}`;
    if (this.#dispatching) return;
    this.#type = type;
    this.#bubbles = !!bubbles;
    this.#cancelable = !!cancelable;
    this.#initialized = true;
    this.#stop = this.#stopNow = this.#canceled = this.#trusted = false;
    this.#target = null;
  }
  #cancel() { if (this.#cancelable && !this.#passive) this.#canceled = true; }
}
const nothing = Object.create(null);
const { get } = Object.getOwnPropertyDescriptor({ get isTrusted() { return apply(trusted, this, []); } }, 'isTrusted');
const isTrusted = Object.assign(Object.create(null), { get, enumerable: true });
defineProperty(Event, 'length', { __proto__: null, value: 1 });
expose(Event);
constants(Event, { NONE: 0, CAPTURING_PHASE: 1, AT_TARGET: 2, BUBBLING_PHASE: 3 });
show(Event, (e) => ({ type: e.type, defaultPrevented: e.defaultPrevented, cancelable: e.cancelable, timeStamp: e.timeStamp }));

class CustomEvent extends Event {
  #detail;
  constructor(...args) {
    const type = args[0], init = args[1];
    if (type === undefined) needArguments('CustomEvent', 1, args);
    super(type, init);
    const { detail } = dictionary(init, 'The event init');
    this.#detail = detail === undefined ? null : detail;
  }
  get detail() { return this.#detail; }
  initCustomEvent(type, bubbles = false, cancelable = false, detail = null) {
    this.#detail; // a brand check
    needArguments('initCustomEvent', 1, arguments);
    type = `${type}`;
    if (isDispatching(this)) return;
    Event.prototype.initEvent.call(this, type, bubbles, cancelable);
    this.#detail = detail;
  }
}
defineProperty(CustomEvent, 'length', { __proto__: null, value: 1 });
expose(CustomEvent);
return { Event, CustomEvent, isEvent, isDispatching, invoke, trust };
