// performance (High Resolution Time, Performance Timeline, User Timing), and Node's eventLoopUtilization.
const { DOMException } = load('exception');
const now = native.milliseconds;
const origin = native.timeOrigin();
const secret = {};
const entries = [];

class PerformanceEntry {
  #name; #type; #start; #duration;
  constructor(key, name, type, start, duration) {
    if (key !== secret) throw new TypeError('Illegal constructor');
    this.#name = name; this.#type = type; this.#start = start; this.#duration = duration;
  }
  get name() { return this.#name; }
  get entryType() { return this.#type; }
  get startTime() { return this.#start; }
  get duration() { return this.#duration; }
  toJSON() { return { name: this.name, entryType: this.entryType, startTime: this.startTime, duration: this.duration, ...(this.detail === undefined ? {} : { detail: this.detail }) }; }
  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) { return `${this.constructor.name} ${inspect({ ...PerformanceEntry.prototype.toJSON.call(this) }, options)}`; }
}
const detailOf = (options) => (options && options.detail !== undefined && options.detail !== null ? load('clone').structuredClone(options.detail) : null);
class PerformanceMark extends PerformanceEntry {
  #detail;
  constructor(name, options) {
    if (arguments.length === 0) throw new TypeError('The "name" argument must be specified');
    const start = options && options.startTime !== undefined ? Number(options.startTime) : now();
    if (!(start >= 0)) throw new TypeError('The startTime must not be negative');
    super(secret, `${name}`, 'mark', start, 0);
    this.#detail = detailOf(options);
  }
  get detail() { return this.#detail; }
}
class PerformanceMeasure extends PerformanceEntry {
  #detail;
  constructor(key, name, start, duration, detail) { super(key, name, 'measure', start, duration); this.#detail = detail; }
  get detail() { return this.#detail; }
}

// sooner finds the place of an entry: they are in order of time, and of creation where that is equal.
function add(entry) {
  let i = entries.length;
  while (i > 0 && entries[i - 1].startTime > entry.startTime) i--;
  entries.splice(i, 0, entry);
  return entry;
}
function time(mark) {
  if (typeof mark === 'number') {
    if (mark < 0) throw new TypeError('A timestamp must not be negative');
    return mark;
  }
  const name = `${mark}`;
  for (let i = entries.length - 1; i >= 0; i--) if (entries[i].name === name && entries[i].entryType === 'mark') return entries[i].startTime;
  throw new DOMException(`The "${name}" performance mark has not been set`, 'SyntaxError');
}
const clear = (type, name) => {
  for (let i = entries.length - 1; i >= 0; i--) if (entries[i].entryType === type && (name === undefined || entries[i].name === `${name}`)) entries.splice(i, 1);
};

class Performance extends load('events').EventTarget {
  constructor(key) {
    if (key !== secret) throw new TypeError('Illegal constructor');
    super();
  }
  now() { return now(); }
  get timeOrigin() { return origin; }
  mark(name, options) { return add(new PerformanceMark(...arguments)); }
  measure(name, startOrOptions, endMark) {
    if (arguments.length === 0) throw new TypeError('The "name" argument must be specified');
    let start = 0, end, detail = null;
    if (startOrOptions !== null && typeof startOrOptions === 'object') {
      const o = startOrOptions;
      const has = (k) => o[k] !== undefined;
      if (has('start') || has('end') || has('duration') || has('detail')) {
        if (endMark !== undefined) throw new TypeError('endMark must not be specified with options');
        if (!has('start') && !has('end')) throw new TypeError('One of options.start and options.end must be specified');
        if (has('start') && has('end') && has('duration')) throw new TypeError('options.start, options.end and options.duration must not all be specified');
      }
      end = has('end') ? time(o.end) : has('start') && has('duration') ? time(o.start) + Number(o.duration) : now();
      start = has('start') ? time(o.start) : has('duration') && has('end') ? time(o.end) - Number(o.duration) : 0;
      detail = detailOf(o);
    } else {
      end = endMark !== undefined ? time(endMark) : now();
      start = startOrOptions !== undefined ? time(startOrOptions) : 0;
    }
    return add(new PerformanceMeasure(secret, `${name}`, start, end - start, detail));
  }
  clearMarks(name) { clear('mark', name); }
  clearMeasures(name) { clear('measure', name); }
  getEntries() { return entries.slice(); }
  getEntriesByType(type) { return entries.filter((e) => e.entryType === `${type}`); }
  getEntriesByName(name, type) { return entries.filter((e) => e.name === `${name}` && (type === undefined || e.entryType === `${type}`)); }
  toJSON() { return { timeOrigin: origin }; }
  eventLoopUtilization(first, second) {
    const minus = (a, b) => {
      const active = a.active - b.active, idle = a.idle - b.idle;
      return { idle, active, utilization: active + idle > 0 ? active / (active + idle) : 0 };
    };
    if (first && second) return minus(first, second);
    const active = native.busy(), total = Math.max(now(), active);
    const current = { idle: total - active, active, utilization: total > 0 ? active / total : 0 };
    return first ? minus(current, first) : current;
  }
}
for (const c of [PerformanceEntry, PerformanceMark, PerformanceMeasure, Performance]) Object.defineProperty(c.prototype, Symbol.toStringTag, { value: c.name, configurable: true });
return { performance: new Performance(secret), Performance, PerformanceEntry, PerformanceMark, PerformanceMeasure };
