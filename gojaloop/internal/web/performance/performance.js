// performance (High Resolution Time, Performance Timeline, User Timing), and Node's eventLoopUtilization.
const { DOMException } = load('exception');
const { EventTarget } = load('events');
const { expose, needArguments, dictionary, show } = load('webidl');
const { missing, illegalConstructor, coded } = load('nodeerrors');
const now = native.milliseconds, origin = native.timeOrigin();
const secret = {};
let entries = []; // in order of creation, or as sorted makes it
let inOrder = true;
// sorted puts entries in order of startTime, and of creation where that is equal. To keep them so would take time for each.
function sorted() {
  if (!inOrder) entries.sort((a, b) => a.startTime - b.startTime);
  inOrder = true;
  return entries;
}
const marks = new Map(); // when each name was marked last

let observer = null; // hears of entries: see observer.js
function setObserver(fn) { observer = fn; }

class PerformanceEntry {
  #name; #type; #start; #duration;
  constructor(...args) {
    const [key, name, type, start, duration] = args;
    if (key !== secret) throw illegalConstructor();
    this.#name = name; this.#type = type; this.#start = start; this.#duration = duration;
  }
  get name() { return this.#name; }
  get entryType() { return this.#type; }
  get startTime() { return this.#start; }
  get duration() { return this.#duration; }
  toJSON() {
    const o = { name: this.#name, entryType: this.#type, startTime: this.#start, duration: this.#duration };
    if (this.#type === 'mark' || this.#type === 'measure') o.detail = this.detail;
    return o;
  }
}
const detailOf = (v) => (v !== undefined && v !== null ? load('clone').structuredClone(v) : null);
// timestamp converts to a DOMHighResTimeStamp that is no time before the origin.
function timestamp(v, what) {
  const n = +v;
  if (!Number.isFinite(n)) throw coded(TypeError, 'ERR_INVALID_ARG_TYPE', `${what} is not a finite number`);
  if (n < 0) throw coded(TypeError, 'ERR_PERFORMANCE_INVALID_TIMESTAMP', `${v} is not a valid timestamp`);
  return n;
}
class PerformanceMark extends PerformanceEntry {
  #detail;
  constructor(name, options = undefined) {
    if (arguments.length === 0) throw missing('name');
    name = `${name}`;
    const o = dictionary(options, 'The options');
    const data = o.detail, start = o.startTime;
    super(secret, name, 'mark', start === undefined ? now() : timestamp(start, 'startTime'), 0);
    this.#detail = detailOf(data);
  }
  get detail() { return this.#detail; }
}
class PerformanceMeasure extends PerformanceEntry {
  #detail;
  constructor(...args) {
    super(...args);
    this.#detail = args[5];
  }
  get detail() { return this.#detail; }
}
const invalid = (why) => coded(TypeError, 'ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS', why);

function add(entry) {
  const n = entries.length;
  if (n > 0 && entries[n - 1].startTime > entry.startTime) inOrder = false;
  entries.push(entry);
  if (observer !== null) observer(entry);
  return entry;
}
// time is the standard's "convert a mark to a timestamp".
function time(mark) {
  if (typeof mark === 'number') return timestamp(mark, 'The timestamp');
  if (!marks.has(mark)) throw new DOMException(`The "${mark}" performance mark has not been set`, 'SyntaxError');
  return marks.get(mark);
}
const markOrTime = (v) => (v === undefined || typeof v === 'number' ? v : `${v}`);
// span tells where a measure begins and ends.
function span(o, endMark) {
  const data = o.detail, duration = o.duration === undefined ? undefined : +o.duration, end = markOrTime(o.end), start = markOrTime(o.start);
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
const between = (start, end) => ({ to: end === undefined ? now() : time(end), from: time(start) });
function clear(type, name) {
  entries = entries.filter((e) => e.entryType !== type || (name !== undefined && e.name !== name));
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
  getEntries() { this.#brand; return sorted().slice(); }
  getEntriesByName(name, type = undefined) {
    this.#brand;
    if (arguments.length === 0) throw missing('name');
    name = `${name}`;
    if (type !== undefined) type = `${type}`;
    return sorted().filter((e) => e.name === name && (type === undefined || e.entryType === type));
  }
  getEntriesByType(type) {
    this.#brand;
    if (arguments.length === 0) throw missing('type');
    type = `${type}`;
    return sorted().filter((e) => e.entryType === type);
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
    if (endMark !== undefined) endMark = `${endMark}`;
    const isMark = startOrOptions !== null && typeof startOrOptions !== 'object' && typeof startOrOptions !== 'function';
    const { from, to, data } = isMark ? between(`${startOrOptions}`, endMark) : span(startOrOptions || {}, endMark);
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
  __proto__: null,
  value: function eventLoopUtilization(first, second) { return utilization(first, second); }, writable: true, configurable: true,
});
show(PerformanceEntry, ({ name, entryType, startTime, duration }) => ({ name, entryType, startTime, duration }), (e) => e);
for (const C of [PerformanceMark, PerformanceMeasure]) {
  show(C, ({ name, entryType, startTime, duration, detail }) => ({ name, entryType, startTime, duration, detail }), (e) => e);
}
return { performance: new Performance(secret), sorted, setObserver, Performance, PerformanceEntry, PerformanceMark, PerformanceMeasure };
