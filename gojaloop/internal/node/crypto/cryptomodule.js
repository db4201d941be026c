// Node's module crypto.
const { argType, outOfRange, coded, check } = load('nodeerrors');
const { Buffer } = load('buffer');
const { crypto: webcrypto } = load('crypto');
const { newHash, updateHash, sumHash, copyHash, secureBytes, equalBytes, deriveKey, crypt, parseKey, exportKey, generateKey, signBytes, verifyBytes } = native;

// bytes are those of an argument that may be a string.
function bytes(v, name, encoding) {
  if (typeof v === 'string') return Buffer.from(v, encoding === 'buffer' ? 'utf8' : encoding);
  if (ArrayBuffer.isView(v)) return v instanceof Uint8Array ? v : new Uint8Array(v.buffer, v.byteOffset, v.byteLength);
  if (native.className(v) === 'ArrayBuffer') return new Uint8Array(v);
  if (v instanceof KeyObject && v.type === 'secret') return v.export();
  throw argType(name, ['string', 'Buffer', 'TypedArray', 'DataView'], v);
}
const encoded = (b, encoding) => (encoding === undefined || encoding === 'buffer' ? b : b.toString(encoding));
function got(result, code = 'ERR_CRYPTO_OPERATION_FAILED') {
  if (typeof result === 'string') throw coded(Error, code, result);
  return Buffer.from(result);
}

const { Transform, Writable } = load('streammodule');
class Hash extends Transform {
  #state; #name; #done = false; #sum;
  constructor(name, state, options) {
    super(options);
    this.#name = name;
    this.#state = state;
  }
  update(data, encoding) {
    if (this.#done) throw coded(Error, 'ERR_CRYPTO_HASH_FINALIZED', 'Digest already called');
    updateHash(this.#state, bytes(data, 'data', encoding));
    return this;
  }
  digest(encoding) {
    if (this.#done) throw coded(Error, 'ERR_CRYPTO_HASH_FINALIZED', 'Digest already called');
    this.#done = true;
    return encoded(Buffer.from(sumHash(this.#state)), encoding);
  }
  copy(options) {
    if (this.#done) throw coded(Error, 'ERR_CRYPTO_HASH_FINALIZED', 'Digest already called');
    return new Hash(this.#name, copyHash(this.#state, this.#name), options);
  }
  _transform(chunk, encoding, done) { updateHash(this.#state, bytes(chunk, 'chunk', encoding)); done(); }
  _flush(done) { this.push(this.digest()); done(); }
}
class Hmac extends Transform {
  #state; #done = false;
  constructor(state, options) {
    super(options);
    this.#state = state;
  }
  update(data, encoding) {
    if (this.#done) throw coded(Error, 'ERR_CRYPTO_HASH_FINALIZED', 'Digest already called');
    updateHash(this.#state, bytes(data, 'data', encoding));
    return this;
  }
  digest(encoding) {
    if (this.#done) return encoded(Buffer.alloc(0), encoding);
    this.#done = true;
    return encoded(Buffer.from(sumHash(this.#state)), encoding);
  }
  _transform(chunk, encoding, done) { updateHash(this.#state, bytes(chunk, 'chunk', encoding)); done(); }
  _flush(done) { this.push(this.digest()); done(); }
}
function createHash(name, options) {
  check.string(name, 'algorithm');
  const state = newHash(name);
  if (state === undefined) throw new Error('Digest method not supported');
  return new Hash(name, state, options);
}
function createHmac(name, key, options) {
  check.string(name, 'hmac');
  const state = newHash(name, bytes(key, 'key'));
  if (state === undefined) throw coded(Error, 'ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${name}`);
  return new Hmac(state, options);
}
const hash = (name, data, encoding = 'hex') => createHash(name).update(data).digest(encoding);

function count(n, name, most = 2 ** 30) {
  if (typeof n !== 'number') throw argType(name, 'number', n);
  if (!(n >= 0 && n <= most)) throw outOfRange(name, `>= 0 && <= ${most}`, n);
  return n;
}
const soon = (done, make) => {
  check.func(done, 'callback');
  let value;
  try { value = make(); } catch (e) { setImmediate(() => done(e)); return; }
  setImmediate(() => done(null, value));
};
function randomBytes(n, done) {
  count(n, 'size');
  if (done !== undefined) return soon(done, () => Buffer.from(secureBytes(n)));
  return Buffer.from(secureBytes(n));
}
function randomFillSync(b, offset = 0, size) {
  const view = ArrayBuffer.isView(b) ? new Uint8Array(b.buffer, b.byteOffset, b.byteLength) : new Uint8Array(b);
  const n = size === undefined ? view.length - offset : size;
  count(offset, 'offset', view.length);
  if (n + offset > view.length) throw outOfRange('size + offset', `<= ${view.length}`, n + offset);
  view.set(new Uint8Array(secureBytes(n)), offset);
  return b;
}
function randomInt(min, max, done) {
  if (max === undefined || typeof max === 'function') { done = max; max = min; min = 0; }
  if (!Number.isSafeInteger(min)) throw argType('min', 'a safe integer', min);
  if (!Number.isSafeInteger(max)) throw argType('max', 'a safe integer', max);
  if (max <= min) throw outOfRange('max', `greater than the value of "min" (${min})`, max);
  const range = max - min;
  if (!(range <= 2 ** 48 - 1)) throw outOfRange(min === 0 ? 'max' : 'max - min', `<= ${2 ** 48 - 1}`, range);
  const pick = () => {
    const limit = 2 ** 48 - (2 ** 48 % range);
    for (;;) {
      const n = Buffer.from(secureBytes(6)).readUIntBE(0, 6);
      if (n < limit) return min + (n % range);
    }
  };
  return done === undefined ? pick() : soon(done, pick);
}
function timingSafeEqual(a, b) {
  for (const [v, name] of [[a, 'buf1'], [b, 'buf2']]) if (!ArrayBuffer.isView(v) && native.className(v) !== 'ArrayBuffer') throw argType(name, ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], v);
  if (a.byteLength !== b.byteLength) throw coded(RangeError, 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH', 'Input buffers must have the same byte length');
  return equalBytes(bytes(a), bytes(b));
}
function derived(kind, digest, secret, salt, more, length, now) {
  const result = deriveKey(kind, digest, bytes(secret, 'password'), bytes(salt, 'salt'), more, count(length, 'keylen'), now);
  if (typeof result === 'string') throw coded(TypeError, 'ERR_CRYPTO_INVALID_DIGEST', result);
  return result;
}
function rounds(n) {
  if (typeof n !== 'number') throw argType('iterations', 'number', n);
  if (!(n >= 1 && n <= 2 ** 31 - 1)) throw outOfRange('iterations', '>= 1 && <= 2147483647', n);
  return n;
}
const pbkdf2Sync = (secret, salt, iterations, length, digest) => Buffer.from(derived('pbkdf2', digest, secret, salt, rounds(iterations), length, true));
function pbkdf2(secret, salt, iterations, length, digest, done) {
  check.func(done, 'callback');
  derived('pbkdf2', digest, secret, salt, rounds(iterations), length, false).then((b) => native.nextTick(done, null, Buffer.from(b)), (e) => native.nextTick(done, e));
}
const hkdfSync = (digest, secret, salt, info, length) => derived('hkdf', digest, secret, salt, bytes(info, 'info'), length, true);
function hkdf(digest, secret, salt, info, length, done) {
  check.func(done, 'callback');
  derived('hkdf', digest, secret, salt, bytes(info, 'info'), length, false).then((b) => native.nextTick(done, null, b), (e) => native.nextTick(done, e));
}

// Ciphers. A message is held until final, but for counters, which need no more than what has come.
function cipherOf(name) {
  const m = /^aes-?(128|192|256)-(gcm|cbc|ctr|ecb)$/i.exec(name) || /^id-aes(128|192|256)-(gcm)$/i.exec(name);
  if (!m) throw coded(Error, 'ERR_CRYPTO_UNKNOWN_CIPHER', 'Unknown cipher');
  return [m[2].toLowerCase(), m[1] / 8];
}
class Cipher extends Transform {
  #mode; #encrypts; #key; #iv; #parts = []; #given = 0; #additional = []; #tag; #tagLength; #padding = true; #done = false;
  constructor(name, key, iv, options, encrypts) {
    super(options);
    const [mode, size] = cipherOf(name);
    this.#mode = mode;
    this.#encrypts = encrypts;
    this.#key = bytes(key, 'key');
    this.#iv = iv === null ? Buffer.alloc(0) : bytes(iv, 'iv');
    this.#tagLength = (options && options.authTagLength) || 16;
    if (this.#key.length !== size) throw coded(RangeError, 'ERR_CRYPTO_INVALID_KEYLEN', 'Invalid key length');
    if (mode === 'gcm' ? this.#iv.length === 0 : this.#iv.length !== (mode === 'ecb' ? 0 : 16)) throw coded(TypeError, 'ERR_CRYPTO_INVALID_IV', 'Invalid initialization vector');
  }
  // run has what came so far, which as a stream of keys gives what is new of it.
  #run(data) { return got(crypt(this.#mode, this.#encrypts, this.#key, this.#iv, data, Buffer.concat(this.#additional), this.#tagLength)); }
  update(data, from, to) {
    if (this.#done) throw coded(Error, 'ERR_CRYPTO_INVALID_STATE', 'Unsupported state');
    this.#parts.push(Buffer.from(bytes(data, 'data', from)));
    if (this.#mode === 'ctr' || this.#mode === 'gcm') {
      const all = Buffer.concat(this.#parts);
      this.#parts = [all];
      const out = this.#mode === 'ctr' ? this.#run(all) : this.#encrypts ? this.#run(all).subarray(0, all.length) : this.#counter(all);
      const part = out.subarray(this.#given);
      this.#given = all.length;
      return encoded(Buffer.from(part), to);
    }
    const all = Buffer.concat(this.#parts), whole = all.length - (all.length % 16);
    const ready = !this.#encrypts && this.#padding && whole === all.length && whole > 0 ? whole - 16 : whole;
    this.#parts = [all.subarray(ready)];
    if (ready === 0) return encoded(Buffer.alloc(0), to);
    const block = all.subarray(0, ready), out = this.#run(block);
    if (this.#mode === 'cbc') this.#iv = Buffer.from((this.#encrypts ? out : block).subarray(-16));
    return encoded(out, to);
  }
  // counter is what a GCM message is encrypted with, whose tag is not known yet.
  #counter(data) {
    if (this.#iv.length !== 12) return Buffer.alloc(data.length); // it comes with final
    return got(crypt('ctr', true, this.#key, Buffer.concat([this.#iv, Buffer.from([0, 0, 0, 2])]), data));
  }
  final(to) {
    if (this.#done) throw coded(Error, 'ERR_CRYPTO_INVALID_STATE', 'Unsupported state');
    this.#done = true;
    const all = Buffer.concat(this.#parts);
    if (this.#mode === 'gcm') {
      if (this.#encrypts) this.#tag = Buffer.from(this.#run(all).subarray(all.length));
      else {
        if (!this.#tag) throw new Error('Unsupported state or unable to authenticate data');
        const out = crypt('gcm', false, this.#key, this.#iv, Buffer.concat([all, this.#tag]), Buffer.concat(this.#additional), this.#tagLength);
        if (typeof out === 'string') throw new Error(out);
      }
      return encoded(Buffer.alloc(0), to);
    }
    if (this.#mode === 'ctr') return encoded(Buffer.alloc(0), to);
    if (this.#encrypts) {
      if (!this.#padding) { if (all.length) throw coded(Error, 'ERR_OSSL_WRONG_FINAL_BLOCK_LENGTH', 'error:1C80006A:Provider routines::wrong final block length'); return encoded(all, to); }
      const n = 16 - all.length;
      return encoded(this.#run(Buffer.concat([all, Buffer.alloc(n, n)])), to);
    }
    if (!this.#padding && all.length === 0) return encoded(all, to);
    if (all.length !== 16) throw coded(Error, 'ERR_OSSL_WRONG_FINAL_BLOCK_LENGTH', 'error:1C80006B:Provider routines::wrong final block length');
    const out = this.#run(all);
    if (!this.#padding) return encoded(out, to);
    const n = out[15];
    if (n < 1 || n > 16 || out.subarray(16 - n).some((b) => b !== n)) throw coded(Error, 'ERR_OSSL_BAD_DECRYPT', 'error:1C800064:Provider routines::bad decrypt');
    return encoded(Buffer.from(out.subarray(0, 16 - n)), to);
  }
  setAutoPadding(on = true) { this.#padding = !!on; return this; }
  setAAD(b) { this.#additional.push(Buffer.from(bytes(b, 'buffer'))); return this; }
  getAuthTag() {
    if (!this.#tag) throw coded(Error, 'ERR_CRYPTO_INVALID_STATE', 'Invalid state for operation getAuthTag');
    return this.#tag;
  }
  setAuthTag(tag, encoding) { this.#tag = Buffer.from(bytes(tag, 'buffer', encoding)); this.#tagLength = this.#tag.length; return this; }
  _transform(chunk, encoding, done) { try { this.push(this.update(chunk, encoding)); done(); } catch (e) { done(e); } }
  _flush(done) { try { this.push(this.final()); done(); } catch (e) { done(e); } }
}
class Cipheriv extends Cipher { constructor(name, key, iv, options) { super(name, key, iv, options, true); } }
class Decipheriv extends Cipher { constructor(name, key, iv, options) { super(name, key, iv, options, false); } }

// Keys.
const secret = {};
class KeyObject {
  #type; #value; #kind;
  constructor(type, value, kind, key) {
    if (key !== secret) throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', "The argument 'type' is invalid");
    this.#type = type;
    this.#value = value;
    this.#kind = kind;
  }
  get type() { return this.#type; }
  get asymmetricKeyType() { return this.#kind; }
  get symmetricKeySize() { return this.#type === 'secret' ? this.#value.length : undefined; }
  get asymmetricKeyDetails() { return this.#type === 'secret' ? undefined : {}; }
  equals(other) { return other instanceof KeyObject && other.type === this.#type && Buffer.compare(this.#bytes(), other.#bytes()) === 0; }
  #bytes() { return this.#type === 'secret' ? this.#value : Buffer.from(exportKey(this.#value, this.#type === 'private', 'pkcs8')); }
  export(options = {}) {
    if (this.#type === 'secret') return options.format === 'jwk' ? { kty: 'oct', k: this.#value.toString('base64url') } : Buffer.from(this.#value);
    const { type = this.#type === 'private' ? 'pkcs8' : 'spki', format = 'pem' } = options, der = got(exportKey(this.#value, this.#type === 'private', type));
    if (format === 'der') return der;
    const of = { spki: 'PUBLIC KEY', pkcs8: 'PRIVATE KEY', sec1: 'EC PRIVATE KEY', pkcs1: this.#type === 'private' ? 'RSA PRIVATE KEY' : 'RSA PUBLIC KEY' }[type];
    return `-----BEGIN ${of}-----\n${der.toString('base64').replace(/(.{1,64})/g, '$1\n')}-----END ${of}-----\n`;
  }
  static held(k) { return k.#value; }
}
const held = KeyObject.held;
delete KeyObject.held;
const createSecretKey = (key, encoding) => new KeyObject('secret', Buffer.from(bytes(key, 'key', encoding)), undefined, secret);
function keyOf(key, isPrivate) {
  let format = 'pem', source = key;
  if (key instanceof KeyObject) {
    if (isPrivate && key.type !== 'private') throw coded(TypeError, 'ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE', `Invalid key object type ${key.type}, expected private.`);
    return key;
  }
  if (typeof key === 'object' && key !== null && !ArrayBuffer.isView(key) && key.key !== undefined) {
    source = key.key;
    if (source instanceof KeyObject) return keyOf(source, isPrivate);
    format = key.format || 'pem';
  }
  if (typeof source !== 'string' && !ArrayBuffer.isView(source) && native.className(source) !== 'ArrayBuffer') throw argType('key', ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView', 'string', 'KeyObject', 'CryptoKey'], source);
  const parsed = parseKey(bytes(source, 'key'), format, isPrivate);
  if (typeof parsed === 'string') throw coded(Error, 'ERR_OSSL_UNSUPPORTED', parsed);
  return new KeyObject(isPrivate ? 'private' : 'public', parsed.held, parsed.kind, secret);
}
const createPrivateKey = (key) => keyOf(key, true);
function createPublicKey(key) {
  if (key instanceof KeyObject && key.type === 'public') throw coded(TypeError, 'ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE', 'Invalid key object type public, expected private.');
  const k = keyOf(key, false);
  return k.type === 'private' ? new KeyObject('public', held(k), k.asymmetricKeyType, secret) : k;
}
function generateKeyPairSync(kind, options = {}) {
  const made = generateKey(kind, kind === 'rsa' ? options.modulusLength : options.namedCurve);
  if (typeof made === 'string') throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', made);
  const publicKey = new KeyObject('public', made.held, made.kind, secret), privateKey = new KeyObject('private', made.held, made.kind, secret);
  return {
    publicKey: options.publicKeyEncoding ? publicKey.export(options.publicKeyEncoding) : publicKey,
    privateKey: options.privateKeyEncoding ? privateKey.export(options.privateKeyEncoding) : privateKey,
  };
}
function generateKeyPair(kind, options, done) {
  if (typeof options === 'function') { done = options; options = {}; }
  let pair;
  try { pair = generateKeyPairSync(kind, options); } catch (e) { setImmediate(() => done(e)); return; }
  setImmediate(() => done(null, pair.publicKey, pair.privateKey));
}
const padded = (key) => [key && key.padding === 6, key && key.saltLength, !!key && key.dsaEncoding === 'ieee-p1363'];
function sign(name, data, key) { return got(signBytes(held(keyOf(key, true)), name === null ? undefined : name, bytes(data, 'data'), ...padded(key))); }
function verify(name, data, key, signature) {
  const result = verifyBytes(held(keyOf(key, false)), name === null ? undefined : name, bytes(data, 'data'), ...padded(key), bytes(signature, 'signature'));
  if (typeof result === 'string') throw coded(Error, 'ERR_CRYPTO_OPERATION_FAILED', result);
  return result;
}
class Signing extends Writable {
  #name; #parts = [];
  constructor(name, options) {
    super(options);
    check.string(name, 'algorithm');
    if (newHash(name) === undefined) throw coded(Error, 'ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${name}`);
    this.#name = name;
  }
  update(data, encoding) { this.#parts.push(Buffer.from(bytes(data, 'data', encoding))); return this; }
  _write(chunk, encoding, done) { this.update(chunk, encoding); done(); }
  static use(s) { return [s.#name, Buffer.concat(s.#parts)]; }
}
const use = Signing.use;
delete Signing.use;
class Sign extends Signing { sign(key, encoding) { return encoded(sign(...use(this), key), encoding); } }
class Verify extends Signing { verify(key, signature, encoding) { return verify(...use(this), key, bytes(signature, 'signature', encoding)); } }

const absent = (name) => () => { throw coded(Error, 'ERR_METHOD_NOT_IMPLEMENTED', `crypto.${name} is not available here`); };
const module = {
  createHash, createHmac, hash, getHashes: () => native.hashNames(), randomBytes, pseudoRandomBytes: randomBytes, randomFillSync,
  randomFill(b, offset, size, done) {
    const args = [offset, size].filter((v) => typeof v !== 'function');
    soon([offset, size, done].find((v) => typeof v === 'function'), () => randomFillSync(b, ...args));
  },
  randomInt, randomUUID: (options) => webcrypto.randomUUID(options), timingSafeEqual, pbkdf2, pbkdf2Sync, hkdf, hkdfSync,
  createCipheriv: (...args) => new Cipheriv(...args), createDecipheriv: (...args) => new Decipheriv(...args), Cipheriv, Decipheriv,
  getCiphers: () => ['cbc', 'ctr', 'ecb', 'gcm'].flatMap((mode) => [128, 192, 256].map((n) => `aes-${n}-${mode}`)).sort(),
  KeyObject, createSecretKey, createPrivateKey, createPublicKey, generateKeyPair, generateKeyPairSync,
  generateKeySync: (kind, { length }) => createSecretKey(secureBytes(count(length, 'options.length') >> 3)),
  sign, verify, createSign: (name, options) => new Sign(name, options), createVerify: (name, options) => new Verify(name, options), Sign, Verify, Hash, Hmac,
  webcrypto, subtle: webcrypto.subtle, getRandomValues: (array) => webcrypto.getRandomValues(array),
  getCurves: () => ['prime256v1', 'secp224r1', 'secp384r1', 'secp521r1'], getFips: () => 0, setFips() {},
  constants: { RSA_PKCS1_PADDING: 1, RSA_PKCS1_OAEP_PADDING: 4, RSA_PKCS1_PSS_PADDING: 6, RSA_PSS_SALTLEN_DIGEST: -1, RSA_PSS_SALTLEN_MAX_SIGN: -2, RSA_PSS_SALTLEN_AUTO: -2 },
};
for (const name of ['scrypt', 'scryptSync', 'createDiffieHellman', 'createECDH', 'publicEncrypt', 'privateDecrypt', 'publicDecrypt', 'privateEncrypt', 'diffieHellman']) module[name] = absent(name);
return module;
