// The global process of Node.
const { EventEmitter } = load('emitter');
const { check: validate, argType, outOfRange, coded } = load('nodeerrors');

class process extends EventEmitter {}
Object.defineProperty(process.prototype, Symbol.toStringTag, { __proto__: null, value: 'process', configurable: true });
const p = Object.create(process.prototype);
Reflect.apply(EventEmitter.init, p, []);

// An exit code is kept as it was given: a number, a string that is one, undefined or null.
function exitCode(value) {
  if (value === undefined || value === null) return value;
  const n = typeof value === 'string' && value !== '' && !Number.isNaN(Number(value)) ? Number(value) : value;
  if (typeof n !== 'number') throw argType('code', 'number', value);
  if (!Number.isInteger(n)) throw outOfRange('code', 'an integer', n);
  return value;
}
// A stream is an emitter, but emits nothing: what is written is taken at once.
function stream(fd) {
  return native.define(new EventEmitter(), {
    fd, writable: true,
    write(chunk, encoding, done) {
      if (chunk === null) throw coded(TypeError, 'ERR_STREAM_NULL_VALUES', 'May not write null values to stream');
      if (typeof chunk !== 'string' && !ArrayBuffer.isView(chunk)) throw argType('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk);
      native.write(fd, typeof chunk === 'string' ? chunk : native.utf8(chunk.buffer.slice(chunk.byteOffset, chunk.byteOffset + chunk.byteLength)));
      if (typeof encoding === 'function') done = encoding;
      if (typeof done === 'function') p.nextTick(done);
      return true;
    },
    end(chunk, encoding, done) {
      if (typeof chunk === 'function') { done = chunk; chunk = undefined; }
      if (chunk !== undefined && chunk !== null) this.write(chunk);
      done = typeof encoding === 'function' ? encoding : done;
      if (typeof done === 'function') p.nextTick(done);
      return this;
    },
  });
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

// Node's lib/internal/process/warning.js: warnings are printed by a listener, which a script may remove.
function emitWarning(warning, type, code, ctor) {
  let detail;
  if (type !== null && typeof type === 'object' && !Array.isArray(type)) {
    ({ code, ctor } = type);
    if (typeof type.detail === 'string') detail = type.detail;
    type = type.type || 'Warning';
  } else if (typeof type === 'function') {
    ctor = type;
    code = undefined;
    type = 'Warning';
  }
  if (type !== undefined) validate.string(type, 'type');
  if (typeof code === 'function') { ctor = code; code = undefined; } else if (code !== undefined) validate.string(code, 'code');
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
  native.nextTick(() => p.emit('warning', warning));
}
function onWarning(warning) {
  if (!(warning instanceof Error) || (warning.name === 'DeprecationWarning' && p.noDeprecation)) return;
  const traced = p.traceProcessWarnings || (warning.name === 'DeprecationWarning' && p.traceDeprecation);
  const text = traced && warning.stack ? warning.stack : typeof warning.toString === 'function' ? warning.toString() : Reflect.apply(Error.prototype.toString, warning, []);
  native.write(2, `(node:${p.pid}) ${warning.code ? `[${warning.code}] ` : ''}${text}${typeof warning.detail === 'string' ? `\n${warning.detail}` : ''}\n`);
}

// The environment holds strings only.
const env = new Proxy(native.env(), {
  set(target, key, value) {
    if (typeof key === 'symbol' || typeof value === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
    target[key] = `${value}`;
    return true;
  },
});
function cpuUsage(before) {
  const now = native.cpuUsage(), parts = ['user', 'system'];
  if (before) {
    validate.object(before, 'prevValue');
    for (const part of parts) {
      const v = before[part];
      if (typeof v !== 'number') throw argType(`prevValue.${part}`, 'number', v);
      if (!(v >= 0 && v <= Number.MAX_SAFE_INTEGER)) throw coded(RangeError, 'ERR_INVALID_ARG_VALUE', `The property 'prevValue.${part}' is invalid. Received ${native.inspectShort(v)}`);
      now[part] -= v;
    }
  }
  return now;
}
const memoryUsage = native.define(
  () => ({ rss: native.memory('rss'), heapTotal: native.memory('total'), heapUsed: native.memory('used'), external: 0, arrayBuffers: 0 }),
  { rss: () => native.memory('rss') });

let capture = null;
const methods = {
  nextTick: native.nextTick,
  exit(code) {
    if (arguments.length !== 0) p.exitCode = code;
    if (!p._exiting) {
      p._exiting = true;
      p.emit('exit', p.exitCode || 0);
    }
    p.reallyExit(p.exitCode || 0);
  },
  reallyExit: native.exit,
  abort() { native.exit(134); },
  hrtime,
  uptime: () => native.nanoseconds() / 1e9,
  cwd: () => '/',
  cpuUsage,
  memoryUsage,
  emitWarning,
  setUncaughtExceptionCaptureCallback(fn) {
    if (fn !== null) {
      if (typeof fn !== 'function') throw argType('fn', ['function', 'null'], fn);
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
native.define(p, methods);
const argv = native.argv();
native.define(p, {
  title: 'loopjs',
  pid: 1,
  ppid: 0,
  argv: argv,
  argv0: argv[0],
  execPath: argv[0],
  execArgv: native.execArgv(),
  env: env,
  platform: native.platform,
  arch: native.arch,
  version: 'v20.0.0',
  versions: { node: '20.0.0', goja: '0' },
  release: { name: 'node' },
  config: { variables: {}, target_defaults: {} },
  features: { inspector: false, debug: false, uv: false, ipv6: false, tls_alpn: false, tls_sni: false, tls_ocsp: false, tls: false },
});
p.stdout = stream(1);
p.stderr = stream(2);
Object.defineProperty(p, 'exitCode', {
  __proto__: null,
  get: native.getExitCode,
  set(value) { native.setExitCode(exitCode(value)); },
  enumerable: true, configurable: false,
});
Object.defineProperty(p, '_exiting', {
  __proto__: null,
  get: native.getExiting, set: native.setExiting, enumerable: true, configurable: true,
});
const flag = (name) => p.execArgv.includes(name);
if (flag('--no-deprecation')) p.noDeprecation = true;
if (flag('--throw-deprecation')) p.throwDeprecation = true;
if (flag('--trace-deprecation')) p.traceDeprecation = true;
if (flag('--trace-warnings')) p.traceProcessWarnings = true;
if (!flag('--no-warnings') && p.env.NODE_NO_WARNINGS !== '1') p.on('warning', onWarning);
const monitor = 'uncaughtExceptionMonitor';
return {
  process: p,
  emit(type, ...args) {
    if (type === 'uncaughtException') {
      p.emit(monitor, ...args);
      if (capture !== null) { capture(args[0]); return true; }
    }
    return p.emit(type, ...args);
  },
  warn(...args) { if (typeof p.emitWarning === 'function') p.emitWarning(...args); },
  listens(type) { return p.listenerCount(type) > 0 || (type === 'uncaughtException' && (capture !== null || p.listenerCount(monitor) > 0)); },
};
