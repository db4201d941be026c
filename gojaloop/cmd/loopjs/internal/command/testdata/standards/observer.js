// PerformanceObserver where Node 20 departs from Performance Timeline 4: the options of the callback, the conversion of
// arguments, and a callback that throws, which keeps no other from being called.
const attempt = (name, fn) => { try { console.log(name, fn()); } catch (e) { console.log(name, e.name); } };
console.log(PerformanceObserver.supportedEntryTypes.join(), Object.keys(PerformanceObserver).join());
attempt('both', () => new PerformanceObserver(() => {}).observe({ entryTypes: ['mark'], buffered: false }));
attempt('function', () => new PerformanceObserver(() => {}).observe(Object.assign(() => {}, { type: { toString: () => 'mark' } })));
attempt('set', () => new PerformanceObserver(() => {}).observe({ entryTypes: new Set(['mark']) }));
const order = []; attempt('order', () => new PerformanceObserver(() => {}).observe({ get type() { order.push('type'); return 'x'; }, get entryTypes() { order.push('entryTypes'); }, get buffered() { order.push('buffered'); } })); console.log(order.join());
process.on('uncaughtException', (e) => console.log('uncaught', e.message));
const bad = new PerformanceObserver(() => { throw new Error('from the first'); }); bad.observe({ type: 'mark' });
let n = 0;
const o = new PerformanceObserver(function (list, self, options) {
  console.log(arguments.length, list.getEntries().length, JSON.stringify(options));
  if (n++ === 0) { bad.disconnect(); performance.mark('b'); return; }
  if (n === 2) { o.observe({ type: 'nope' }); performance.mark('c'); return; }
  o.disconnect();
});
o.observe({ type: 'mark' }); performance.mark('a');
