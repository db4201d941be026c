// The global process of Node.
const { EventEmitter } = load('emitter');
const emitter = EventEmitter.prototype.emit;

class process extends EventEmitter {}
Object.defineProperty(process.prototype, Symbol.toStringTag, { value: 'process', configurable: true });
const p = Object.create(process.prototype);

function codeError(value) {
  const e = new TypeError(`The "code" argument must be of type number. Received ${typeof value === 'string' ? `type string ('${value}')` : typeof value}`);
  e.code = 'ERR_INVALID_ARG_TYPE';
  return e;
}
function check(value) {
  if (value === undefined || value === null || Number.isInteger(value)) return value;
  if (typeof value === 'string' && value !== '' && Number.isInteger(Number(value))) return Number(value);
  throw codeError(value);
}
function stream(fd) {
  return {
    fd, isTTY: false, writable: true,
    write(chunk, encoding, done) {
      native.write(fd, String(chunk));
      if (typeof encoding === 'function') done = encoding;
      if (typeof done === 'function') p.nextTick(done);
      return true;
    },
  };
}
function hrtime(before) {
  const ns = native.nanoseconds();
  let s = Math.floor(ns / 1e9), n = Math.floor(ns % 1e9);
  if (before) {
    s -= before[0];
    n -= before[1];
    if (n < 0) { s--; n += 1e9; }
  }
  return [s, n];
}
hrtime.bigint = () => BigInt(Math.floor(native.nanoseconds()));

const methods = {
  nextTick: native.nextTick,
  exit(code) { return native.exit(check(code)); },
  reallyExit(code) { return native.exit(check(code)); },
  hrtime,
  uptime: () => native.nanoseconds() / 1e9,
  memoryUsage: () => ({ rss: native.heap(), heapTotal: native.heap(), heapUsed: native.heap(), external: 0, arrayBuffers: 0 }),
  emitWarning(warning, type) {
    const w = warning instanceof Error ? warning : new Error(String(warning));
    if (!(warning instanceof Error)) w.name = typeof type === 'string' ? type : (type && type.type) || 'Warning';
    p.nextTick(() => {
      if (!p.emit('warning', w)) native.write(2, `(${p.title}) ${w.name}: ${w.message}\n`);
    });
  },
  hasUncaughtExceptionCaptureCallback: () => false,
};
for (const name of Object.keys(methods)) p[name] = methods[name];
p.title = 'loopjs';
p.pid = 1;
p.argv = native.argv();
p.argv0 = p.argv[0];
p.execArgv = [];
p.env = native.env();
p.platform = native.platform;
p.arch = native.arch;
p.version = 'v20.0.0';
p.versions = { node: '20.0.0', goja: '0' };
p.stdout = stream(1);
p.stderr = stream(2);
Object.defineProperty(p, 'exitCode', {
  get: native.getExitCode,
  set(value) { native.setExitCode(check(value)); },
  enumerable: true, configurable: true,
});
return {
  process: p,
  emit(...args) { return Reflect.apply(emitter, p, args); },
  listens(type) { return p.listenerCount(type) > 0; },
};
