// Event and CustomEvent (DOM 2.2 to 2.4).
const { expose, constants, needArguments, dictionary, show } = load('webidl');
const now = native.milliseconds;

// The state of an event that its target changes. Only files of lib can reach it.
let stateOf, isEvent;
class Event {
  #s;
  static {
    stateOf = (e) => e.#s;
    isEvent = (v) => v !== null && typeof v === 'object' && #s in v;
  }
  constructor(type, init = undefined) {
    needArguments('Event', 1, arguments);
    type = `${type}`;
    const o = dictionary(init, 'The event init');
    this.#s = {
      bubbles: !!o.bubbles, cancelable: !!o.cancelable, composed: !!o.composed, type,
      target: null, currentTarget: null, phase: 0, stop: false, stopNow: false, canceled: false, passive: false,
      dispatching: false, initialized: true, time: now(), trusted: false,
    };
    Object.defineProperty(this, 'isTrusted', { get: trusted, enumerable: true });
  }
  get type() { return this.#s.type; }
  get target() { return this.#s.target; }
  get srcElement() { return this.#s.target; }
  get currentTarget() { return this.#s.currentTarget; }
  composedPath() { return this.#s.dispatching ? [this.#s.currentTarget] : []; }
  get eventPhase() { return this.#s.phase; }
  stopPropagation() { this.#s.stop = true; }
  get cancelBubble() { return this.#s.stop; }
  set cancelBubble(v) { const s = this.#s; if (v) s.stop = true; }
  stopImmediatePropagation() { this.#s.stop = this.#s.stopNow = true; }
  get bubbles() { return this.#s.bubbles; }
  get cancelable() { return this.#s.cancelable; }
  get returnValue() { return !this.#s.canceled; }
  set returnValue(v) { const s = this.#s; if (!v) cancel(s); }
  preventDefault() { cancel(this.#s); }
  get defaultPrevented() { return this.#s.canceled; }
  get composed() { return this.#s.composed; }
  get timeStamp() { return this.#s.time; }
  initEvent(type, bubbles = false, cancelable = false) {
    const s = this.#s;
    needArguments('initEvent', 1, arguments);
    type = `${type}`;
    if (s.dispatching) return;
    Object.assign(s, {
      type, bubbles: !!bubbles, cancelable: !!cancelable, initialized: true, stop: false, stopNow: false,
      canceled: false, target: null, trusted: false,
    });
  }
}
const trusted = Object.getOwnPropertyDescriptor({ get isTrusted() { return stateOf(this).trusted; } }, 'isTrusted').get;
function cancel(s) { if (s.cancelable && !s.passive) s.canceled = true; }
expose(Event);
constants(Event, { NONE: 0, CAPTURING_PHASE: 1, AT_TARGET: 2, BUBBLING_PHASE: 3 });
show(Event, (e) => ({ type: e.type, defaultPrevented: e.defaultPrevented, cancelable: e.cancelable, timeStamp: e.timeStamp }));

class CustomEvent extends Event {
  #detail;
  constructor(type, init = undefined) {
    needArguments('CustomEvent', 1, arguments);
    super(type, init);
    const { detail } = dictionary(init, 'The event init');
    this.#detail = detail === undefined ? null : detail;
  }
  get detail() { return this.#detail; }
  initCustomEvent(type, bubbles = false, cancelable = false, detail = null) {
    this.#detail; // a brand check
    needArguments('initCustomEvent', 1, arguments);
    type = `${type}`;
    if (stateOf(this).dispatching) return;
    Event.prototype.initEvent.call(this, type, bubbles, cancelable);
    this.#detail = detail;
  }
}
expose(CustomEvent);
return { Event, CustomEvent, stateOf, isEvent };
