// Behind a tick that throws, Node runs another callback before it comes back to the ticks that are left, and to the
// promise jobs behind them: which one depends on the phase.
const log = console.log;
process.on('uncaughtException', (e) => log('  caught', e));
const busy = () => { const end = performance.now() + 4; while (performance.now() < end); };
const timers = () => {
  setTimeout(() => { log('  timer'); process.nextTick(log, '  tick of the timer'); }, 1);
  setTimeout(log, 1, '  second timer');
  busy();
};
const immediates = () => {
  setImmediate(() => {
    log('  immediate');
    process.nextTick(log, '  tick of the immediate');
    setImmediate(log, '  immediate of the immediate');
  });
  setImmediate(log, '  second immediate');
};
const ticks = () => {
  process.nextTick(() => { throw 'a tick'; });
  process.nextTick(() => { log('  second tick'); queueMicrotask(() => log('  job of a tick')); });
  Promise.resolve().then(() => log('  job'));
};
const both = (f, g) => () => { f(); g(); };
const scenarios = {
  ticks, 'ticks, timers': both(ticks, timers), 'ticks, immediates': both(ticks, immediates),
  'all': both(ticks, both(timers, immediates)),
};
const places = {
  'behind a timer': (f) => setTimeout(f, 1), 'behind an immediate': setImmediate,
  'behind the last of two immediates': (f) => { setImmediate(log, '  the first'); setImmediate(f); },
  'behind the first of two immediates': (f) => { setImmediate(f); setImmediate(log, '  the other'); },
  'behind the first of two timers': (f) => { setTimeout(f, 1); setTimeout(log, 1, '  the other'); busy(); },
};
const all = Object.entries(places).flatMap(([place, set]) => Object.entries(scenarios).map(([what, f]) => [what + ' ' + place, set, f]));
const next = () => {
  if (!all.length) return;
  const [name, set, f] = all.shift();
  log(name);
  set(f);
  later(8);
};
// A scenario is over after a few rounds of the loop, however long they take.
const later = (rounds) => { if (rounds) setTimeout(setImmediate, 1, later, rounds - 1); else next(); };
log('the main script');
both(ticks, both(timers, immediates))();
later(8);
