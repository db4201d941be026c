// AsyncLocalStorage and AsyncResource: what runs later finds the store of where it was set up.
const { AsyncLocalStorage, AsyncResource } = require('async_hooks');
const a = new AsyncLocalStorage(), b = new AsyncLocalStorage();
const log = [];
const say = (what) => log.push([what, a.getStore(), b.getStore()].map(String).join(' '));
const thrown = (fn) => { try { return fn(); } catch (e) { return `${e.name} ${e.code} ${e.message}`; } };
let wake;
const later = new Promise((r) => { wake = r; });
let settle;
const elsewhere = new Promise((r) => { settle = r; });
say('before');
log.push(a.run(1, (x, y) => {
  say('in');
  setTimeout(() => { say('timeout'); setTimeout(() => say('nested timeout'), 1); }, 1);
  setImmediate(() => say('immediate'));
  process.nextTick(() => { say('tick'); queueMicrotask(() => say('microtask of a tick')); });
  queueMicrotask(() => say('microtask'));
  Promise.resolve().then(() => { say('then'); return b.run(2, () => Promise.resolve().then(() => say('both'))); }).finally(() => say('finally'));
  (async () => { await null; say('await'); await later; say('await of a promise from outside'); a.enterWith('entered'); await null; say('after enterWith'); })().then(() => say('caller'));
  elsewhere.then(() => say('settled from outside'));
  const i = setInterval(() => { say('interval'); clearInterval(i); }, 1);
  b.run(3, () => { say('inner'); a.exit(() => { say('exit'); setTimeout(() => say('timeout of exit'), 1); }); a.run(undefined, () => say('undefined')); });
  return x + y;
}, 40, 2));
say('after');
setTimeout(() => say('outside'), 1);
log.push(thrown(() => a.run(1, () => { throw new RangeError('out'); })));
say('after a throw');
const bound = a.run('bound', () => AsyncLocalStorage.bind((x) => { say(`bound ${x}`); return x; }));
const snapshot = a.run('snapshot', () => AsyncLocalStorage.snapshot());
const resource = a.run('resource', () => new AsyncResource('R'));
a.run('caller', () => { bound(7); snapshot((x) => say(`snapshot ${x}`), 8); resource.runInAsyncScope(function (x) { say(`resource ${this.y} ${x}`); }, { y: 1 }, 9); say('caller'); });
for (const bad of [undefined, 1, {}]) log.push(thrown(() => new AsyncResource(bad)), bad && thrown(() => AsyncResource.bind(bad)));
const third = () => {
  setTimeout(() => say('does not inherit'), 1);
  a.enterWith('entered');
  say('entered');
  setTimeout(() => say('inherits'), 1);
  a.disable();
  say('disabled');
};
const second = () => {
  wake();
  b.run('settler', settle);
  setTimeout(third, 5);
};
setImmediate(() => setTimeout(second, 5));
process.on('exit', () => console.log(log.join('\n')));
const end = performance.now() + 2.2; // the first timers are due when the main script ends
while (performance.now() < end);
