// Exceptions in timers and immediates lose no other callback.
process.on('uncaughtException', (e, origin) => console.log('caught', (e && e.message) || e, origin));
setTimeout(() => { console.log('t1'); throw new Error('of t1'); }, 1);
setTimeout(() => console.log('t2'), 1);
setTimeout(() => { process.nextTick(() => console.log('tick of t3')); throw new Error('of t3'); }, 1);
setTimeout(() => console.log('t4'), 1);
const i = setInterval(() => { clearInterval(i); throw new Error('of interval'); }, 1);
let n = 0;
const j = setInterval(() => { if (++n === 3) { clearInterval(j); setTimeout(immediates, 1); } console.log('again', n); throw new Error('of j'); }, 1);
const end = performance.now() + 5; while (performance.now() < end);
function immediates() {
  setImmediate(() => { console.log('i1'); throw new Error('of i1'); });
  setImmediate(() => { console.log('i2'); process.nextTick(() => console.log('tick of i2')); throw new Error('of i2'); });
  setImmediate(() => console.log('i3'));
  const c = setImmediate(() => { clearImmediate(d); throw new Error('of c'); });
  const d = setImmediate(() => console.log('never d'));
  setImmediate(() => { queueMicrotask(() => { throw new Error('of micro'); }); queueMicrotask(() => console.log('micro 2')); });
  setImmediate(() => { Promise.reject(new Error('rejected')); });
  setImmediate(() => { throw undefined; });
  setImmediate(() => { throw null; });
  setImmediate(() => { throw 'text'; });
}
