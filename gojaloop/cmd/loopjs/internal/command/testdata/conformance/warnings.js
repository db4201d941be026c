// process.emitWarning, deprecations, process.exitCode and the odd corners of process.
const log = [];
const say = (...a) => log.push(a.map(String).join(' '));
const thrown = (fn) => { try { fn(); return 'nothing'; } catch (e) { return `${e.name} ${e.code} ${e.message}`; } };
process.on('warning', (w) => say(w.name, w.code, w.detail, w.message));
process.emitWarning('plain'); process.emitWarning('typed', 'T'); process.emitWarning('coded', 'T', 'C1'); process.emitWarning('options', { type: 'O', code: 'C2', detail: 'd' });
process.emitWarning('ctor', 'T', () => {}); process.emitWarning(Object.assign(new Error('own'), { name: 'Own', toString: 1 }));
for (const args of [[], [1], [null], ['x', 1], ['x', ''], ['x', 'y', 1], ['x', null]]) say(thrown(() => process.emitWarning(...args)));
say(process.listenerCount('warning') >= 1, typeof process.noDeprecation);
const { deprecate } = require('util');
const old = deprecate((a, b) => a + b, 'old is old', 'DEP_X');
say(old(1, 2), old(3, 4), deprecate(() => 5, 'same code', 'DEP_X')());
class Base { constructor(a) { this.a = a; } }
const Old = deprecate(Base, 'a class');
say(new Old(7).a, new Old(8) instanceof Base, new Base(1) instanceof Old);
process.noDeprecation = true;
process.emitWarning('hidden', 'DeprecationWarning');
process.noDeprecation = false;
process.throwDeprecation = true;
process.once('uncaughtException', (e) => say('thrown', e.name, e.message));
process.emitWarning('thrown away', 'DeprecationWarning');
setImmediate(() => {
  process.throwDeprecation = false;
  for (const code of ['', 'x', '1 2', {}, [], true, 1.5, NaN, Infinity, 2n, () => {}]) say(thrown(() => { process.exitCode = code; }), thrown(() => process.exit(code)));
  for (const code of ['7', 7, null, undefined, '-3']) { process.exitCode = code; say(typeof process.exitCode, process.exitCode); }
  process.exitCode = undefined;
  for (const fn of [1, undefined, {}]) say(thrown(() => process.setUncaughtExceptionCaptureCallback(fn)));
  for (const before of [1, [], [1], [1, 2, 3], null]) say(thrown(() => process.hrtime(before)));
  say(thrown(() => process.cpuUsage(1)), thrown(() => process.cpuUsage({ user: 'x' })), thrown(() => process.cpuUsage({ user: 1, system: -1 })), Object.keys(process.cpuUsage()));
  process.env.number = 5; process.env.nothing = undefined;
  say(typeof process.env.number, process.env.nothing, 'number' in process.env, delete process.env.number, 'number' in process.env, process.env.missing);
  say(thrown(() => { process.env.s = Symbol('s'); }), thrown(() => { process.env[Symbol('s')] = 1; }));
  say(thrown(() => process.stdout.write(null)), thrown(() => process.stdout.write(1)), process._exiting);
  console.log(log.join('\n'));
});
process.on('exit', (code) => {
  console.log('exit', code, process._exiting, process.exitCode);
  process.nextTick(() => console.log('never'));
});
