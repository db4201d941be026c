// PerformanceObserver (Performance Timeline 4).
const attempt = (name, fn) => { try { console.log(name, fn()); } catch (e) { console.log(name, e.name, typeof e.code, e instanceof TypeError || e instanceof DOMException); } };
const names = (list) => list.map((e) => e.name).join();
for (const C of [PerformanceObserver, PerformanceObserverEntryList]) {
  console.log(C.name, C.length, Object.getOwnPropertyNames(C).sort().join(), C.prototype[Symbol.toStringTag]);
  for (const k of Object.getOwnPropertyNames(C.prototype).sort()) { const d = Object.getOwnPropertyDescriptor(C.prototype, k); console.log(k, d.writable, d.enumerable, d.configurable, d.value.length); }
}
const types = PerformanceObserver.supportedEntryTypes;
console.log(types.includes('mark'), types.includes('measure'), Object.isFrozen(types), types === PerformanceObserver.supportedEntryTypes, [...types].sort().join() === types.join());
for (const args of [[], [1], [{}], [null]]) attempt('new', () => new PerformanceObserver(...args));
attempt('call', () => PerformanceObserver(() => {})); attempt('list', () => new PerformanceObserverEntryList());
for (const m of ['observe', 'disconnect', 'takeRecords']) attempt(m, () => PerformanceObserver.prototype[m].call({}, { type: 'mark' }));
for (const o of [undefined, {}, 1, { entryTypes: 'mark' }, { entryTypes: ['mark'], type: 'mark' }, { buffered: true }]) attempt('observe', () => new PerformanceObserver(() => {}).observe(o));
attempt('unknown', () => new PerformanceObserver(() => {}).observe({ type: 'marks' })); attempt('none', () => new PerformanceObserver(() => {}).observe({ entryTypes: [] }));
const a = new PerformanceObserver(() => {}); a.observe({ type: 'mark' }); attempt('single', () => a.observe({ entryTypes: ['mark'] })); a.disconnect(); attempt('again', () => a.observe({ entryTypes: ['mark'] })); attempt('multiple', () => a.observe({ type: 'mark' }));
console.log(a); performance.mark('zero', { startTime: 0 }); const shown = a.takeRecords(); console.log(shown, a.takeRecords().length); a.disconnect(); a.disconnect(); console.log(a);
const steps = [
  () => { // in order of start times; as a task of its own
    const o = new PerformanceObserver(function (list, self) {
      console.log(this === o, self === o, list instanceof PerformanceObserverEntryList, Object.prototype.toString.call(list), names(list.getEntries()), names(list.getEntriesByType('mark')), names(list.getEntriesByName('q')), list.getEntriesByName('q', 'measure').length, list.getEntriesByType('nope').length, list.getEntries() !== list.getEntries());
      attempt('type', () => list.getEntriesByType()); attempt('name', () => list.getEntriesByName());
      o.disconnect(); next();
    });
    o.observe({ entryTypes: ['mark', 'nope', 'measure'] });
    performance.mark('r', { startTime: 3 }); performance.mark('q', { startTime: 1 }); performance.measure('m', { start: 2, end: 5 }); new PerformanceMark('not on the timeline');
    Promise.resolve().then(() => console.log('promise job')); process.nextTick(() => console.log('tick')); console.log('marked');
  },
  () => { // types add up, lists replace
    const o = new PerformanceObserver((list) => { console.log('single', names(list.getEntries())); o.disconnect(); next(); });
    o.observe({ type: 'mark' }); o.observe({ type: 'measure' }); performance.mark('x', { startTime: 1 }); performance.measure('y', { start: 2, end: 3 });
  },
  () => {
    const o = new PerformanceObserver((list) => { console.log('multiple', names(list.getEntries())); o.disconnect(); next(); });
    o.observe({ entryTypes: ['mark'] }); o.observe({ entryTypes: ['measure'] }); performance.mark('x'); performance.measure('y');
  },
  () => { // what was there before
    performance.clearMarks(); performance.mark('before');
    const o = new PerformanceObserver((list) => { console.log('buffered', names(list.getEntries())); o.disconnect(); next(); });
    const p = new PerformanceObserver(() => console.log('never')); p.observe({ type: 'mark', buffered: false });
    o.observe({ type: 'mark', buffered: true }); performance.measure('other');
    setImmediate(() => p.disconnect());
  },
  () => { // nothing after disconnect; what a callback adds comes later
    const gone = new PerformanceObserver(() => console.log('never')); gone.observe({ type: 'mark' }); let n = 0;
    const o = new PerformanceObserver((list) => { console.log('again', names(list.getEntries())); if (n++ === 0) performance.mark('second'); else { o.disconnect(); next(); } });
    o.observe({ type: 'mark' }); performance.mark('first'); gone.disconnect();
  },
];
function next() { const step = steps.shift(); if (step) setImmediate(step); }
next();
