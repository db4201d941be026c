// PerformanceObserver (Performance Timeline 4). Records are delivered in the check phase, as by Node.
const { DOMException } = load('exception');
const { sorted, setObserver } = load('performance');
const { expose, dictionary, show } = load('webidl');
const { missing, illegalConstructor, argType, coded, check } = load('nodeerrors');
const { apply } = Reflect;
const supported = Object.freeze(['mark', 'measure']); // in alphabetical order
const secret = {};

class PerformanceObserverEntryList {
  #entries;
  constructor(...args) {
    if (args[0] !== secret) throw illegalConstructor();
    this.#entries = args[1].sort((a, b) => a.startTime - b.startTime);
  }
  getEntries() { return this.#entries.slice(); }
  getEntriesByType(type) {
    this.#entries;
    if (arguments.length === 0) throw missing('type');
    type = `${type}`;
    return this.#entries.filter((e) => e.entryType === type);
  }
  getEntriesByName(name, type = undefined) {
    this.#entries;
    if (arguments.length === 0) throw missing('name');
    name = `${name}`;
    if (type !== undefined) type = `${type}`;
    return this.#entries.filter((e) => e.name === name && (type === undefined || e.entryType === type));
  }
}

const observers = new Set();
let scheduled = false;
function schedule() {
  if (scheduled) return;
  scheduled = true;
  native.soon(() => {
    scheduled = false;
    for (const o of [...observers]) deliver(o);
  });
}
setObserver((entry) => { for (const o of observers) offer(o, entry); });

let deliver, offer;
class PerformanceObserver {
  #callback;
  #mode; // undefined, 'multiple' or 'single': how observe was called first
  #types = new Set();
  #buffer = [];
  #fresh = false; // the next callback tells how many entries were dropped: none ever is
  static {
    offer = (o, entry) => {
      if (!o.#types.has(entry.entryType)) return;
      o.#buffer.push(entry);
      schedule();
    };
    deliver = (o) => {
      if (o.#buffer.length === 0) return;
      const options = o.#fresh ? { droppedEntriesCount: 0 } : {};
      o.#fresh = false;
      try {
        apply(o.#callback, o, [new PerformanceObserverEntryList(secret, o.takeRecords()), o, options]);
      } catch (e) { native.report(e); }
    };
  }
  constructor(callback) {
    check.func(callback, 'callback');
    this.#callback = callback;
  }
  observe(options = {}) {
    this.#types;
    const { buffered, entryTypes, type } = dictionary(options, 'The options');
    const list = entryTypes === undefined ? undefined : sequence(entryTypes), one = type === undefined ? undefined : `${type}`;
    if (list === undefined && one === undefined) throw missing('options.entryTypes', 'options.type');
    if (list !== undefined && (one !== undefined || buffered !== undefined)) {
      throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', `options.entryTypes can not be set together with options.${one !== undefined ? 'type' : 'buffered'}`);
    }
    const mode = list !== undefined ? 'multiple' : 'single';
    if (this.#mode === undefined) this.#mode = mode;
    if (this.#mode !== mode) throw new DOMException(`PerformanceObserver can not change to ${mode} observation${mode === 'multiple' ? 's' : ''}`, 'InvalidModificationError');
    this.#fresh = true;
    const known = (list || [one]).filter((t) => supported.includes(t));
    if (known.length === 0) return;
    if (list !== undefined) this.#types.clear();
    for (const t of known) this.#types.add(t);
    observers.add(this);
    if (buffered) for (const e of sorted()) if (e.entryType === one) offer(this, e);
  }
  disconnect() {
    this.#types.clear();
    this.#buffer = [];
    this.#mode = undefined;
    observers.delete(this);
  }
  takeRecords() {
    const records = this.#buffer;
    this.#buffer = [];
    return records;
  }
  static get supportedEntryTypes() { return supported; }
  static state(o) {
    return { connected: observers.has(o), pending: o.#buffer.length > 0, entryTypes: [...o.#types], buffer: o.#buffer.slice() };
  }
}
const { state } = PerformanceObserver;
delete PerformanceObserver.state;
function sequence(v) {
  if (v === null || (typeof v !== 'object' && typeof v !== 'function') || typeof v[Symbol.iterator] !== 'function') throw argType('options.entryTypes', 'string[]', v);
  return Array.from(v, (type) => `${type}`);
}
expose(PerformanceObserver, ['supportedEntryTypes']);
expose(PerformanceObserverEntryList);
show(PerformanceObserver, state, (o) => o);
show(PerformanceObserverEntryList, (l) => l.getEntries(), (l) => l);
return { PerformanceObserver, PerformanceObserverEntryList };
