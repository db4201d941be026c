// Promise.withResolvers and Promise.try (ECMA-262, 27.2.4), which Node 20 does not have.
const attempt = (name, fn) => { try { console.log(name, fn()); } catch (e) { console.log(name, e.name); } };
for (const key of ['withResolvers', 'try']) { const d = Object.getOwnPropertyDescriptor(Promise, key); console.log(key, d.writable, d.enumerable, d.configurable, d.value.name, d.value.length, 'prototype' in d.value); }
const r = Promise.withResolvers(); console.log(Object.keys(r).join(), r.promise instanceof Promise, r.resolve.length); r.promise.then((v) => console.log('resolved', v)); r.resolve('v'); r.reject('ignored');
class P extends Promise {} console.log(P.withResolvers().promise instanceof P, P.try(() => 1) instanceof P);
attempt('withResolvers', () => Promise.withResolvers.call(undefined)); attempt('withResolvers', () => Promise.withResolvers.call({})); attempt('try', () => Promise.try.call(5, () => {}));
Promise.try((a, b) => a + b, 1, 2).then((v) => console.log('try', v)); Promise.try(() => { throw new Error('thrown'); }).catch((e) => console.log(e.message)); Promise.try(async () => 'async').then((v) => console.log(v)); Promise.try(5).catch((e) => console.log(e.name));
const order = []; Promise.try(() => order.push('sync')); order.push('after'); console.log(order.join());
const made = (name, executes) => attempt(name, () => Object.keys(Promise.withResolvers.call(function (executor) { executes(executor); })).join());
const f = () => {}; made('undefined first', (x) => { x(undefined, undefined); x(f, f); }); made('twice', (x) => { x(f, f); x(f, f); }); made('half', (x) => { x(f, undefined); x(f, f); }); made('null', (x) => { x(null, null); x(f, f); });
made('never', () => {}); made('no function', (x) => x(f, 1)); made('none', (x) => x());
attempt('resolve throws', () => Promise.try.call(function (x) { x(() => { throw new EvalError(); }, () => console.log('rejected')); }, () => 1));
attempt('reject throws', () => Promise.try.call(function (x) { x(() => console.log('resolved'), () => { throw new URIError(); }); }, () => { throw 1; }));
attempt('constructor throws', () => Promise.withResolvers.call(function () { throw new RangeError(); })); attempt('no constructor', () => Promise.withResolvers.call(() => {}));
Promise.try(function (...args) { 'use strict'; console.log(this, args); }, 1, 2);
