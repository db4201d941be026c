// Node's Buffer: a Uint8Array with encodings. Encoding, comparing and searching are Go's.
const { argType, outOfRange, coded, check } = load('nodeerrors');
const { bufferEncode, bufferDecode, bufferByteLength, bufferCompare, bufferIndexOf, bufferFill } = native;
const maxLength = 2 ** 30, maxString = 536870888;
const inspectCustom = Symbol.for('nodejs.util.inspect.custom');

const encodings = {
  __proto__: null, utf8: 'utf8', 'utf-8': 'utf8', utf16le: 'utf16le', 'utf-16le': 'utf16le', ucs2: 'utf16le', 'ucs-2': 'utf16le',
  latin1: 'latin1', binary: 'latin1', ascii: 'ascii', base64: 'base64', base64url: 'base64url', hex: 'hex',
};
const normalize = (encoding) => encodings[encoding] || (typeof encoding === 'string' ? encodings[encoding.toLowerCase()] : undefined);
const unknown = (encoding) => coded(TypeError, 'ERR_UNKNOWN_ENCODING', `Unknown encoding: ${encoding}`);
function known(encoding) {
  if (encoding === undefined || encoding === null || encoding === '') return 'utf8';
  const e = normalize(encoding);
  if (e === undefined) throw unknown(encoding);
  return e;
}

class FastBuffer extends Uint8Array {
  constructor(bufferOrLength, byteOffset, length) { super(bufferOrLength, byteOffset, length); }
}
function Buffer(arg, encodingOrOffset, length) {
  if (typeof arg === 'number') {
    if (typeof encodingOrOffset === 'string') throw argType('string', 'string', arg);
    return Buffer.alloc(arg);
  }
  return Buffer.from(arg, encodingOrOffset, length);
}
Object.setPrototypeOf(Buffer, Uint8Array);
Buffer.prototype = FastBuffer.prototype;
Object.defineProperty(Buffer.prototype, 'constructor', { __proto__: null, value: Buffer, writable: true, configurable: true });
Object.defineProperty(Buffer, Symbol.species, { __proto__: null, configurable: true, get: () => FastBuffer });
Object.defineProperty(Buffer, 'name', { __proto__: null, value: 'Buffer', configurable: true });
native.put(Buffer, 'poolSize', 8192);

const isView = (v) => ArrayBuffer.isView(v);
const isAnyBuffer = (v) => native.className(v) === 'ArrayBuffer' || Object.prototype.toString.call(v) === '[object SharedArrayBuffer]';
const bytesOf = (v) => (v instanceof Uint8Array ? v : new Uint8Array(v.buffer, v.byteOffset, v.byteLength));
const wrap = (buffer) => new FastBuffer(buffer);
function size(n) {
  if (typeof n !== 'number') throw argType('size', 'number', n);
  if (!(n >= 0 && n <= maxLength)) throw outOfRange('size', `>= 0 && <= ${maxLength}`, n);
  return n;
}

native.put(Buffer, 'from', function from(value, encodingOrOffset, length) {
  if (typeof value === 'string') return fromString(value, encodingOrOffset);
  if (typeof value === 'object' && value !== null) {
    if (isAnyBuffer(value)) return fromArrayBuffer(value, encodingOrOffset, length);
    const plain = value.valueOf && value.valueOf();
    if (plain !== null && plain !== undefined && plain !== value && (typeof plain === 'string' || typeof plain === 'object')) return from(plain, encodingOrOffset, length);
    const b = fromObject(value);
    if (b) return b;
    if (typeof value[Symbol.toPrimitive] === 'function') {
      const primitive = value[Symbol.toPrimitive]('string');
      if (typeof primitive === 'string') return fromString(primitive, encodingOrOffset);
    }
  }
  throw coded(TypeError, 'ERR_INVALID_ARG_TYPE', `The first argument must be of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object. Received ${native.received(value)}`);
});
function fromString(string, encoding) {
  let e = 'utf8';
  if (typeof encoding === 'string' && encoding.length > 0) {
    e = normalize(encoding);
    if (e === undefined) throw unknown(encoding);
  }
  return wrap(bufferEncode(string, e));
}
function fromArrayBuffer(buffer, offset, length) {
  if (offset === undefined) offset = 0;
  else {
    offset = +offset;
    if (Number.isNaN(offset)) offset = 0;
  }
  const most = buffer.byteLength - offset;
  if (most < 0) throw coded(RangeError, 'ERR_BUFFER_OUT_OF_BOUNDS', '"offset" is outside of buffer bounds');
  if (length === undefined) return new FastBuffer(buffer, offset);
  length = +length;
  if (!(length > 0)) length = 0;
  else if (length > most) throw coded(RangeError, 'ERR_BUFFER_OUT_OF_BOUNDS', '"length" is outside of buffer bounds');
  return new FastBuffer(buffer, offset, length);
}
function fromList(list) {
  const length = Math.max(0, Math.trunc(+list.length) || 0);
  if (length === 0) return new FastBuffer();
  const b = new FastBuffer(size(length));
  if (isView(list)) b.set(list);
  else for (let i = 0; i < length; i++) b[i] = list[i];
  return b;
}
function fromObject(value) {
  if (value.length !== undefined || isAnyBuffer(value.buffer)) return typeof value.length === 'number' ? fromList(value) : new FastBuffer();
  if (value.type === 'Buffer' && Array.isArray(value.data)) return fromList(value.data);
}
function pattern(fill, encoding) {
  if (typeof fill !== 'string') return fill;
  const e = encoding === undefined || encoding === null ? 'utf8' : known(encoding);
  const b = fromString(fill, e);
  if (fill.length > 0 && b.length === 0) throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', `The argument 'value' is invalid. Received ${native.inspectShort(fill)}`);
  return b;
}
native.put(Buffer, 'alloc', function alloc(n, fill, encoding) {
  const b = new FastBuffer(size(n));
  if (fill !== undefined && fill !== 0 && n > 0) {
    if (typeof encoding !== 'string' && encoding !== undefined) throw argType('encoding', 'string', encoding);
    fillWith(b, fill, 0, b.length, encoding);
  }
  return b;
});
native.put(Buffer, 'allocUnsafe', function allocUnsafe(n) { return new FastBuffer(size(n)); });
native.put(Buffer, 'allocUnsafeSlow', function allocUnsafeSlow(n) { return new FastBuffer(size(n)); });
function SlowBuffer(n) { return Buffer.allocUnsafeSlow(n); }
Object.setPrototypeOf(SlowBuffer.prototype, Uint8Array.prototype);
Object.setPrototypeOf(SlowBuffer, Uint8Array);

native.put(Buffer, 'isBuffer', function isBuffer(b) { return b instanceof Buffer; });
native.put(Buffer, 'isEncoding', function isEncoding(encoding) { return typeof encoding === 'string' && encoding.length !== 0 && normalize(encoding) !== undefined; });
native.put(Buffer, 'byteLength', function byteLength(string, encoding) {
  if (typeof string !== 'string') {
    if (isView(string) || isAnyBuffer(string)) return string.byteLength;
    throw argType('string', ['string', 'Buffer', 'ArrayBuffer'], string);
  }
  const e = normalize(encoding) || 'utf8';
  if (e === 'latin1' || e === 'ascii') return string.length;
  if (e === 'utf16le') return string.length * 2;
  if (e === 'hex') return string.length >>> 1;
  if (e === 'base64' || e === 'base64url') {
    let n = string.length;
    if (string.charCodeAt(n - 1) === 0x3d) n--;
    if (n > 1 && string.charCodeAt(n - 1) === 0x3d) n--;
    return (n * 3) >>> 2;
  }
  return bufferByteLength(string, e);
});
function mustBeBytes(v, name) { if (!(v instanceof Uint8Array)) throw argType(name, ['Buffer', 'Uint8Array'], v); }
native.put(Buffer, 'compare', function compare(a, b) {
  mustBeBytes(a, 'buf1');
  mustBeBytes(b, 'buf2');
  return a === b ? 0 : bufferCompare(a, b);
});
native.put(Buffer, 'concat', function concat(list, length) {
  if (!Array.isArray(list)) throw argType('list', 'Array', list);
  if (list.length === 0) return new FastBuffer();
  if (length === undefined) {
    length = 0;
    for (let i = 0; i < list.length; i++) if (list[i].length) length += list[i].length;
  } else {
    offset(length, 'length');
  }
  const b = new FastBuffer(size(length));
  let at = 0;
  for (let i = 0; i < list.length; i++) {
    const item = list[i];
    if (!(item instanceof Uint8Array)) throw argType(`list[${i}]`, ['Buffer', 'Uint8Array'], item);
    if (at + item.length > length) {
      b.set(item.subarray(0, length - at), at);
      at = length;
      break;
    }
    b.set(item, at);
    at += item.length;
  }
  return b;
});
native.put(Buffer, 'copyBytesFrom', function copyBytesFrom(view, start, length) {
  if (!isView(view) || view instanceof DataView) throw argType('view', 'TypedArray', view);
  if (view.length === 0) return new FastBuffer();
  if (start !== undefined) { offset(start, 'offset'); if (start >= view.length) return new FastBuffer(); } else start = 0;
  if (length !== undefined) offset(length, 'length');
  const part = view.slice(start, length === undefined ? undefined : start + length);
  return new FastBuffer(part.buffer, part.byteOffset, part.byteLength);
});
function integer(value, name, min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER) {
  if (typeof value !== 'number') throw argType(name, 'number', value);
  if (!Number.isInteger(value)) throw outOfRange(name, 'an integer', value);
  if (value < min || value > max) throw outOfRange(name, `>= ${min} && <= ${max}`, value);
}
const offset = (value, name) => integer(value, name, 0);

const proto = Buffer.prototype;
function define(methods) {
  native.define(proto, methods);
}
const clamp = (v, n, missing) => {
  if (v === undefined) return missing;
  v = Math.trunc(+v) || 0;
  return v < 0 ? 0 : v > n ? n : v;
};
Object.defineProperty(proto, 'parent', { __proto__: null, enumerable: true, get() { return this instanceof Buffer ? this.buffer : undefined; } });
Object.defineProperty(proto, 'offset', { __proto__: null, enumerable: true, get() { return this instanceof Buffer ? this.byteOffset : undefined; } });
define({
  copy(target, targetStart, start, end) {
    if (!isView(target)) throw argType('target', ['Buffer', 'Uint8Array'], target);
    const to = bytesOf(target), int = (v, name) => { v = Math.trunc(+v) || 0; if (v < 0) throw outOfRange(name, '>= 0', v); return v; };
    targetStart = targetStart === undefined ? 0 : int(targetStart, 'targetStart');
    start = start === undefined ? 0 : int(start, 'sourceStart');
    if (start > this.length) throw outOfRange('sourceStart', `>= 0 && <= ${this.length}`, start);
    end = end === undefined ? this.length : int(end, 'sourceEnd');
    if (targetStart >= to.length || start >= end) return 0;
    const n = Math.min(end - start, to.length - targetStart, this.length - start);
    if (n <= 0) return 0;
    to.set(Uint8Array.prototype.subarray.call(this, start, start + n), targetStart);
    return n;
  },
  toString(encoding, start, end) {
    if (arguments.length === 0) return bufferDecode(this, 'utf8');
    const n = this.length;
    start = start <= 0 ? 0 : start >= n ? n : Math.trunc(start) || 0;
    end = end === undefined ? n : Math.min(n, Math.trunc(+end) || 0);
    if (start >= n || end <= start) return '';
    return bufferDecode(this, encoding === undefined ? 'utf8' : named(encoding), start, end);
  },
  equals(other) {
    mustBeBytes(other, 'otherBuffer');
    return this === other || (this.byteLength === other.byteLength && bufferCompare(this, other) === 0);
  },
  compare(target, targetStart, targetEnd, start, end) {
    mustBeBytes(target, 'target');
    if (arguments.length === 1) return bufferCompare(this, target);
    if (targetStart === undefined) targetStart = 0; else offset(targetStart, 'targetStart');
    if (targetEnd === undefined) targetEnd = target.length; else integer(targetEnd, 'targetEnd', 0, target.length);
    if (start === undefined) start = 0; else offset(start, 'sourceStart');
    if (end === undefined) end = this.length; else integer(end, 'sourceEnd', 0, this.length);
    if (start >= end) return targetStart >= targetEnd ? 0 : -1;
    if (targetStart >= targetEnd) return 1;
    return bufferCompare(bytesOf(this).subarray(start, end), target.subarray(targetStart, targetEnd));
  },
  indexOf(value, from, encoding) { return find(this, value, from, encoding, true); },
  lastIndexOf(value, from, encoding) { return find(this, value, from, encoding, false); },
  includes(value, from, encoding) { return find(this, value, from, encoding, true) !== -1; },
  fill(value, start, end, encoding) {
    if (typeof value === 'string') {
      if (start === undefined || typeof start === 'string') { encoding = start; start = 0; end = this.length; } else if (typeof end === 'string') { encoding = end; end = this.length; }
      if (encoding !== undefined && typeof encoding !== 'string') throw argType('encoding', 'string', encoding);
    }
    if (start === undefined) { start = 0; end = this.length; } else {
      offset(start, 'offset');
      if (end === undefined) end = this.length; else integer(end, 'end', 0, this.length);
    }
    if (start < end) fillWith(this, value, start, end, encoding);
    return this;
  },
  write(string, start, length, encoding) {
    if (typeof string !== 'string') throw argType('argument', 'string', string);
    if (start === undefined) { start = 0; length = this.length; } else if (length === undefined && typeof start === 'string') { encoding = start; start = 0; length = this.length; } else {
      integer(start, 'offset', 0, this.length);
      const room = this.length - start;
      if (length === undefined) length = room;
      else if (typeof length === 'string') { encoding = length; length = room; } else { integer(length, 'length', 0, this.length); if (length > room) length = room; }
    }
    return put(this, string, start, length, encoding === undefined || encoding === '' ? 'utf8' : named(encoding));
  },
  toJSON() { return { type: 'Buffer', data: this.length > 0 ? Array.from(this) : [] }; },
  subarray(start, end) {
    const n = this.length;
    start = Math.trunc(+start) || 0;
    end = end === undefined ? n : Math.trunc(+end) || 0;
    if (start < 0) start = Math.max(0, start + n);
    if (end < 0) end = Math.max(0, end + n);
    start = Math.min(start, n);
    end = Math.min(end, n);
    return new FastBuffer(this.buffer, this.byteOffset + start, Math.max(0, end - start));
  },
  slice(start, end) { return this.subarray(start, end); },
  swap16() { return swap(this, 2); },
  swap32() { return swap(this, 4); },
  swap64() { return swap(this, 8); },
});
native.put(proto, 'toLocaleString', proto.toString);
function named(encoding) {
  const e = normalize(encoding);
  if (e === undefined) throw unknown(encoding);
  return e;
}
// put writes as many bytes of a string as have room, and no part of a character.
function put(b, string, start, length, encoding) {
  let bytes = new Uint8Array(bufferEncode(string, encoding));
  if (bytes.length > length) {
    let n = length;
    if (encoding === 'utf8') while (n > 0 && (bytes[n] & 0xc0) === 0x80) n--;
    if (encoding === 'utf16le') n -= n % 2;
    bytes = bytes.subarray(0, n);
  }
  Uint8Array.prototype.set.call(b, bytes, start);
  return bytes.length;
}
function fillWith(b, value, start, end, encoding) {
  let p;
  if (typeof value === 'string') p = value.length === 0 ? new Uint8Array(1) : pattern(value, encoding);
  else if (value instanceof Uint8Array || isView(value)) {
    p = bytesOf(value);
    if (p.length === 0) throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', `The argument 'value' is invalid. Received ${native.inspectShort(value)}`);
  } else p = Uint8Array.of(typeof value === 'boolean' ? +value : value & 255);
  bufferFill(b, p, start, end);
}
function find(b, value, from, encoding, forwards) {
  if (typeof from === 'string') { encoding = from; from = undefined; } else if (from > 0x7fffffff) from = 0x7fffffff; else if (from < -0x80000000) from = -0x80000000;
  from = +from;
  if (Number.isNaN(from)) from = forwards ? 0 : b.length;
  from = Math.trunc(from);
  if (from < 0) from += b.length;
  if (from < 0) { if (!forwards) return -1; from = 0; }
  let what, step = 1;
  if (typeof value === 'number') what = Uint8Array.of(value & 255);
  else if (typeof value === 'string') {
    const e = encoding === undefined ? 'utf8' : named(encoding);
    what = new Uint8Array(bufferEncode(value, e));
    if (e === 'utf16le') step = 2;
  } else if (value instanceof Uint8Array) { what = value; if (encoding !== undefined && normalize(encoding) === 'utf16le') step = 2; } else throw argType('value', ['number', 'string', 'Buffer', 'Uint8Array'], value);
  if (what.length === 0) return forwards ? Math.min(from, b.length) : Math.min(from, b.length);
  if (what.length > b.length) return -1;
  return bufferIndexOf(b, what, from, step, forwards);
}
function swap(b, n) {
  if (b.length % n !== 0) throw coded(RangeError, 'ERR_INVALID_BUFFER_SIZE', `Buffer size must be a multiple of ${n * 8}-bits`);
  for (let i = 0; i < b.length; i += n) {
    for (let j = 0; j < n / 2; j++) [b[i + j], b[i + n - 1 - j]] = [b[i + n - 1 - j], b[i + j]];
  }
  return b;
}
for (const e of ['ascii', 'base64', 'base64url', 'latin1', 'hex', 'ucs2', 'utf8']) {
  native.put(proto, `${e}Slice`, function (start, end) { return bufferDecode(this, encodings[e], start, end); });
  native.put(proto, `${e}Write`, function (string, start = 0, length = this.length - start) { return put(this, string, start, Math.min(length, this.length - start), encodings[e]); });
}

// Numbers.
const view = (b) => new DataView(b.buffer, b.byteOffset, b.byteLength);
function at(b, start, bytes) {
  if (typeof start !== 'number') throw argType('offset', 'number', start);
  if (start >= 0 && start + bytes <= b.length && Math.floor(start) === start) return start;
  if (Math.floor(start) !== start) throw outOfRange('offset', 'an integer', start);
  if (b.length - bytes < 0) throw coded(RangeError, 'ERR_BUFFER_OUT_OF_BOUNDS', 'Attempt to access memory outside buffer bounds');
  throw outOfRange('offset', `>= 0 && <= ${b.length - bytes}`, start);
}
function fits(value, min, max, bytes) {
  if (value > max || value < min) {
    const n = typeof min === 'bigint' ? 'n' : '';
    let range;
    if (bytes > 4 || n) range = min === 0 || min === 0n ? `>= 0${n} and < 2${n} ** ${bytes * 8}${n}` : `>= -(2${n} ** ${bytes * 8 - 1}${n}) and < 2${n} ** ${bytes * 8 - 1}${n}`;
    else range = `>= ${min}${n} and <= ${max}${n}`;
    throw outOfRange('value', range, value);
  }
}
function both(kind, name, bytes, min, max) {
  for (const [suffix, little] of bytes === 1 ? [['', true]] : [['LE', true], ['BE', false]]) {
    const read = function (start = 0) { return view(this)[`get${kind}`](at(this, start, bytes), little); };
    const write = function (value, start = 0) {
      if (typeof min === 'bigint' && typeof value !== 'bigint') throw argType('value', 'bigint', value);
      if (typeof min === 'number') value = +value;
      if (min !== undefined) fits(value, min, max, bytes);
      view(this)[`set${kind}`](at(this, start, bytes), value, little);
      return start + bytes;
    };
    for (const n of name.startsWith('UInt') || name.startsWith('BigUInt') ? [name, name.replace('UInt', 'Uint')] : [name]) {
      Object.defineProperty(read, 'name', { __proto__: null, value: `read${name}${suffix}`, configurable: true });
      native.put(proto, `read${n}${suffix}`, read);
      native.put(proto, `write${n}${suffix}`, write);
    }
  }
}
both('Uint8', 'UInt8', 1, 0, 0xff);
both('Int8', 'Int8', 1, -0x80, 0x7f);
both('Uint16', 'UInt16', 2, 0, 0xffff);
both('Int16', 'Int16', 2, -0x8000, 0x7fff);
both('Uint32', 'UInt32', 4, 0, 0xffffffff);
both('Int32', 'Int32', 4, -0x80000000, 0x7fffffff);
both('Float32', 'Float', 4);
both('Float64', 'Double', 8);
both('BigUint64', 'BigUInt64', 8, 0n, 0xffffffffffffffffn);
both('BigInt64', 'BigInt64', 8, -0x8000000000000000n, 0x7fffffffffffffffn);
function length(bytes) {
  if (typeof bytes !== 'number') throw argType('byteLength', 'number', bytes);
  if (!Number.isInteger(bytes)) throw outOfRange('byteLength', 'an integer', bytes);
  if (bytes < 1 || bytes > 6) throw outOfRange('byteLength', '>= 1 && <= 6', bytes);
}
for (const little of [true, false]) {
  const suffix = little ? 'LE' : 'BE';
  const unsigned = (b, start, bytes) => {
    let v = 0;
    for (let i = 0; i < bytes; i++) v = v * 256 + b[start + (little ? bytes - 1 - i : i)];
    return v;
  };
  const store = (b, value, start, bytes) => {
    for (let i = 0; i < bytes; i++) {
      const byte = ((value % 256) + 256) % 256;
      b[start + (little ? i : bytes - 1 - i)] = byte;
      value = (value - byte) / 256;
    }
    return start + bytes;
  };
  const methods = {
    [`readUInt${suffix}`](start, bytes) { if (start === undefined) throw argType('offset', 'number', start); length(bytes); return unsigned(this, at(this, start, bytes), bytes); },
    [`readInt${suffix}`](start, bytes) {
      if (start === undefined) throw argType('offset', 'number', start);
      length(bytes);
      const v = unsigned(this, at(this, start, bytes), bytes);
      return v >= 2 ** (8 * bytes - 1) ? v - 2 ** (8 * bytes) : v;
    },
    [`writeUInt${suffix}`](value, start, bytes) { length(bytes); value = +value; fits(value, 0, 2 ** (8 * bytes) - 1, bytes); return store(this, value, at(this, start, bytes), bytes); },
    [`writeInt${suffix}`](value, start, bytes) {
      length(bytes);
      value = +value;
      fits(value, -(2 ** (8 * bytes - 1)), 2 ** (8 * bytes - 1) - 1, bytes);
      return store(this, value, at(this, start, bytes), bytes);
    },
  };
  define(methods);
  native.put(proto, `readUint${suffix}`, methods[`readUInt${suffix}`]);
  native.put(proto, `writeUint${suffix}`, methods[`writeUInt${suffix}`]);
}

let shown = 50;
proto[inspectCustom] = function (depth, options) {
  const n = Math.min(shown, this.length), rest = this.length - n;
  let text = bufferDecode(this, 'hex', 0, n).replace(/(..)/g, '$1 ').trim();
  if (rest > 0) text += ` ... ${rest} more byte${rest > 1 ? 's' : ''}`;
  const extra = Object.keys(this).filter((k) => !/^\d+$/.test(k));
  if (extra.length && options) {
    const more = {};
    for (const k of extra) more[k] = this[k];
    text += (this.length ? ', ' : '') + load('inspect').inspect(more, { ...options, breakLength: Infinity, compact: true }).slice(2, -2);
  }
  return `<${this.constructor.name} ${text}>`;
};
native.put(proto, 'inspect', proto[inspectCustom]);

function transcode(source, from, to) {
  mustBeBytes(source, 'source');
  return Buffer.from(bufferDecode(source, known(from)), known(to));
}
const isText = (name) => (input) => {
  if (!isView(input) && !isAnyBuffer(input)) throw argType('input', ['ArrayBuffer', 'Buffer', 'TypedArray'], input);
  return native[name](isView(input) ? bytesOf(input) : new Uint8Array(input));
};
const { atob, btoa } = load('base64');
const constants = Object.freeze({ MAX_LENGTH: maxLength, MAX_STRING_LENGTH: maxString });
const buffer = {
  Buffer, SlowBuffer, transcode, isUtf8: isText('isUtf8'), isAscii: isText('isAscii'), kMaxLength: maxLength, kStringMaxLength: maxString,
  btoa, atob, constants, resolveObjectURL: () => undefined,
};
for (const name of ['Blob', 'File']) Object.defineProperty(buffer, name, { __proto__: null, enumerable: true, configurable: true, get: () => load('blob')[name] });
Object.defineProperty(buffer, 'INSPECT_MAX_BYTES', { __proto__: null, enumerable: true, configurable: true, get: () => shown, set(v) { if (typeof v !== 'number') throw argType('INSPECT_MAX_BYTES', 'number', v); shown = v; } });
return buffer;
