// events.once, events.on and their like, with emitters, event targets and signals.
const EventEmitter = require('events');
const { once, on, getEventListeners, addAbortListener, getMaxListeners } = EventEmitter;
const later = (fn) => process.nextTick(fn);
const outcome = (p) => p.then((v) => JSON.stringify(v), (e) => `${e.name} ${e.code} ${e.message} ${e.cause}`);
(async () => {
  const e = new EventEmitter(), t = new EventTarget();
  later(() => e.emit('x', 1, 2));
  console.log(await outcome(once(e, 'x')), e.eventNames());
  later(() => e.emit('error', new Error('bad')));
  console.log(await outcome(once(e, 'x')), e.eventNames());
  later(() => e.emit('error', 7));
  console.log(await outcome(once(e, 'error')), e.eventNames());
  later(() => t.dispatchEvent(new Event('x')));
  console.log((await once(t, 'x'))[0].type, getEventListeners(t, 'x').length);
  const ac = new AbortController();
  later(() => ac.abort('enough'));
  console.log(await outcome(once(e, 'x', { signal: ac.signal })), e.eventNames(), getEventListeners(ac.signal, 'abort').length);
  console.log(await outcome(once(e, 'x', { signal: AbortSignal.abort() })), await outcome(once(e, 'x', { signal: {} })), await outcome(once({}, 'x')));

  later(() => { e.emit('x', 1); e.emit('x', 2, 3); e.emit('end'); });
  for await (const args of on(e, 'x', { close: ['end'] })) console.log(args);
  later(() => { e.emit('x', 1); e.emit('error', new Error('over')); });
  try { for await (const args of on(e, 'x')) console.log(args); } catch (x) { console.log(x.message, e.eventNames()); }
  const it = on(e, 'x');
  const next = [it.next(), it.next()];
  e.emit('x', 'a');
  it.return();
  console.log(JSON.stringify(await Promise.all(next)), JSON.stringify(await it.next()), e.eventNames());
  const stop = new AbortController(), seen = [];
  const feed = setInterval(() => { e.emit('x', seen.length); if (seen.length === 3) stop.abort(); }, 1);
  try { for await (const [v] of on(e, 'x', { signal: stop.signal })) seen.push(v); } catch (x) { console.log(x.name, seen.slice(0, 3)); }
  clearInterval(feed);
  for (const options of [{ signal: 1 }, { highWaterMark: 0 }, { lowWaterMark: 'x' }]) { try { on(e, 'x', options); } catch (x) { console.log(x.name, x.code, x.message); } }

  const hear = new AbortController();
  addAbortListener(hear.signal, () => console.log('heard'))[Symbol.dispose]();
  addAbortListener(hear.signal, () => console.log('heard once'));
  hear.abort();
  addAbortListener(hear.signal, () => console.log('too late, but called'));
  await null;
  console.log(getMaxListeners(e), getMaxListeners(t));
  EventEmitter.setMaxListeners(5, e, t);
  console.log(getMaxListeners(e), getMaxListeners(t), EventEmitter.listenerCount(e, 'x'));
})();
