// process: events, exit codes, warnings, and what is rejected with nobody to handle it.
const attempt = (name, fn) => { try { console.log(name, fn()); } catch (e) { console.log(name, e.name, e.code, e.message); } };
console.log(Object.prototype.toString.call(process), typeof process.on, process.argv.length, typeof process.platform, typeof process.hrtime.bigint(), process.hrtime().length, typeof process.uptime(), typeof process.version, process.release.name, typeof process.cwd());
for (const v of ['x', 1.5, true, {}, [], Symbol('s'), 1n, '', '1.5', NaN]) { attempt('exitCode', () => { process.exitCode = v; return process.exitCode; }); attempt('exit', () => (v === undefined ? 0 : process.exit(v))); }
process.exitCode = '0'; console.log(process.exitCode); process.exitCode = undefined; console.log(process.exitCode); process.exitCode = null; console.log(process.exitCode);
attempt('on', () => process.on('x', 5)); attempt('on', () => process.on('x')); attempt('hrtime', () => process.hrtime(5)); attempt('hrtime', () => process.hrtime([1]));
attempt('warn', () => process.emitWarning()); attempt('warn', () => process.emitWarning({})); attempt('warn', () => process.emitWarning('x', 5)); attempt('warn', () => process.emitWarning('x', 'T', 5));
process.on('warning', (w) => console.log('warning', w.name, w.message, w.code, w.detail));
process.emitWarning('plain'); process.emitWarning('typed', 'Type'); process.emitWarning('coded', 'Type', 'C01'); process.emitWarning('opts', { type: 'T', code: 'C02', detail: 'D' }); const w = new Error('own'); w.name = 'OwnWarning'; process.emitWarning(w); process.emitWarning('old', 'DeprecationWarning', 'DEP1');
console.log(process.listenerCount('warning') >= 1, process.eventNames().includes('warning'), process.listeners('x').length);
const once = () => console.log('once'); process.once('mine', once); console.log(process.emit('mine', 1), process.emit('mine', 2)); process.on('newListener', (n) => n === 'later' && console.log('new', n)); process.on('later', () => {}); process.removeAllListeners('later');
const rejected = []; process.on('unhandledRejection', (reason, p) => { rejected.push(String(reason && reason.message || reason)); console.log('unhandled', String(reason), p instanceof Promise); }); process.on('rejectionHandled', (p) => console.log('handled later', p instanceof Promise));
Promise.reject(new Error('one')); const late = Promise.reject('two'); Promise.reject('caught').catch(() => {}); (async () => { throw 'three'; })(); new Promise((_, no) => no(undefined)); setTimeout(() => late.catch(() => {}), 2);
process.on('uncaughtException', (e, origin) => console.log('exception', e.message, origin)); process.on('uncaughtExceptionMonitor', (e, origin) => console.log('monitor', e.message, origin));
setTimeout(() => { throw new Error('in timer'); }, 4);
let rounds = 0; process.on('beforeExit', (code) => { console.log('beforeExit', code, rounds); if (rounds++ < 2) setTimeout(() => console.log('more work'), 1); });
process.on('exit', (code) => { console.log('exit', code, process.exitCode, rejected.length); setTimeout(() => console.log('never'), 0); process.exitCode = 0; });
