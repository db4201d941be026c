// AbortController and AbortSignal (DOM 3).
const attempt = (name, fn) => { try { console.log(name, fn()); } catch (e) { console.log(name, e.name, e.message, typeof e.code); } };
const c = new AbortController();
console.log(c.signal.aborted, c.signal.reason, c.signal === c.signal, c.signal instanceof EventTarget, Object.prototype.toString.call(c), Object.prototype.toString.call(c.signal));
c.signal.throwIfAborted();
c.signal.onabort = function (e) { console.log('onabort', this === c.signal, e.type, e.isTrusted, e.target === c.signal, e.bubbles, e.cancelable); };
c.signal.addEventListener('abort', () => console.log('listener', c.signal.aborted));
console.log(c.abort(), c.signal.aborted, c.signal.reason.name, c.signal.reason.code, c.signal.reason.message, c.signal.reason instanceof DOMException);
c.abort('again'); console.log(c.signal.reason.name);
attempt('throw', () => c.signal.throwIfAborted());
for (const r of [undefined, null, 0, 'x', false]) { const d = new AbortController(); d.abort(r); console.log(d.signal.reason === r, String(d.signal.reason)); const s = AbortSignal.abort(r); console.log(s.aborted, String(s.reason)); }
console.log(c.signal.onabort === null, typeof c.signal.onabort); c.signal.onabort = {}; console.log(typeof c.signal.onabort); c.signal.onabort = null; console.log(c.signal.onabort);
for (const v of [undefined, NaN, -1, Infinity, -Infinity, 2 ** 53, 'x', {}, 1n, Symbol('x'), 0, 1, 1000]) { try { AbortSignal.timeout(v); console.log('made'); } catch { console.log('refused'); } }
const s = AbortSignal.timeout(2); s.onabort = () => console.log('timed out', s.reason.name, s.reason.code, s.reason.message); const keep = setTimeout(() => {}, 50);
const any = AbortSignal.any([]); console.log(any.aborted, any instanceof AbortSignal);
attempt('any', () => AbortSignal.any([{}])); attempt('any', () => AbortSignal.any([1])); attempt('any', () => AbortSignal.any([null]));
const x = new AbortController(), y = new AbortController();
const xy = AbortSignal.any([x.signal, y.signal]), nested = AbortSignal.any([xy, new AbortController().signal]), also = AbortSignal.any([x.signal]);
const log = []; xy.addEventListener('abort', () => log.push('xy')); nested.addEventListener('abort', () => log.push('nested')); x.signal.addEventListener('abort', () => log.push('x')); also.addEventListener('abort', () => log.push('also'));
x.abort('why'); y.abort('other'); console.log(log.join(), xy.reason, nested.reason, also.reason);
console.log(AbortSignal.any([AbortSignal.abort(1), AbortSignal.abort(2)]).reason);
const quiet = AbortSignal.any([y.signal]); console.log(quiet.aborted, quiet.reason);
const z = new AbortController(); const dep = AbortSignal.any([z.signal]); z.abort('late'); console.log(dep.aborted, dep.reason);
const w = new AbortController(); const onlyOnce = AbortSignal.any([w.signal, w.signal]); let n = 0; onlyOnce.onabort = () => n++; w.abort(); console.log(n);
const o = new AbortController(); o.signal.addEventListener('abort', () => { o.abort('inner'); console.log(o.signal.reason); }, { once: true }); o.abort('outer');
