// Promise.withResolvers, Promise.try and other parts of the language that the engine lacks; queueMicrotask.
const attempt = (name, fn) => { try { console.log(name, fn()); } catch (e) { console.log(name, e.name); } };
console.log(typeof Symbol.asyncIterator, typeof Symbol.dispose, typeof Symbol.asyncDispose, Symbol.asyncIterator.toString());
const order = []; queueMicrotask(() => order.push(1)); Promise.resolve().then(() => order.push(2)); queueMicrotask(() => { order.push(3); queueMicrotask(() => order.push(5)); }); process.nextTick(() => order.push('tick')); Promise.resolve().then(() => order.push(4));
console.log(queueMicrotask(() => {}) === undefined); attempt('queueMicrotask', () => queueMicrotask());
process.on('uncaughtException', (e, origin) => { console.log('uncaught', e.message || e, origin); });
queueMicrotask(() => { throw new Error('first'); }); queueMicrotask(() => { throw 'second'; }); queueMicrotask(() => console.log('after'));
setTimeout(() => console.log(order.join()), 1);
