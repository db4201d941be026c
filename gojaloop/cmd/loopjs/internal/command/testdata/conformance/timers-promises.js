// require('timers/promises') and util.promisify of timers.
const { setTimeout: wait, setImmediate: soon, setInterval: each, scheduler } = require('timers/promises');
const { promisify } = require('util');
const show = (name) => (e) => console.log(name, e.name, e.code, e.message, e.cause === undefined ? 'no cause' : e.cause.name || e.cause);
const main = async () => {
  console.log(await wait(1, 'value'), await soon('soon'), await wait(), await soon());
  console.log(await promisify(setTimeout)(1, 'p'), await promisify(setImmediate)('q'));
  console.log(promisify(setTimeout) === wait, promisify(setImmediate) === soon, require('timers').promises === require('timers/promises'));
  const c = new AbortController();
  const p = wait(1e6, 'x', { signal: c.signal }); c.abort(); await p.catch(show('aborted'));
  await wait(1, 'x', { signal: AbortSignal.abort() }).catch(show('before'));
  await wait(1, 'x', { signal: AbortSignal.abort('why') }).catch(show('reason'));
  const d = new AbortController(); const q = soon('x', { signal: d.signal }); d.abort(new Error('mine')); await q.catch(show('immediate'));
  for (const bad of [null, 1, 'x', true, Symbol('x')]) await wait(1, 0, bad).catch(show('options'));
  for (const bad of [1, 'x', true, {}, []]) { await wait(1, 0, { signal: bad }).catch(show('signal')); await soon(0, { signal: bad }).catch(show('signal')); }
  for (const bad of [null, 1, 'x', {}]) { await wait(1, 0, { ref: bad }).catch(show('ref')); await soon(0, { ref: bad }).catch(show('ref')); }
  let n = 0;
  for await (const v of each(1, 'tick')) { console.log(v, ++n); if (n === 3) break; }
  const e = new AbortController(); n = 0;
  try { for await (const v of each(1, 'again', { signal: e.signal })) { console.log(v); if (++n === 2) e.abort(); } } catch (x) { show('interval')(x); }
  try { for await (const v of each(1, 1, { signal: AbortSignal.abort() })) console.log('never', v); } catch (x) { show('interval')(x); }
  for (const bad of [{ signal: 1 }, { ref: 1 }, 1]) { try { for await (const v of each(1, 1, bad)) { console.log('never', v); break; } } catch (x) { show('interval')(x); } }
  const it = each(1); console.log(Object.prototype.toString.call(it), (await it.next()), await it.return(), await it.next());
  console.log(await scheduler.wait(1), await scheduler.yield());
  await scheduler.wait(1, { signal: AbortSignal.abort() }).catch(show('scheduler'));
  wait(1e6, 0, { ref: false }).then(() => console.log('never'));
};
main().then(() => console.log('end'));
