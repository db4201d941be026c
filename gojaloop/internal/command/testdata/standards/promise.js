// Promise.withResolvers and Promise.try (ECMA-262, 27.2.4), which Node 20 does not have.
const attempt = (name, fn) => { try { console.log(name, fn()); } catch (e) { console.log(name, e.name); } };
for (const key of ['withResolvers', 'try']) { const d = Object.getOwnPropertyDescriptor(Promise, key); console.log(key, d.writable, d.enumerable, d.configurable, d.value.name, d.value.length, 'prototype' in d.value); }
const r = Promise.withResolvers(); console.log(Object.keys(r).join(), r.promise instanceof Promise, r.resolve.length); r.promise.then((v) => console.log('resolved', v)); r.resolve('v'); r.reject('ignored');
class P extends Promise {} console.log(P.withResolvers().promise instanceof P, P.try(() => 1) instanceof P);
attempt('withResolvers', () => Promise.withResolvers.call(undefined)); attempt('withResolvers', () => Promise.withResolvers.call({})); attempt('try', () => Promise.try.call(5, () => {}));
Promise.try((a, b) => a + b, 1, 2).then((v) => console.log('try', v)); Promise.try(() => { throw new Error('thrown'); }).catch((e) => console.log(e.message)); Promise.try(async () => 'async').then((v) => console.log(v)); Promise.try(5).catch((e) => console.log(e.name));
const order = []; Promise.try(() => order.push('sync')); order.push('after'); console.log(order.join());
