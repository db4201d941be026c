// Formatting of values as by Node's util.inspect, with Node's default options.
const custom = Symbol.for('nodejs.util.inspect.custom');
const WIDTH = 80, SHORT = 72, COMPACT = 3;
const defaults = { depth: 2, showHidden: false, customInspect: true, breakLength: WIDTH, compact: COMPACT, maxArrayLength: 100, maxStringLength: 10000, sorted: false, getters: false };
const TypedArray = Object.getPrototypeOf(Uint8Array);
const typedTag = Object.getOwnPropertyDescriptor(TypedArray.prototype, Symbol.toStringTag).get;
const isView = ArrayBuffer.isView;

const escapes = { '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r', '\\': '\\\\' };
function quote(s) {
  let q = "'";
  if (s.includes("'")) { if (!s.includes('"')) q = '"'; else if (!s.includes('`') && !s.includes('${')) q = '`'; }
  let out = q;
  for (const c of s) {
    const code = c.codePointAt(0);
    if (escapes[c] !== undefined) out += escapes[c];
    else if (c === q) out += `\\${c}`;
    else if (code < 32 || (code >= 127 && code < 160)) out += `\\x${code.toString(16).toUpperCase().padStart(2, '0')}`;
    else if (code >= 0xd800 && code <= 0xdfff) out += `\\u${code.toString(16).toUpperCase()}`;
    else out += c;
  }
  return out + q;
}

function primitive(v, ctx, level) {
  switch (typeof v) {
    case 'string': {
      let text = v, more = '';
      if (ctx.maxStringLength < v.length) {
        const rest = v.length - ctx.maxStringLength;
        text = v.slice(0, ctx.maxStringLength);
        more = `... ${rest} more character${rest > 1 ? 's' : ''}`;
      }
      // Long strings with several lines are shown line by line.
      if (level > 0 && text.length > 16 && text.length > ctx.breakLength - ctx.indent - 4 && text.includes('\n')) {
        return text.split(/(?<=\n)/).map(quote).join(` +\n${' '.repeat(ctx.indent + 2)}`) + more;
      }
      return quote(text) + more;
    }
    case 'number': return Object.is(v, -0) ? '-0' : `${v}`;
    case 'bigint': return `${v}n`;
    case 'symbol': return Symbol.prototype.toString.call(v);
    default: return `${v}`;
  }
}

function constructorName(obj) {
  for (let o = obj, first = true; o !== null; o = Object.getPrototypeOf(o), first = false) {
    const d = Object.getOwnPropertyDescriptor(o, 'constructor');
    if (d !== undefined && typeof d.value === 'function' && d.value.name !== '' && isInstance(obj, d.value)) return d.value.name;
  }
  return null;
}
function isInstance(obj, f) { try { return obj instanceof f; } catch { return false; } }

function prefix(name, tag, fallback, size = '') {
  if (name === null) return tag !== '' && tag !== fallback ? `[${fallback}${size}: null prototype] [${tag}] ` : `[${fallback}${size}: null prototype] `;
  return tag !== '' && name !== tag ? `${name}${size} [${tag}] ` : `${name}${size} `;
}

const isName = /^[a-zA-Z_][a-zA-Z_0-9]*$/;
function keyText(key) {
  if (typeof key === 'symbol') return `[${Symbol.prototype.toString.call(key)}]`;
  if (key === '__proto__') return "['__proto__']";
  return isName.test(key) ? key : quote(key);
}
function isIndex(key, length) {
  const n = Number(key);
  return typeof key === 'string' && `${n}` === key && Number.isInteger(n) && n >= 0 && n < length;
}
function keysOf(v, ctx) {
  const names = ctx.showHidden ? Object.getOwnPropertyNames(v) : Object.keys(v);
  const symbols = Object.getOwnPropertySymbols(v).filter((s) => ctx.showHidden || Object.prototype.propertyIsEnumerable.call(v, s));
  return [...names, ...symbols];
}

function property(ctx, v, key, level, kind) {
  let text, extra = ' ';
  const d = Object.getOwnPropertyDescriptor(v, key) || { value: v[key], configurable: true, enumerable: true };
  if ('value' in d) {
    const diff = kind === 'array' ? 2 : 2;
    ctx.indent += diff;
    text = show(ctx, d.value, level);
    ctx.indent -= diff;
  } else if (d.get !== undefined) {
    text = d.set !== undefined ? '[Getter/Setter]' : '[Getter]';
  } else {
    text = d.set !== undefined ? '[Setter]' : 'undefined';
  }
  if (kind === 'array') return text;
  const name = d.enumerable === false ? `[${typeof key === 'symbol' ? Symbol.prototype.toString.call(key) : key}]` : keyText(key);
  return `${name}:${extra}${text}`;
}

function show(ctx, v, level, typed) {
  if ((typeof v !== 'object' && typeof v !== 'function') || v === null) return primitive(v, ctx, level);
  const target = native.proxyTarget(v);
  const context = v;
  if (target !== undefined) {
    if (target === null) return '<Revoked Proxy>';
    return show(ctx, target, level);
  }
  if (ctx.customInspect) {
    const fn = v[custom];
    if (typeof fn === 'function' && fn !== inspect && !(v.constructor && v.constructor.prototype === v)) {
      const depth = ctx.depth === null ? null : ctx.depth - level;
      const result = fn.call(context, depth, { ...ctx, depth, stylize: (s) => `${s}` }, inspect);
      if (result !== context) {
        if (typeof result !== 'object' || result === null) return `${result}`;
        return show(ctx, result, level).replace(/\n/g, `\n${' '.repeat(ctx.indent)}`);
      }
    }
  }
  if (ctx.seen.includes(v)) {
    if (!ctx.circular.has(v)) ctx.circular.set(v, ctx.circular.size + 1);
    return `[Circular *${ctx.circular.get(v)}]`;
  }
  return raw(ctx, v, level);
}

function functionBase(v, name, tag) {
  const source = Function.prototype.toString.call(v);
  if (source.startsWith('class') && source.endsWith('}')) {
    let base = `[class ${Object.prototype.hasOwnProperty.call(v, 'name') && v.name ? v.name : '(anonymous)'}`;
    if (name !== 'Function' && name !== null) base += ` [${name}]`;
    const parent = Object.getPrototypeOf(v);
    if (parent !== Function.prototype && parent !== null && parent.name) base += ` extends ${parent.name}`;
    else if (parent === null) base += ' extends null';
    return `${base}]`;
  }
  const async = /^(async\b)/.test(source), generator = /^(async\s+)?(function\s*)?\*/.test(source);
  let type = 'Function';
  if (generator) type = `Generator${type}`;
  if (async) type = `Async${type}`;
  let base = `[${type}`;
  if (name === null) base += ' (null prototype)';
  base += v.name === '' ? ' (anonymous)' : `: ${String(v.name)}`;
  base += ']';
  if (name !== type && name !== null && name !== 'Function') base += ` ${name}`;
  if (tag !== '' && name !== tag) base += ` [${tag}]`;
  return base;
}

function errorBase(v, ctx, keys) {
  const name = v.name == null ? 'Error' : String(v.name), message = String(v.message);
  let stack = typeof v.stack === 'string' ? v.stack : '';
  let head = message === '' ? name : `${name}: ${message}`;
  const own = constructorName(v);
  if (own !== null && name === 'Error' && own !== 'Error' && !own.includes(name)) head = head.replace(/^Error/, `${own} [Error]`.replace(/^(\w+) \[Error\]$/, '$1'));
  if (typeof v.code === 'string' && v.code.startsWith('ERR_') && name.endsWith('Error') && own === name) head = message === '' ? `${name} [${v.code}]` : `${name} [${v.code}]: ${message}`;
  const lines = native.cleanStack(stack);
  for (const key of ['name', 'message', 'stack']) {
    const i = keys.indexOf(key);
    if (i >= 0 && stack.includes(String(v[key]))) keys.splice(i, 1);
  }
  if ('cause' in v && Object.prototype.hasOwnProperty.call(v, 'cause') && !keys.includes('cause')) keys.push('cause');
  if (Array.isArray(v.errors) && Object.prototype.hasOwnProperty.call(v, 'errors') && !keys.includes('errors')) keys.push('errors');
  let text = lines === '' ? (stack !== '' && !stack.startsWith(name) ? `[${stack}]` : `[${head}]`) : `${head}\n${lines}`;
  if (ctx.indent !== 0) text = text.replace(/\n/g, `\n${' '.repeat(ctx.indent)}`);
  return text;
}

function raw(ctx, v, level) {
  let keys, base = '', braces, kind = 'object', entries = () => [];
  const name = constructorName(v);
  let tag = '';
  try { tag = v[Symbol.toStringTag]; } catch { tag = ''; }
  if (typeof tag !== 'string' || (tag !== '' && (ctx.showHidden ? Object.prototype.hasOwnProperty : Object.prototype.propertyIsEnumerable).call(v, Symbol.toStringTag))) tag = '';
  const kindOf = native.className(v), state = native.promiseState(v);
  const named = (fallback, size) => prefix(name, tag, fallback, size);
  keys = keysOf(v, ctx);
  if (Array.isArray(v)) {
    keys = keys.filter((k) => !isIndex(k, v.length));
    const p = name !== 'Array' || tag !== '' ? named('Array', `(${v.length})`) : '';
    braces = [`${p}[`, ']'];
    if (v.length === 0 && keys.length === 0) return `${braces[0]}]`;
    kind = 'array';
    entries = () => arrayEntries(ctx, v, level + 1);
  } else if (v instanceof Set && kindOf !== 'Function') {
    braces = [`${named('Set', `(${v.size})`)}{`, '}'];
    if (v.size === 0 && keys.length === 0) return `${braces[0]}}`;
    entries = () => { ctx.indent += 2; const out = [...Set.prototype.values.call(v)].map((x) => show(ctx, x, level + 1)); ctx.indent -= 2; return out; };
  } else if (v instanceof Map) {
    braces = [`${named('Map', `(${v.size})`)}{`, '}'];
    if (v.size === 0 && keys.length === 0) return `${braces[0]}}`;
    entries = () => { ctx.indent += 2; const out = [...Map.prototype.entries.call(v)].map(([k, x]) => `${show(ctx, k, level + 1)} => ${show(ctx, x, level + 1)}`); ctx.indent -= 2; return out; };
  } else if (isView(v) && !(v instanceof DataView)) {
    keys = keys.filter((k) => !isIndex(k, v.length));
    const type = typedTag.call(v);
    braces = [`${prefix(name, tag, type, `(${v.length})`)}[`, ']'];
    if (v.length === 0 && keys.length === 0) return `${braces[0]}]`;
    kind = 'array';
    entries = () => more([...v.subarray(0, ctx.maxArrayLength)].map((x) => primitive(x, ctx, level)), v.length, ctx);
  } else if (typeof v === 'function') {
    base = functionBase(v, name, tag);
    keys = keys.filter((k) => k !== 'prototype' || ctx.showHidden);
    if (keys.length === 0) return base;
    braces = ['{', '}'];
  } else if (kindOf === 'RegExp') {
    base = RegExp.prototype.toString.call(v);
    if (name !== 'RegExp') base = `${named('RegExp')}${base}`;
    keys = keys.filter((k) => k !== 'lastIndex');
    if (keys.length === 0) return base;
    braces = ['{', '}'];
  } else if (kindOf === 'Date') {
    base = Number.isNaN(Date.prototype.getTime.call(v)) ? 'Invalid Date' : Date.prototype.toISOString.call(v);
    if (name !== 'Date') base = `${named('Date')}${base}`;
    if (keys.length === 0) return base;
    braces = ['{', '}'];
  } else if (kindOf === 'Error' || v instanceof Error) {
    base = errorBase(v, ctx, keys);
    if (keys.length === 0) return base;
    braces = ['{', '}'];
  } else if (v instanceof ArrayBuffer) {
    braces = [`${named('ArrayBuffer')}{`, '}'];
    entries = () => {
      const bytes = [...new Uint8Array(v).subarray(0, 50)].map((b) => b.toString(16).padStart(2, '0')).join(' ');
      const rest = v.byteLength - 50;
      return [`[Uint8Contents]: <${bytes}${rest > 0 ? ` ... ${rest} more byte${rest > 1 ? 's' : ''}` : ''}>`, `byteLength: ${v.byteLength}`];
    };
  } else if (v instanceof DataView) {
    braces = [`${named('DataView')}{`, '}'];
    entries = () => ['byteLength', 'byteOffset', 'buffer'].map((k) => { ctx.indent += 2; const s = `${k}: ${show(ctx, v[k], level + 1)}`; ctx.indent -= 2; return s; });
  } else if (state) {
    braces = [`${named('Promise')}{`, '}'];
    entries = () => {
      if (state[0] === 'pending') return ['<pending>'];
      ctx.indent += 2;
      const s = show(ctx, state[1], level + 1);
      ctx.indent -= 2;
      return [state[0] === 'rejected' ? `<rejected> ${s}` : s];
    };
  } else if (v instanceof WeakSet || v instanceof WeakMap) {
    braces = [`${named('WeakMap')}{`, '}'];
    entries = () => ['<items unknown>'];
  } else if (kindOf === 'Number' || kindOf === 'String' || kindOf === 'Boolean' || kindOf === 'Symbol' || kindOf === 'BigInt') {
    const value = v.valueOf();
    if (kindOf === 'String') keys = keys.filter((k) => !isIndex(k, value.length) && k !== 'length');
    base = `[${kindOf}${name !== kindOf ? (name === null ? ' (null prototype)' : ` (${name})`) : ''}: ${typeof value === 'object' ? String(value) : primitive(value, { ...ctx, maxStringLength: Infinity }, 0)}]`;
    if (tag !== '' && tag !== name) base += ` [${tag}]`;
    if (keys.length === 0) return base;
    braces = ['{', '}'];
  } else if (kindOf === 'Arguments') {
    braces = ['[Arguments] {', '}'];
    if (keys.length === 0) return '[Arguments] {}';
  } else {
    if (tag.endsWith(' Iterator')) {
      braces = [`[${tag}] {`, '}'];
    } else if (name === 'Object' && tag === '') {
      braces = ['{', '}'];
      if (keys.length === 0) return '{}';
    } else {
      braces = [`${named('Object')}{`, '}'];
      if (keys.length === 0) return `${braces[0]}}`;
    }
  }
  if (ctx.depth !== null && level > ctx.depth) {
    return `[${Array.isArray(v) ? 'Array' : name === null ? named('Object').slice(1, -2) : tag !== '' && tag !== name ? `${name} [${tag}]` : name}]`;
  }
  ctx.seen.push(v);
  ctx.current = level;
  const output = entries();
  for (const key of keys) output.push(property(ctx, v, key, level + 1, 'object'));
  ctx.seen.pop();
  if (ctx.circular.has(v)) {
    const reference = `<ref *${ctx.circular.get(v)}>`;
    if (base === '') braces[0] = `${reference} ${braces[0]}`; else base = `${reference} ${base}`;
  }
  if (ctx.sorted) output.sort();
  return single(ctx, output, base, braces, kind, level, v);
}

function more(out, length, ctx) {
  const rest = length - ctx.maxArrayLength;
  if (rest > 0) out.push(`... ${rest} more item${rest > 1 ? 's' : ''}`);
  return out;
}

function arrayEntries(ctx, v, level) {
  const out = [];
  const limit = Math.min(ctx.maxArrayLength, v.length);
  let i = 0, shown = 0;
  while (i < v.length && shown < limit) {
    if (Object.prototype.hasOwnProperty.call(v, i)) {
      out.push(property(ctx, v, String(i), level, 'array'));
      i++;
    } else {
      const from = i;
      while (i < v.length && !Object.prototype.hasOwnProperty.call(v, i)) i++;
      out.push(`<${i - from} empty item${i - from > 1 ? 's' : ''}>`);
    }
    shown++;
  }
  const rest = v.length - i;
  if (rest > 0) out.push(`... ${rest} more item${rest > 1 ? 's' : ''}`);
  return out;
}

// single puts entries on one line if they are short and few levels deep, or else each on its own.
function single(ctx, output, base, braces, kind, level, value) {
  const count = output.length;
  if (kind === 'array' && count > 6) output = columns(ctx, output, value);
  if (ctx.compact !== false && ctx.current - level < ctx.compact && count === output.length) {
    const start = output.length + ctx.indent + braces[0].length + base.length + 10;
    let total = output.length + start;
    let fits = total + output.length <= ctx.breakLength;
    for (let i = 0; fits && i < output.length; i++) {
      total += output[i].length;
      fits = total <= ctx.breakLength;
    }
    if (fits && (base === '' || !base.includes('\n'))) {
      const joined = output.join(', ');
      if (!joined.includes('\n')) return `${base ? `${base} ` : ''}${braces[0]} ${joined} ${braces[1]}`;
    }
  }
  const indent = `\n${' '.repeat(ctx.indent)}`;
  return `${base ? `${base} ` : ''}${braces[0]}${indent}  ${output.join(`,${indent}  `)}${indent}${braces[1]}`;
}

// columns sets the entries of a long array in columns.
function columns(ctx, output, value) {
  let total = 0, longest = 0;
  let length = output.length;
  if (value !== undefined && ctx.maxArrayLength < output.length) length--; // the line that counts the rest
  const widths = [];
  for (let i = 0; i < length; i++) {
    widths.push(output[i].length);
    total += output[i].length + 2;
    longest = Math.max(longest, output[i].length);
  }
  const width = longest + 2;
  if (width * 3 + ctx.indent >= ctx.breakLength || !(total / width > 5 || longest <= 6)) return output;
  const biased = Math.max(width - 3 - Math.sqrt(width - total / output.length), 1);
  const n = Math.min(Math.round(Math.sqrt(2.5 * biased * length) / biased), Math.floor((ctx.breakLength - ctx.indent) / width), COMPACT * 4, 15);
  if (n <= 1) return output;
  const lines = [], sizes = [];
  for (let i = 0; i < n; i++) {
    let size = 0;
    for (let j = i; j < length; j += n) size = Math.max(size, widths[j]);
    sizes.push(size + 2);
  }
  let numeric = value !== undefined;
  for (let i = 0; numeric && i < output.length && i < value.length; i++) numeric = typeof value[i] === 'number' || typeof value[i] === 'bigint';
  for (let i = 0; i < length; i += n) {
    const max = Math.min(i + n, length);
    let line = '', j = i;
    for (; j < max - 1; j++) {
      const cell = `${output[j]}, `;
      line += numeric ? cell.padStart(sizes[j - i]) : cell.padEnd(sizes[j - i]);
    }
    line += numeric ? output[j].padStart(sizes[j - i] - 2) : output[j];
    lines.push(line);
  }
  if (ctx.maxArrayLength < output.length) lines.push(output[length]);
  return lines;
}

function inspect(value, options, legacyDepth) {
  const ctx = { ...defaults, indent: 0, current: 0, seen: [], circular: new Map() };
  if (options === true || options === false) ctx.showHidden = options;
  else if (options) for (const key of Object.keys(defaults)) if (options[key] !== undefined) ctx[key] = options[key];
  if (legacyDepth !== undefined) ctx.depth = legacyDepth;
  if (ctx.depth === Infinity) ctx.depth = null;
  if (ctx.maxArrayLength === null) ctx.maxArrayLength = Infinity;
  if (ctx.maxStringLength === null) ctx.maxStringLength = Infinity;
  return show(ctx, value, 0);
}
inspect.custom = custom;
inspect.defaultOptions = defaults;

return { inspect, primitive, defaults };
