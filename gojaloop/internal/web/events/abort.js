// AbortController and AbortSignal (DOM 3).
const { DOMException } = load('exception');
const { Event, trust } = load('event');
const { EventTarget, innerDispatch, watch, countOf, handler, setSignals } = load('events');
const { expose, needArguments, integer, show } = load('webidl');
const { illegalConstructor, argType } = load('nodeerrors');
const later = native.later;

// A signal that follows others is held by them only as long as it can matter, so that a long-lived one does not gather
// those that are over: its sources know a dependent only while somebody listens to that, and forget it when it is
// aborted.
let make, abort, follow, isSignal, attach;
const secret = {};
let made = 0; // dependent signals
class AbortSignal extends EventTarget {
  #aborted = false;
  #reason = undefined;
  #algorithms = new Set();
  #dependents = new Set();
  #sources = null; // of a dependent signal
  #attached = false; // the sources know of it
  #running = null; // while it aborts, the dependents whose events follow its own
  #order = 0; // of a dependent signal: those made first are aborted first, whenever they were attached
  static {
    make = () => new AbortSignal(secret);
    isSignal = (v) => v !== null && typeof v === 'object' && #aborted in v;
    abort = (s, reason) => s.#abort(reason);
    follow = (s, fn) => {
      s.#look();
      if (s.#aborted) return () => {};
      s.#algorithms.add(fn);
      s.#listen();
      return () => { if (s.#algorithms.delete(fn)) s.#listen(); };
    };
    // attach calls fn with the reason when a signal is aborted, now or later, and returns a function that ends that.
    attach = (s, fn) => {
      s.#look();
      if (!s.#aborted) return follow(s, () => fn(s.#reason));
      fn(s.#reason);
      return () => {};
    };
  }
  constructor() {
    if (arguments[0] !== secret) throw illegalConstructor();
    super();
    watch(this, () => this.#listen());
  }
  static abort(reason = undefined) {
    const s = make();
    s.#mark(reason === undefined ? new DOMException('This operation was aborted', 'AbortError') : reason);
    return s;
  }
  static timeout(milliseconds) {
    needArguments('timeout', 1, arguments);
    const n = integer(milliseconds, Number.MAX_SAFE_INTEGER, 'The delay');
    const s = make();
    later(n, () => s.#abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')));
    return s;
  }
  static any(signals) {
    needArguments('any', 1, arguments);
    if (signals === null || (typeof signals !== 'object' && typeof signals !== 'function') || typeof signals[Symbol.iterator] !== 'function') throw argType('signals', 'Array', signals);
    const list = [...signals];
    list.forEach((s, i) => { if (!isSignal(s)) throw argType(`signals[${i}]`, 'AbortSignal', s); });
    const result = make();
    for (const s of list) {
      if (!s.aborted) continue;
      result.#mark(s.reason);
      return result;
    }
    result.#sources = new Set();
    result.#order = ++made;
    for (const s of list) {
      if (s.#sources) for (const source of s.#sources) result.#sources.add(source);
      else result.#sources.add(s);
    }
    return result;
  }
  get aborted() { this.#look(); return this.#aborted; }
  get reason() { this.#look(); return this.#reason; }
  throwIfAborted() { this.#look(); if (this.#aborted) throw this.#reason; }
  // A dependent that nobody listens to is not known to its sources: it asks them when it is asked.
  #look() {
    if (this.#aborted || !this.#sources) return;
    for (const s of this.#sources) {
      if (!s.#aborted) continue;
      this.#mark(s.#reason);
      if (s.#running) s.#running.push(this); // its event is still to come
      return;
    }
  }
  #listen() {
    this.#look();
    if (!this.#sources || this.#aborted) return;
    const wanted = this.#algorithms.size > 0 || countOf(this, 'abort') > 0;
    if (wanted === this.#attached) return;
    this.#attached = wanted;
    for (const s of this.#sources) if (wanted) s.#dependents.add(this); else s.#dependents.delete(this);
  }
  #abort(reason) {
    if (this.#aborted) return;
    const dependents = this.#running = [...this.#dependents].filter((d) => !d.#aborted).sort((a, b) => a.#order - b.#order);
    this.#mark(reason);
    for (const d of dependents) d.#mark(reason);
    this.#dependents.clear();
    this.#run();
    for (const d of dependents) d.#run();
    this.#running = null;
  }
  #mark(reason) {
    this.#aborted = true;
    this.#reason = reason;
    if (this.#attached) for (const s of this.#sources) s.#dependents.delete(this);
    this.#attached = false;
    this.#sources = null;
  }
  #run() {
    const algorithms = [...this.#algorithms];
    this.#algorithms.clear();
    for (const fn of algorithms) fn();
    const event = new Event('abort');
    trust(event, true);
    innerDispatch(this, event);
  }
}
handler(AbortSignal.prototype, 'abort', isSignal);
setSignals(follow, isSignal);

class AbortController {
  #signal = make();
  get signal() { return this.#signal; }
  abort(reason = undefined) {
    abort(this.#signal, reason === undefined ? new DOMException('This operation was aborted', 'AbortError') : reason);
  }
}
expose(AbortSignal, ['abort', 'timeout', 'any']);
expose(AbortController);
show(AbortSignal, (s) => ({ aborted: s.aborted }));
show(AbortController, (c) => ({ signal: c.signal }));
return { AbortSignal, AbortController, follow, isSignal, attach };
