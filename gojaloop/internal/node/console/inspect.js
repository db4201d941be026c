// Formatting of values as by Node's util.inspect, with Node's default options.
const { own, quote, keyText, symbolText, constructorName, prefix, objectPrefix, functionBase, errorBase } = load('inspectnames');
const { layout } = load('inspectlayout');
const { regexpSource, regexpFlags, bufferLength, typedName, typedLength } = load('slots');
const custom = Symbol.for('nodejs.util.inspect.custom');
const defaults = {
  showHidden: false, depth: 2, colors: false, customInspect: true, showProxy: false, maxArrayLength: 100, maxStringLength: 10000,
  breakLength: 80, compact: 3, sorted: false, getters: false, numericSeparator: false,
};
const { entries: mapEntries } = Map.prototype, { values: setValues } = Set.prototype;
const enumerable = (o, key) => Object.prototype.propertyIsEnumerable.call(o, key);

function number(v, ctx) {
  if (!ctx.numericSeparator) return Object.is(v, -0) ? '-0' : `${v}`;
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(Object.is(v, -0) ? '-0' : `${v}`) || [];
  if (whole === undefined) return `${v}`;
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, '_') + fraction.replace(/(\d{3})(?=\d)/g, '$1_');
}
function primitive(v, ctx) {
  switch (typeof v) {
    case 'string': {
      let more = '';
      if (v.length > ctx.maxStringLength) {
        const rest = v.length - ctx.maxStringLength;
        v = v.slice(0, ctx.maxStringLength);
        more = `... ${rest} more character${rest > 1 ? 's' : ''}`;
      }
      if (ctx.compact !== true && v.length > 16 && v.length > ctx.breakLength - ctx.indent - 4) {
        return v.split(/(?<=\n)/).map(quote).join(` +\n${' '.repeat(ctx.indent + 2)}`) + more;
      }
      return quote(v) + more;
    }
    case 'number': return number(v, ctx);
    case 'bigint': return `${ctx.numericSeparator ? `${v}`.replace(/\B(?=(\d{3})+$)/g, '_') : v}n`;
    case 'symbol': return symbolText(v);
    default: return `${v}`;
  }
}

function isIndex(key, length) {
  if (typeof key !== 'string') return false;
  const n = Number(key);
  return `${n}` === key && Number.isInteger(n) && n >= 0 && n < length;
}
const functionKeys = ['length', 'name', 'prototype'];
function keysOf(v, ctx) {
  const symbols = Object.getOwnPropertySymbols(v);
  if (!ctx.showHidden) return symbols.length === 0 ? Object.keys(v) : [...Object.keys(v), ...symbols.filter((s) => enumerable(v, s))];
  let names = Object.getOwnPropertyNames(v);
  if (typeof v === 'function') names = [...functionKeys.filter((k) => names.includes(k)), ...names.filter((k) => !functionKeys.includes(k))];
  return [...names, ...symbols];
}

function show(ctx, v, level, typed) {
  if ((typeof v !== 'object' && typeof v !== 'function') || v === null) return primitive(v, ctx);
  const context = v;
  const target = native.proxyTarget(v);
  if (target !== undefined) {
    if (target === null) return '<Revoked Proxy>';
    if (ctx.showProxy) return showProxy(ctx, target, native.proxyHandler(v), level);
    v = target;
    for (let inner; (inner = native.proxyTarget(v)) !== undefined; v = inner) if (inner === null) return '<Revoked Proxy>';
  }
  if (ctx.customInspect) {
    const fn = v[custom];
    if (typeof fn === 'function' && fn !== inspect && !(v.constructor && v.constructor.prototype === v)) {
      const { indent, current, seen, circular, inspect: itself, options, ...user } = ctx;
      const depth = ctx.depth === null ? null : ctx.depth - level;
      const result = Reflect.apply(fn, context, [depth, { ...user, depth, stylize: (s) => `${s}` }, inspect]);
      if (result !== context) {
        if (typeof result !== 'string') return show(ctx, result, level);
        return result.replace(/\n/g, `\n${' '.repeat(ctx.indent)}`);
      }
    }
  }
  if (ctx.seen.includes(v)) {
    if (!ctx.circular.has(v)) ctx.circular.set(v, ctx.circular.size + 1);
    return `[Circular *${ctx.circular.get(v)}]`;
  }
  return raw(ctx, v, level, typed);
}
function showProxy(ctx, target, handler, level) {
  if (ctx.depth !== null && level > ctx.depth) return 'Proxy [Array]';
  ctx.indent += 2;
  const output = [show(ctx, target, level + 1), show(ctx, handler, level + 1)];
  ctx.indent -= 2;
  return layout(ctx, output, '', ['Proxy [', ']'], true, level + 1);
}

function property(ctx, v, key, level, isArray) {
  let text;
  const d = Object.getOwnPropertyDescriptor(v, key) || { value: v[key], enumerable: true };
  if (d.value !== undefined) {
    const step = ctx.compact !== true || isArray ? 2 : 3;
    ctx.indent += step;
    text = show(ctx, d.value, level);
    ctx.indent -= step;
  } else if (d.get !== undefined) {
    text = getter(ctx, v, d, level);
  } else {
    text = d.set !== undefined ? '[Setter]' : 'undefined';
  }
  return isArray ? text : `${keyText(key, d.enumerable !== false)}: ${text}`;
}
function getter(ctx, v, d, level) {
  const label = d.set !== undefined ? 'Getter/Setter' : 'Getter', { getters } = ctx;
  if (!(getters === true || (getters === 'get' && d.set === undefined) || (getters === 'set' && d.set !== undefined))) return `[${label}]`;
  try {
    const value = Reflect.apply(d.get, v, []);
    ctx.indent += 2;
    const text = value !== null && typeof value === 'object' ? `[${label}] ${show(ctx, value, level)}` : `[${label}: ${primitive(value, ctx)}]`;
    ctx.indent -= 2;
    return text;
  } catch (e) { return `[${label}: <Inspection threw (${e.message})>]`; }
}

const remaining = (n, what = 'item') => `... ${n} more ${what}${n > 1 ? 's' : ''}`;
// entriesOf shows the first entries of a collection that is not an array.
function entriesOf(ctx, list, each) {
  const max = Math.min(Math.max(0, ctx.maxArrayLength), list.length);
  ctx.indent += 2;
  const out = list.slice(0, max).map(each);
  ctx.indent -= 2;
  if (list.length > max) out.push(remaining(list.length - max));
  return out;
}
function arrayEntries(ctx, v, level) {
  const out = [], limit = Math.min(Math.max(0, ctx.maxArrayLength), v.length);
  let i = 0;
  while (i < v.length && out.length < limit) {
    if (own(v, i)) { out.push(property(ctx, v, String(i), level, true)); i++; continue; }
    const from = i;
    i = nextIndex(v, i);
    out.push(`<${i - from} empty item${i - from > 1 ? 's' : ''}>`);
  }
  if (v.length > i) out.push(remaining(v.length - i));
  return out;
}
// nextIndex finds the end of a hole, which may be billions of elements long.
function nextIndex(v, i) {
  for (let n = i; n < i + 1000; n++) if (n >= v.length || own(v, n)) return Math.min(n, v.length);
  for (const key of Object.keys(v)) { if (!isIndex(key, v.length)) break; if (Number(key) > i) return Number(key); }
  return v.length;
}
function typedEntries(ctx, v, level) {
  const length = typedLength(v), max = Math.min(Math.max(0, ctx.maxArrayLength), length);
  const out = Array.from({ length: max }, (_, i) => primitive(v[i], ctx));
  if (length > max) out.push(remaining(length - max));
  if (ctx.showHidden) {
    ctx.indent += 2;
    for (const key of ['BYTES_PER_ELEMENT', 'length', 'byteLength', 'byteOffset', 'buffer']) out.push(`[${key}]: ${show(ctx, v[key], level, true)}`);
    ctx.indent -= 2;
  }
  return out;
}
function bufferEntries(ctx, v) {
  if (native.isDetached(v)) return ['(detached)'];
  const length = bufferLength(v), max = Math.min(Math.max(0, ctx.maxArrayLength), length);
  const bytes = Array.from(new Uint8Array(v, 0, max), (b) => b.toString(16).padStart(2, '0')).join(' ');
  return [`[Uint8Contents]: <${bytes}${length > max ? ` ${remaining(length - max, 'byte')}` : ''}>`];
}
// kindOf decides how a value is shown: its text if that is all, or what goes before its properties, and its entries.
function kindOf(ctx, v, name, tag, keys, level, typed) {
  const className = native.className(v);
  const sized = (fallback, size) => prefix(name, tag, fallback, size === undefined ? '' : `(${size})`);
  const empty = keys.length === 0;
  if (Array.isArray(v)) {
    const front = name !== 'Array' || tag !== '' ? sized('Array', v.length) : '';
    return v.length === 0 && empty ? { text: `${front}[]` } : { braces: [`${front}[`, ']'], isArray: true, entries: () => arrayEntries(ctx, v, level + 1) };
  }
  if (typeof v === 'function') return { base: functionBase(v, name, tag) };
  switch (className) {
    case 'Set': {
      const list = [...Reflect.apply(setValues, v, [])], front = sized('Set', list.length);
      return list.length === 0 && empty ? { text: `${front}{}` } : { braces: [`${front}{`, '}'], entries: () => entriesOf(ctx, list, (x) => show(ctx, x, level + 1)) };
    }
    case 'Map': {
      const list = [...Reflect.apply(mapEntries, v, [])], front = sized('Map', list.length);
      return list.length === 0 && empty ? { text: `${front}{}` }
        : { braces: [`${front}{`, '}'], entries: () => entriesOf(ctx, list, ([k, x]) => `${show(ctx, k, level + 1)} => ${show(ctx, x, level + 1)}`) };
    }
    case 'TypedArray': {
      const length = typedLength(v), front = prefix(name, tag, name === null ? typedName(v) : '', `(${length})`);
      return length === 0 && empty && !ctx.showHidden ? { text: `${front}[]` } : { braces: [`${front}[`, ']'], isArray: true, entries: () => typedEntries(ctx, v, level + 1) };
    }
    case 'Arguments': return keys.length === 0 ? { text: '[Arguments] {}' } : { braces: ['[Arguments] {', '}'] };
    case 'RegExp': {
      const front = sized('RegExp');
      const base = `${front === 'RegExp ' ? '' : front}${name === null ? `/${regexpSource(v)}/${regexpFlags(v)}` : RegExp.prototype.toString.call(v)}`;
      return ctx.depth !== null && level > ctx.depth ? { text: base } : { base };
    }
    case 'Date': {
      const front = sized('Date'), time = Date.prototype.getTime.call(v);
      return { base: `${front === 'Date ' ? '' : front}${Number.isNaN(time) ? 'Invalid Date' : Date.prototype.toISOString.call(v)}` };
    }
    case 'ArrayBuffer':
      if (typed && empty) return { text: `${sized('ArrayBuffer')}{ byteLength: ${bufferLength(v)} }` };
      keys.unshift('byteLength');
      return { braces: [`${sized('ArrayBuffer')}{`, '}'], entries: typed ? undefined : () => bufferEntries(ctx, v) };
    case 'DataView':
      keys.unshift('byteLength', 'byteOffset', 'buffer');
      return { braces: [`${sized('DataView')}{`, '}'] };
    case 'Promise': {
      const [state, result] = native.promiseState(v);
      return { braces: [`${sized('Promise')}{`, '}'], entries: () => {
        if (state === 'pending') return ['<pending>'];
        return entriesOf(ctx, [result], (x) => (state === 'rejected' ? `<rejected> ${show(ctx, x, level + 1)}` : show(ctx, x, level + 1)));
      } };
    }
    case 'WeakSet': case 'WeakMap': return { braces: [`${sized(className)}{`, '}'], entries: () => ['<items unknown>'] };
    case 'Map Iterator': case 'Set Iterator': return { braces: [`[${tag}] {`, '}'], entries: () => ['<items unknown>'] };
  }
  if (className === 'Error' || v instanceof Error) return { base: errorBase(v, ctx, name, tag, keys) };
  const boxed = boxedValue(v, className);
  if (boxed !== undefined) {
    if (boxed[0] === 'String') keys.splice(0, keys.length, ...keys.filter((k) => !isIndex(k, boxed[1].length) && (k !== 'length' || ctx.showHidden)));
    let base = `[${boxed[0]}${name === null ? ' (null prototype)' : name !== boxed[0] ? ` (${name})` : ''}: ${primitive(boxed[1], { ...ctx, colors: false })}]`;
    if (tag !== '' && tag !== name) base += ` [${tag}]`;
    return { base };
  }
  const front = name === 'Object' && tag === '' ? '' : objectPrefix(v, name, tag);
  return empty ? { text: `${front}{}` } : { braces: [`${front}{`, '}'] };
}
const boxes = { Number, String, Boolean, Symbol, BigInt: typeof BigInt === 'function' ? BigInt : undefined };
function boxedValue(v, className) {
  return own(boxes, className) ? [className, Reflect.apply(boxes[className].prototype.valueOf, v, [])] : undefined;
}

function raw(ctx, v, level, typed) {
  const name = constructorName(v, ctx, level);
  let tag = v[Symbol.toStringTag];
  if (typeof tag !== 'string' || (tag !== '' && (ctx.showHidden ? own : enumerable)(v, Symbol.toStringTag))) tag = '';
  let keys = keysOf(v, ctx);
  if (Array.isArray(v)) keys = keys.filter((k) => !isIndex(k, v.length));
  else if (native.className(v) === 'TypedArray') keys = keys.filter((k) => !isIndex(k, typedLength(v)));
  const { text, base: start = '', braces = ['{', '}'], isArray = false, entries } = kindOf(ctx, v, name, tag, keys, level, typed);
  if (text !== undefined) return text;
  let base = start;
  if (base !== '' && keys.length === 0) return base;
  if (ctx.depth !== null && level > ctx.depth) {
    const shown = objectPrefix(v, name, tag).slice(0, -1);
    return name === null ? shown : `[${Array.isArray(v) && shown === 'Array' ? 'Array' : shown}]`;
  }
  ctx.seen.push(v);
  ctx.current = level + 1;
  const output = entries === undefined ? [] : entries();
  for (const key of keys) output.push(property(ctx, v, key, level + 1, false));
  if (ctx.circular.has(v)) {
    const reference = `<ref *${ctx.circular.get(v)}>`;
    if (ctx.compact === true) braces[0] = `${reference} ${braces[0]}`; else base = base === '' ? reference : `${reference} ${base}`;
  }
  ctx.seen.pop();
  if (ctx.sorted) {
    const comparator = ctx.sorted === true ? undefined : ctx.sorted;
    if (!isArray) output.sort(comparator); else output.push(...output.splice(output.length - keys.length).sort(comparator));
  }
  return layout(ctx, output, base, braces, isArray, level + 1, v);
}

native.inspectMapsWith(Map.prototype.forEach);
function inspect(value, options) {
  if (options === undefined && arguments.length <= 2) {
    const plain = native.inspectPlain(value);
    if (plain !== undefined) return plain;
  }
  const ctx = { ...defaults, indent: 0, current: 0, seen: [], circular: new Map(), inspect, options };
  if (arguments.length > 1) {
    if (arguments.length > 2) { if (arguments[2] !== undefined) ctx.depth = arguments[2]; if (arguments.length > 3 && arguments[3] !== undefined) ctx.colors = arguments[3]; }
    if (typeof options === 'boolean') ctx.showHidden = options;
    else if (options) for (const key of Object.keys(options)) if (own(defaults, key)) ctx[key] = options[key]; else if (key === 'stylize') ctx.stylize = options.stylize;
  }
  if (ctx.depth === Infinity) ctx.depth = null;
  if (ctx.maxArrayLength === null) ctx.maxArrayLength = Infinity;
  if (ctx.maxStringLength === null) ctx.maxStringLength = Infinity;
  return show(ctx, value, 0);
}
inspect.custom = custom;
// Go shows plain values with the default options that are here, so it stops when a script gets hold of them.
Object.defineProperty(inspect, 'defaultOptions', {
  __proto__: null,
  get() { native.inspectNothingPlain(); return defaults; },
  set(options) { native.inspectNothingPlain(); Object.assign(defaults, options); },
});

return { inspect, primitive, defaults };
