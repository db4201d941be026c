// EventEmitter: its methods, its properties, and the events about listeners and errors.
const EventEmitter = require('events');
const log = [];
const say = (...a) => log.push(a.map(String).join(' '));
const thrown = (fn) => { try { fn(); return 'nothing'; } catch (e) { return `${e.name} ${e.code} ${e.message}`; } };
{
  const e = new EventEmitter();
  e.on('newListener', (type, fn) => say('new', type, fn.name, e.listenerCount(type)));
  e.on('removeListener', (type, fn) => say('gone', type, fn.name, e.listenerCount(type)));
  function one() { say('one', [...arguments], this === e); }
  function two() { say('two'); e.off('x', two); e.on('x', three); }
  function three() { say('three'); }
  e.once('x', one); e.on('x', two); e.prependListener('x', three); e.prependOnceListener('x', one);
  say(e.emit('x', 1, 2), e.emit('x'), e.emit('nobody'));
  say(e.listeners('x').map((f) => f.name), e.rawListeners('x').length, e.eventNames());
  e.removeAllListeners('x');
  e.once('y', one); say(e.rawListeners('y')[0].listener === one, e.listeners('y')[0] === one, e.listenerCount('y', one));
  e.removeAllListeners();
  say(e.eventNames().length, e._eventsCount);
}
{
  const e = new EventEmitter(), error = new RangeError('r');
  say(thrown(() => e.emit('error', error)), thrown(() => e.emit('error')), thrown(() => e.emit('error', { a: 1 })));
  e.on(EventEmitter.errorMonitor, (x) => say('monitor', x));
  say(thrown(() => e.emit('error', error)));
  e.on('error', (x) => say('error', x));
  say(e.emit('error', 'text'));
}
for (const bad of [undefined, null, 1, 'f', {}]) say(thrown(() => new EventEmitter().on('x', bad)));
for (const bad of [-1, NaN, '1', undefined]) say(thrown(() => new EventEmitter().setMaxListeners(bad)));
say(thrown(() => new EventEmitter({ captureRejections: 1 })), thrown(() => { EventEmitter.captureRejections = 'x'; }));
{
  // The ways to inherit that there were before classes.
  function Old() { EventEmitter.call(this); }
  require('util').inherits(Old, EventEmitter);
  const o = new Old();
  o.on('__proto__', () => say('proto')).on('toString', () => say('toString'));
  o.emit('__proto__'); o.emit('toString');
  say(o instanceof EventEmitter, Old.super_ === EventEmitter, o.eventNames());
  const plain = {};
  EventEmitter.prototype.on.call(plain, 'x', () => say('plain'));
  EventEmitter.prototype.emit.call(plain, 'x');
  say(Object.keys(plain));
}
{
  const e = new EventEmitter({ captureRejections: true });
  e.on('x', async () => { throw new Error('async'); });
  e.on('error', (x) => say('captured', x));
  e.emit('x');
  const own = new EventEmitter({ captureRejections: true });
  own.on('x', async () => { throw new Error('own'); });
  own[Symbol.for('nodejs.rejection')] = (x, type, ...args) => say('handled', x, type, args);
  own.emit('x', 1, 2);
}
console.log(new EventEmitter());
console.log(class extends EventEmitter {}.name, Object.keys(EventEmitter.prototype).join(), EventEmitter.prototype.on === EventEmitter.prototype.addListener);
const full = new EventEmitter();
process.on('warning', (w) => say(w.name, w.count, w.type, w.emitter === full, w.message));
for (let i = 0; i < 12; i++) full.on('many', () => {});
setImmediate(() => console.log(log.join('\n')));
