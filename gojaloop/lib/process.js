// The global process of Node.
const { EventEmitter } = load('emitter');
const { check: validate, argType, outOfRange } = load('nodeerrors');
const emit = EventEmitter.prototype.emit;

class process extends EventEmitter {}
Object.defineProperty(process.prototype, Symbol.toStringTag, { value: 'process', configurable: true });
const p = Object.create(process.prototype);

function exitCode(value) {
  if (value === undefined || value === null) return value;
  let n = value;
  if (typeof value === 'string' && value !== '' && !Number.isNaN(Number(value))) n = Number(value);
  if (typeof n !== 'number') throw argType('code', 'number', value);
  if (!Number.isInteger(n)) throw outOfRange('code', 'an integer', n);
  return n;
}
function stream(fd) {
  return {
    fd, isTTY: false, writable: true, columns: 80,
    write(chunk, encoding, done) {
      if (typeof chunk !== 'string' && !ArrayBuffer.isView(chunk)) throw argType('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk);
      native.write(fd, typeof chunk === 'string' ? chunk : native.utf8(chunk.buffer.slice(chunk.byteOffset, chunk.byteOffset + chunk.byteLength)));
      if (typeof encoding === 'function') done = encoding;
      if (typeof done === 'function') p.nextTick(done);
      return true;
    },
  };
}
function hrtime(before) {
  const ns = native.nanoseconds();
  let s = Math.floor(ns / 1e9), n = Math.floor(ns % 1e9);
  if (before !== undefined) {
    if (!Array.isArray(before)) throw argType('time', 'Array', before);
    if (before.length !== 2) throw outOfRange('time', 2, before.length);
    s -= before[0];
    n -= before[1];
    if (n < 0) { s--; n += 1e9; }
  }
  return [s, n];
}
hrtime.bigint = () => BigInt(Math.floor(native.nanoseconds()));

// A warning is printed whether somebody listens or not, as in Node (lib/internal/process/warning.js).
function emitWarning(warning, type, code) {
  let detail;
  if (type !== null && typeof type === 'object' && !Array.isArray(type)) {
    code = type.code;
    if (typeof type.detail === 'string') detail = type.detail;
    type = type.type || 'Warning';
  } else if (typeof type === 'function') {
    code = '';
    type = 'Warning';
  }
  if (type !== undefined) validate.string(type, 'type');
  if (typeof code === 'function') code = undefined;
  else if (code !== undefined) validate.string(code, 'code');
  if (typeof warning === 'string') {
    warning = new Error(warning);
    warning.name = String(type || 'Warning');
    if (code !== undefined) warning.code = code;
    if (detail !== undefined) warning.detail = detail;
  } else if (!(warning instanceof Error)) {
    throw argType('warning', ['Error', 'string'], warning);
  }
  if (warning.name === 'DeprecationWarning') {
    if (p.noDeprecation) return;
    if (p.throwDeprecation) { p.nextTick(() => { throw warning; }); return; }
  }
  p.nextTick(() => {
    if (!(warning.name === 'DeprecationWarning' && p.noDeprecation)) {
      native.write(2, `(node:${p.pid}) ${warning.code ? `[${warning.code}] ` : ''}${warning}${typeof warning.detail === 'string' ? `\n${warning.detail}` : ''}\n`);
    }
    p.emit('warning', warning);
  });
}

let capture = null;
const methods = {
  nextTick: native.nextTick,
  exit(code) { return native.exit(exitCode(code)); },
  reallyExit(code) { return native.exit(exitCode(code)); },
  abort() { native.exit(134); },
  hrtime,
  uptime: () => native.nanoseconds() / 1e9,
  cwd: () => '/',
  memoryUsage: () => ({ rss: native.heap(), heapTotal: native.heap(), heapUsed: native.heap(), external: 0, arrayBuffers: 0 }),
  emitWarning,
  setUncaughtExceptionCaptureCallback(fn) {
    if (fn !== null) {
      validate.func(fn, 'fn');
      if (capture !== null) {
        const e = new Error('`process.setupUncaughtExceptionCapture()` was called while a capture callback was already active');
        e.code = 'ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET';
        throw e;
      }
    }
    capture = fn;
  },
  hasUncaughtExceptionCaptureCallback: () => capture !== null,
};
for (const name of Object.keys(methods)) p[name] = methods[name];
p.title = 'loopjs';
p.pid = 1;
p.ppid = 0;
p.argv = native.argv();
p.argv0 = p.argv[0];
p.execPath = p.argv[0];
p.execArgv = [];
p.env = native.env();
p.platform = native.platform;
p.arch = native.arch;
p.version = 'v20.0.0';
p.versions = { node: '20.0.0', goja: '0' };
p.release = { name: 'node' };
p.config = { variables: {}, target_defaults: {} };
p.features = {};
p.stdout = stream(1);
p.stderr = stream(2);
Object.defineProperty(p, 'exitCode', {
  get: native.getExitCode,
  set(value) { native.setExitCode(exitCode(value)); },
  enumerable: true, configurable: false,
});
const call = (type, args) => Reflect.apply(emit, p, [type, ...args]);
return {
  process: p,
  emit(type, ...args) {
    if (type === 'uncaughtException') {
      const watched = p.listenerCount('uncaughtExceptionMonitor') > 0;
      if (watched) call('uncaughtExceptionMonitor', args);
      if (capture !== null) { capture(args[0]); return true; }
    }
    return call(type, args);
  },
  listens(type) { return p.listenerCount(type) > 0 || (type === 'uncaughtException' && (capture !== null || p.listenerCount('uncaughtExceptionMonitor') > 0)); },
};
