// unhandledRejection, rejectionHandled, and what becomes of them without listeners.
const log = [];
const say = (...a) => log.push(a.map(String).join(' '));
process.on('warning', (w) => say('warning', w.name, w.id, w.message));
process.on('uncaughtExceptionMonitor', (e, origin) => say('monitor', e && e.name, origin));
process.on('uncaughtException', (e, origin) => say('exception', e && e.name, e && e.code, Object.keys(e || {}), origin, e && e.message));
const after = (ms) => new Promise((r) => setTimeout(r, ms));
(async () => {
  // Without a listener each is an exception; what is no error is told in one.
  for (const reason of [null, undefined, 'text', Symbol('s'), { a: 1 }, [1], () => 1, 5n, new TypeError('t'), { stack: 'mine' }]) Promise.reject(reason);
  await after(2);

  const listener = (reason) => say('unhandled', reason);
  process.on('unhandledRejection', listener);
  const late = Promise.reject('late');
  Promise.reject('never counted').catch(() => {});
  await after(2);
  late.catch(() => {}); // nobody listens: a warning
  await after(2);

  // Handled while those before it are reported: it is reported all the same.
  let second;
  process.once('unhandledRejection', () => second.catch(() => say('caught')));
  process.once('rejectionHandled', (p) => say('handled', p === second));
  Promise.reject(1);
  second = Promise.reject(2);
  Promise.reject(3);
  await after(2);

  // A listener that throws is an exception itself.
  process.once('unhandledRejection', () => { throw new RangeError('from the listener'); });
  Promise.reject('thrown at');
  await after(2);

  // Soon enough: ticks and microtasks, however deep.
  const soon = Promise.reject('soon');
  process.nextTick(() => queueMicrotask(() => process.nextTick(() => soon.catch(() => say('soon enough')))));
  await after(2);
  process.emit = ((emit) => function (type, ...args) { if (type === 'unhandledRejection') say('emit', args.length); return emit.call(this, type, ...args); })(process.emit);
  Promise.reject('seen by emit');
  await after(2);
  console.log(log.join('\n'));
})();
