// The arguments object where arrow functions use it, which have none of their own.
const log = (...values) => console.log(...values);
function sloppy(a, b) { const f = () => log(a, b, arguments.length, arguments[1]); f('other', 'two', 'three'); }
sloppy(1, 2); sloppy();
function strict(a) { 'use strict'; return [1].map(() => [arguments.length, arguments[0], this === undefined, a]); }
log(strict(5, 6));
function mapped(a) { (() => { a = 9; })(); return (() => arguments[0])(); } log(mapped(3));
function unmapped(a) { 'use strict'; (() => { a = 9; })(); return (() => arguments[0])(); } log(unmapped(3));
function rest(a, ...r) { return (() => arguments.length + r.length)(); } log(rest(1, 2, 3));
function nested() { return () => () => [0].map(() => arguments[0])[0]; } log(nested('deep')()('x'));
function later(a, b) { var x; return () => { x = arguments; return x.length; }; } log(later(1, 2, 3)(1));
function both() { const n = arguments; return (() => n === arguments)(); } log(both(1));
function inner() { return function () { return (() => arguments.length)(); }; } log(inner(1)(1, 2));
const o = { m() { return (() => arguments[0])(); }, get x() { return (() => arguments.length)(); }, set x(v) { (() => log('set', arguments[0]))(); } };
log(o.m('method'), o.x); o.x = 'v';
class A { constructor() { this.n = (() => arguments.length)(); } *g() { yield (() => arguments[0])(); } static s() { return (() => arguments.length)(); } async h() { await null; return (() => arguments[0])(); } }
class B extends A { constructor(...a) { const n = () => arguments.length; super(...a); log(this.n, n()); } }
new B(1, 2); log([...new A().g('yielded')], A.s(1)); new A().h('awaited').then(log);
function own() { let arguments = 'mine'; return (() => arguments)(); } log(own(1));
function parameter(arguments) { return (() => arguments)(); } log(parameter('passed'));
(async function () { await null; (() => log('async', arguments.length))(); })(1, 2, 3);
(() => log(typeof arguments, arguments.length))(); log(strict.toString(), strict.length, sloppy.name);
function where() { try { (() => { throw new Error(arguments[0]); })(); } catch (e) { return [e.message, /arguments\.js:\d+:\d+/.exec(e.stack)[0]]; } } log(where('stack'));
