// performance: High Resolution Time, Performance Timeline, User Timing.
const attempt = (name, fn) => { try { console.log(name, fn()); } catch (e) { console.log(name, e.name, typeof e.code); } };
const { now } = performance; attempt('detached', () => { try { now(); } catch (e) { return e.name; } });
console.log(typeof performance.now(), performance.now() <= performance.now(), Math.abs(performance.timeOrigin + performance.now() - Date.now()) < 1000, performance instanceof EventTarget, performance instanceof Performance, Object.prototype.toString.call(performance));
const a = performance.mark('a'); console.log(a instanceof PerformanceMark, a instanceof PerformanceEntry, a.name, a.entryType, a.duration, a.detail, a.startTime <= performance.now());
console.log(performance.mark('b', { startTime: 0.02, detail: { x: 1 } }).toJSON(), performance.mark('c', { startTime: 0.01 }).startTime, performance.mark('d', { startTime: 0 }).detail, performance.mark(5).name);
console.log(performance.getEntriesByType('mark').map((e) => e.name).join(), performance.getEntriesByName('b').length, performance.getEntriesByName('b', 'measure').length, performance.getEntries().length);
const m = performance.measure('m', 'c', 'b'); console.log(m instanceof PerformanceMeasure, m.startTime, m.duration, m.entryType, m.detail);
console.log(performance.measure('m2', { start: 1, end: 4, detail: [1] }).toJSON(), performance.measure('m3', { start: 'c', duration: 10 }).duration, performance.measure('m4', { end: 'b', duration: 1 }).startTime, performance.measure('m5', undefined, 'b').duration, performance.measure('m6', { end: 3 }).startTime);
console.log(performance.measure('m7').startTime, performance.measure('m8', 'c').startTime, performance.measure('m9', {}).startTime, performance.measure('m10', 'b', 'c').duration);
for (const args of [[], ['x', 'missing'], ['x', 'c', 'missing'], ['x', { start: 1, end: 2, duration: 1 }], ['x', { start: 1 }, 'b'], ['x', { start: -1 }], ['x', { end: 'nope' }]]) attempt('measure', () => performance.measure(...args).name);
for (const args of [[], ['x', { startTime: -1 }], ['x', 5], ['x', { startTime: 'y' }], [Symbol('x')], ['x', { detail: () => {} }]]) attempt('mark', () => performance.mark(...args).name);
console.log(performance.getEntriesByType('measure').map((e) => e.name).sort().join(), performance.getEntriesByType('nope').length); attempt('type', () => performance.getEntriesByType()); attempt('name', () => performance.getEntriesByName());
performance.clearMarks('a'); console.log(performance.getEntriesByName('a').length); performance.clearMarks(); console.log(performance.getEntriesByType('mark').length); attempt('cleared', () => performance.measure('x', 'c')); performance.clearMeasures('m'); console.log(performance.getEntriesByName('m').length); performance.clearMeasures(); console.log(performance.getEntries().length);
const mark = new PerformanceMark('own', { startTime: 1 }); console.log(mark.name, performance.getEntries().length, mark);
const detail = { d: 1 }; console.log(performance.mark('e', { detail }).detail !== detail);
const elu = performance.eventLoopUtilization(); console.log(Object.keys(elu).sort().join(), elu.utilization >= 0 && elu.utilization <= 1, typeof performance.eventLoopUtilization(elu).idle, typeof performance.eventLoopUtilization(elu, elu).active);
console.log(typeof performance.toJSON().timeOrigin, 'eventLoopUtilization' in performance.toJSON());
