// How errors are shown, without their stacks' frames.
const show = (v, o) => console.log(require('util').inspect(v, o).replace(/\n +(at .*|\.\.\. \d+ lines .*)/g, ''));
show(new Error('plain')); show(new TypeError('typed')); show(new Error()); show(new Error('two\nlines')); show([new Error('in array')]); show({ e: new Error('in object') });
show(Object.assign(new Error('props'), { code: 'E_CODE', n: 1 })); show(new Error('c', { cause: new TypeError('inner') })); show(new Error('c', { cause: 'text' })); show(new Error('c', { cause: undefined }));
show(new AggregateError([new Error('a'), new RangeError('b')], 'many'));
class MyError extends Error {} show(new MyError('mine')); class Named extends Error { constructor(m) { super(m); this.name = 'Renamed'; } } show(new Named('named')); class NamedError extends Error { constructor(m) { super(m); this.name = 'NamedError'; } } show(new NamedError('n2'));
class Getter extends Error { get name() { return 'FromGetter'; } } show(new Getter('g'));
const nostack = new Error('nostack'); nostack.stack = undefined; show(nostack); const own = new Error('own'); own.stack = 'my own stack'; show(own); const none = new Error('x'); delete none.stack; show(none);
const e = new Error('later'); e.message = 'changed'; show(e); const t = new Error('named'); t.name = 'Other'; show(t); const u = new TypeError('u'); u.name = 'CustomError'; show(u);
const cyclic = new Error('cyclic'); cyclic.self = cyclic; show(cyclic);
try { setTimeout(1); } catch (x) { show(x); console.log(x.code, x.name, Object.keys(x)); }
try { null.x; } catch (x) { console.log(x instanceof TypeError, x.name); }
show(Object.create(Error.prototype)); show({ name: 'Error', message: 'fake' });
console.log(String(new Error('s')), `${new MyError('m')}`, Object.prototype.toString.call(new Error()), [new Error('q')].length);
console.log('%s', new Error('fmt').message, require('util').format('%s', Object.assign(new Error('z'), { stack: 'S' })));
