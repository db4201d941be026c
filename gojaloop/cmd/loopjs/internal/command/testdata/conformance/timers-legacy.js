// Old corners of Node's timers: any object as a timer, and properties of timers that scripts write to.
const timers = require('timers');
const log = [];
const say = (...a) => log.push(a.map(String).join(' '));
const thrown = (fn) => { try { fn(); return 'nothing'; } catch (e) { return `${e.name} ${e.code} ${e.message}`; } };
process.on('warning', (w) => say(w.name, w.code, w.message));
for (const msecs of [{}, 'x', undefined, -1, NaN, Infinity, 2 ** 31]) say(thrown(() => timers.enroll({}, msecs)));
const item = { _onTimeout() { say('item', this === item, item._idleNext); } };
timers.enroll(item, 1);
say(item._idleTimeout, Boolean(item._idleNext));
timers.active(item);
say(Number.isInteger(item._idleStart), Boolean(item._idlePrev));
const given = { _onTimeout() { say('never'); }, _idleTimeout: 1 };
timers.active(given);
timers.unenroll(given);
say(given._idleTimeout);
const negative = { _idleTimeout: -1 };
timers.active(negative);
say(Object.keys(negative));
const unreferenced = { _onTimeout() { say('unreferenced'); }, _idleTimeout: 1 };
timers._unrefActive(unreferenced);

let runs = 0, starts = 0;
const becomes = setTimeout(() => { say('becomes an interval', ++runs); if (runs === 3) clearTimeout(becomes); becomes._repeat = true; }, 1);
const ends = [['_repeat', null], ['_idleTimeout', -1], ['_onTimeout', null]];
for (const [key, value] of ends) { const i = setInterval(() => { say('once', key); i[key] = value; }, 1); }
const refreshed = setTimeout(() => { say('refreshed', ++starts); if (starts < 3) refreshed.refresh(); }, 1);
for (const junk of [null, undefined, {}, 'x', NaN, -1, Symbol('s'), 1n, true, () => {}]) { clearTimeout(junk); clearInterval(junk); }
const { scheduler } = require('timers/promises');
say(thrown(() => new scheduler.constructor()), thrown(() => scheduler.wait.call({}, 1)), scheduler.constructor.name);

// Ticks of an interval that nobody has taken are not lost when it is aborted.
const ac = new AbortController(), taken = [];
(async () => {
  try {
    for await (const v of timers.promises.setInterval(1, 'v', { signal: ac.signal })) {
      taken.push(v);
      if (taken.length === 1) { await new Promise((r) => setTimeout(r, 30)); ac.abort(); }
    }
  } catch (e) { say(e.name, taken.length > 3); }
})();
setTimeout(() => {}, 60); // what is not referenced has its time
process.on('exit', () => console.log(log.sort().join('\n'))); // which timers run in one phase depends on the machine
