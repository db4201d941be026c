// Node's module zlib: gzip and deflate. A stream compresses when all has come.
const { argType, check, coded, outOfRange } = load('nodeerrors');
const { Buffer } = load('buffer');
const { Transform } = load('streammodule');
const { deflateBytes, inflateBytes } = native;

const codes = { __proto__: null, Z_STREAM_ERROR: -2, Z_DATA_ERROR: -3, Z_BUF_ERROR: -5 };
function bytes(v, name = 'buffer') {
  if (typeof v === 'string') return Buffer.from(v);
  if (ArrayBuffer.isView(v)) return new Uint8Array(v.buffer, v.byteOffset, v.byteLength);
  if (native.className(v) === 'ArrayBuffer') return new Uint8Array(v);
  throw argType(name, ['string', 'Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], v);
}
function got(result) {
  if (typeof result !== 'string') return Buffer.from(result);
  const at = result.indexOf(' '), code = result.slice(0, at), message = result.slice(at + 1);
  if (code.startsWith('ERR_')) throw coded(RangeError, code, message);
  const e = new Error(message);
  e.errno = codes[code];
  e.code = code;
  throw e;
}
function levelOf(options) {
  const level = options && options.level;
  if (level === undefined) return -1;
  if (typeof level !== 'number') throw argType('options.level', 'number', level);
  if (!(level >= -1 && level <= 9)) throw outOfRange('options.level', '>= -1 and <= 9', level);
  return level;
}
const zlib = {};
class Zlib extends Transform {
  #parts = []; #run;
  constructor(run, options) {
    super(options);
    this.#run = run;
    this.bytesWritten = 0;
  }
  _transform(chunk, encoding, done) { this.bytesWritten += chunk.length; this.#parts.push(Buffer.from(chunk)); done(); }
  _flush(done) {
    let out;
    try { out = this.#run(Buffer.concat(this.#parts)); } catch (e) { done(e); return; }
    for (let at = 0; at < out.length; at += 16384) this.push(out.subarray(at, at + 16384));
    done();
  }
  flush(kind, done) { if (typeof kind === 'function') done = kind; if (done) setImmediate(done); }
  close(done) { if (done) this.once('close', done); this.destroy(); }
  params(level, strategy, done) { setImmediate(done); }
}
function offer(name, format, inflates) {
  const method = name[0].toLowerCase() + name.slice(1);
  const limit = (options) => (options && options.maxOutputLength) || 2 ** 30;
  const run = (data, options) => got(inflates ? inflateBytes(format, bytes(data), limit(options)) : deflateBytes(format, bytes(data), levelOf(options)));
  zlib[name] = { [name]: class extends Zlib { constructor(options) { levelOf(options); super((data) => run(data, options), options); } } }[name];
  zlib[`create${name}`] = (options) => new zlib[name](options);
  zlib[`${method}Sync`] = { [`${method}Sync`]: (data, options) => run(data, options) }[`${method}Sync`];
  zlib[method] = { [method](data, options, done) {
    if (typeof options === 'function') { done = options; options = undefined; }
    check.func(done, 'callback');
    bytes(data);
    let error = null, out;
    try { out = run(data, options); } catch (e) { error = e; }
    setImmediate(() => (error ? done(error) : done(null, out)));
  } }[method];
}
offer('Gzip', 'gzip', false);
offer('Deflate', 'deflate', false);
offer('DeflateRaw', 'raw', false);
offer('Gunzip', 'gzip', true);
offer('Inflate', 'deflate', true);
offer('InflateRaw', 'raw', true);
offer('Unzip', 'unzip', true);
for (const name of ['BrotliCompress', 'BrotliDecompress']) {
  const refuse = () => { throw coded(Error, 'ERR_METHOD_NOT_IMPLEMENTED', 'Brotli is not available here: use gzip or deflate'); };
  zlib[name] = zlib[`create${name}`] = zlib[name[0].toLowerCase() + name.slice(1)] = zlib[`${name[0].toLowerCase() + name.slice(1)}Sync`] = refuse;
}
zlib.crc32 = (data, value = 0) => native.crc32(bytes(data, 'data'), value);
zlib.constants = Object.freeze({
  __proto__: null, Z_NO_FLUSH: 0, Z_PARTIAL_FLUSH: 1, Z_SYNC_FLUSH: 2, Z_FULL_FLUSH: 3, Z_FINISH: 4, Z_BLOCK: 5, Z_OK: 0, Z_STREAM_END: 1, Z_NEED_DICT: 2, Z_ERRNO: -1,
  Z_STREAM_ERROR: -2, Z_DATA_ERROR: -3, Z_MEM_ERROR: -4, Z_BUF_ERROR: -5, Z_VERSION_ERROR: -6, Z_NO_COMPRESSION: 0, Z_BEST_SPEED: 1, Z_BEST_COMPRESSION: 9, Z_DEFAULT_COMPRESSION: -1,
  Z_DEFAULT_STRATEGY: 0, Z_MIN_WINDOWBITS: 8, Z_MAX_WINDOWBITS: 15, Z_DEFAULT_WINDOWBITS: 15, Z_DEFAULT_CHUNK: 16384, Z_MIN_LEVEL: -1, Z_MAX_LEVEL: 9, Z_DEFAULT_LEVEL: -1,
  BROTLI_OPERATION_PROCESS: 0, BROTLI_OPERATION_FLUSH: 1, BROTLI_OPERATION_FINISH: 2, BROTLI_PARAM_QUALITY: 1, BROTLI_PARAM_MODE: 0, BROTLI_PARAM_SIZE_HINT: 5,
});
for (const name of Object.keys(zlib.constants)) if (name.startsWith('Z_')) zlib[name] = zlib.constants[name];
zlib.codes = Object.freeze({ ...codes, Z_OK: 0, Z_STREAM_END: 1 });
return zlib;
