// performance (High Resolution Time, Performance Timeline, User Timing), and Node's eventLoopUtilization.
const { DOMException } = load('exception');
const { EventTarget } = load('events');
const { expose, needArguments, dictionary } = load('webidl');
const { missing, illegalConstructor, argType, coded, check } = load('nodeerrors');
const now = native.milliseconds, origin = native.timeOrigin();
const secret = {};
const entries = []; // in order of startTime, and of creation where that is equal
const marks = new Map(); // when each name was marked last

class PerformanceEntry {
  #name; #type; #start; #duration; #detail;
  constructor(...args) {
    const [key, name, type, start, duration, detail] = args;
    if (key !== secret) throw illegalConstructor();
    this.#name = name; this.#type = type; this.#start = start; this.#duration = duration; this.#detail = detail;
  }
  get name() { return this.#name; }
  get entryType() { return this.#type; }
  get startTime() { return this.#start; }
  get duration() { return this.#duration; }
  toJSON() {
    const o = { name: this.#name, entryType: this.#type, startTime: this.#start, duration: this.#duration };
    if (this.#detail !== undefined) o.detail = this.#detail;
    return o;
  }
  static detail(e) { return e.#detail; }
}
const detail = PerformanceEntry.detail;
delete PerformanceEntry.detail;
const detailOf = (v) => (v !== undefined && v !== null ? load('clone').structuredClone(v) : null);
function finite(v, what) {
  const n = Number(v);
  if (!Number.isFinite(n)) throw new TypeError(`${what} is not a finite number`);
  return n;
}
class PerformanceMark extends PerformanceEntry {
  constructor(name, options = undefined) {
    if (arguments.length === 0) throw missing('name');
    name = `${name}`;
    if (options !== undefined && options !== null) check.object(options, 'options');
    const o = dictionary(options, 'The options');
    const data = o.detail;
    let start = o.startTime;
    if (start === undefined || start === null) start = now();
    else if (typeof start !== 'number') throw argType('startTime', 'number', start);
    else if (finite(start, 'startTime') < 0) throw timestamp(start);
    super(secret, name, 'mark', start, 0, detailOf(data));
  }
  get detail() { return detail(this); }
}
class PerformanceMeasure extends PerformanceEntry {
  get detail() { return detail(this); }
}
const timestamp = (v) => coded(TypeError, 'ERR_PERFORMANCE_INVALID_TIMESTAMP', `${v} is not a valid timestamp`);
const invalid = (why) => coded(TypeError, 'ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS', why);

function add(entry) {
  let i = entries.length;
  while (i > 0 && entries[i - 1].startTime > entry.startTime) i--;
  entries.splice(i, 0, entry);
  return entry;
}
function time(mark) {
  if (typeof mark === 'number') {
    if (finite(mark, 'The timestamp') < 0) throw timestamp(mark);
    return mark;
  }
  const name = `${mark}`;
  if (!marks.has(name)) throw new DOMException(`The "${name}" performance mark has not been set`, 'SyntaxError');
  return marks.get(name);
}
function span(options, endMark) {
  const { detail: data, duration, end, start } = options;
  if (start !== undefined || end !== undefined || duration !== undefined || data !== undefined) {
    if (endMark !== undefined) throw invalid('endMark must not be specified');
    if (start === undefined && end === undefined) throw invalid('One of options.start or options.end is required');
    if (start !== undefined && end !== undefined && duration !== undefined) throw invalid('Must not have options.start, options.end, and options.duration specified');
  }
  const to = endMark !== undefined ? time(endMark) : end !== undefined ? time(end)
    : start !== undefined && duration !== undefined ? time(start) + time(duration) : now();
  const from = start !== undefined ? time(start) : duration !== undefined && end !== undefined ? to - time(duration) : 0;
  return { from, to, data };
}
function clear(type, name) {
  for (let i = entries.length - 1; i >= 0; i--) {
    if (entries[i].entryType === type && (name === undefined || entries[i].name === name)) entries.splice(i, 1);
  }
}
function utilization(first, second) {
  const minus = (a, b) => {
    const active = a.active - b.active, idle = a.idle - b.idle;
    return { idle, active, utilization: active + idle > 0 ? active / (active + idle) : 0 };
  };
  if (first && second) return minus(first, second);
  const active = native.busy(), total = Math.max(now(), active);
  const current = { idle: total - active, active, utilization: total > 0 ? active / total : 0 };
  return first ? minus(current, first) : current;
}

class Performance extends EventTarget {
  #brand;
  constructor() {
    if (arguments[0] !== secret) throw illegalConstructor();
    super();
  }
  clearMarks(name = undefined) {
    this.#brand;
    if (name === undefined) marks.clear(); else marks.delete(name = `${name}`);
    clear('mark', name);
  }
  clearMeasures(name = undefined) { this.#brand; clear('measure', name === undefined ? name : `${name}`); }
  clearResourceTimings() { this.#brand; }
  getEntries() { this.#brand; return entries.slice(); }
  getEntriesByName(name, type = undefined) {
    this.#brand;
    if (arguments.length === 0) throw missing('name');
    name = `${name}`;
    if (type !== undefined) type = `${type}`;
    return entries.filter((e) => e.name === name && (type === undefined || e.entryType === type));
  }
  getEntriesByType(type) {
    this.#brand;
    if (arguments.length === 0) throw missing('type');
    type = `${type}`;
    return entries.filter((e) => e.entryType === type);
  }
  mark(name, options = {}) {
    this.#brand;
    if (arguments.length === 0) throw missing('name');
    const mark = new PerformanceMark(name, options);
    marks.set(mark.name, mark.startTime);
    return add(mark);
  }
  measure(name, startOrOptions = {}, endMark = undefined) {
    this.#brand;
    if (arguments.length === 0) throw missing('name');
    name = `${name}`;
    const options = startOrOptions !== null && typeof startOrOptions === 'object' ? startOrOptions : { start: startOrOptions === null ? undefined : startOrOptions };
    const { from, to, data } = options === startOrOptions ? span(options, endMark)
      : { to: endMark !== undefined ? time(endMark) : now(), from: options.start === undefined ? 0 : time(options.start) };
    return add(new PerformanceMeasure(secret, name, 'measure', from, to - from, detailOf(data)));
  }
  now() { this.#brand; return now(); }
  setResourceTimingBufferSize(maxSize) { this.#brand; needArguments('setResourceTimingBufferSize', 1, arguments); }
  get timeOrigin() { this.#brand; return origin; }
  toJSON() {
    this.#brand;
    return { timeOrigin: origin, eventLoopUtilization: utilization() };
  }
}
for (const C of [PerformanceEntry, PerformanceMark, PerformanceMeasure, Performance]) expose(C);
Object.defineProperty(Performance.prototype, 'eventLoopUtilization', {
  value: function eventLoopUtilization(first, second) { return utilization(first, second); }, writable: true, configurable: true,
});
for (const C of [PerformanceEntry, PerformanceMark, PerformanceMeasure]) {
  Object.defineProperty(C.prototype, Symbol.for('nodejs.util.inspect.custom'), {
    value(depth, options, inspect) {
      const { name, entryType, startTime, duration } = this;
      const o = C === PerformanceEntry ? { name, entryType, startTime, duration } : { name, entryType, startTime, duration, detail: this.detail };
      return `${this.constructor.name} ${inspect(o, options)}`;
    }, writable: true, configurable: true,
  });
}
return { performance: new Performance(secret), Performance, PerformanceEntry, PerformanceMark, PerformanceMeasure };
