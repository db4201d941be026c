// How util.inspect names things: strings in quotes, keys, classes, functions, errors.
const own = (o, key) => Object.prototype.hasOwnProperty.call(o, key);
const symbolText = (s) => Symbol.prototype.toString.call(s);

const escapes = { '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r', '\\': '\\\\', '\v': '\\x0B' };
function escape(c) {
  const code = c.codePointAt(0);
  if (escapes[c] !== undefined) return escapes[c];
  if (code < 32 || (code >= 127 && code < 160)) return `\\x${code.toString(16).toUpperCase().padStart(2, '0')}`;
  return code >= 0xd800 && code <= 0xdfff ? `\\u${code.toString(16)}` : c;
}
const plain = /^[\x20-\x26\x28-\x5b\x5d-\x7e]*$/; // needs no escapes in single quotes
function quote(s) {
  if (plain.test(s)) return `'${s}'`;
  let q = "'";
  if (s.includes("'")) { if (!s.includes('"')) q = '"'; else if (!s.includes('`') && !s.includes('${')) q = '`'; }
  let out = q;
  for (const c of s) out += c === q && q === "'" ? "\\'" : escape(c);
  return out + q;
}
const isName = /^[a-zA-Z_][a-zA-Z_0-9]*$/;
function keyText(key, enumerable = true) {
  if (typeof key === 'symbol') return `[${Array.from(symbolText(key), escape).join('')}]`;
  if (key === '__proto__') return "['__proto__']";
  if (!enumerable) return `[${Array.from(key, escape).join('')}]`;
  return isName.test(key) ? key : quote(key);
}

function isInstance(obj, C) { try { return obj instanceof C; } catch { return false; } }
// constructorName is the name of the class of an object, or null for one that has no prototype.
function constructorName(obj, ctx, level) {
  let first;
  for (let o = obj; o !== null; o = Object.getPrototypeOf(o), first = first === undefined ? o : first) {
    const d = Object.getOwnPropertyDescriptor(o, 'constructor');
    if (d !== undefined && typeof d.value === 'function' && d.value.name !== '' && isInstance(obj, d.value)) return String(d.value.name);
  }
  if (first === null) return null;
  const name = internalName(obj);
  if (ctx.depth !== null && level > ctx.depth) return `${name} <Complex prototype>`;
  const inner = constructorName(first, ctx, level + 1);
  return `${name} <${inner === null ? ctx.inspect(first, { ...ctx.options, customInspect: false, depth: -1 }) : inner}>`;
}
// internalName is the name of the class that an object was made as, whatever its prototype is now.
function internalName(obj) {
  const name = native.className(obj);
  if (name === 'TypedArray') return load('slots').typedName(obj);
  return name === undefined || name === 'global' ? 'Object' : name;
}
function prefix(name, tag, fallback, size = '') {
  if (name === null) return tag !== '' && tag !== fallback ? `[${fallback}${size}: null prototype] [${tag}] ` : `[${fallback}${size}: null prototype] `;
  return tag !== '' && name !== tag ? `${name}${size} [${tag}] ` : `${name}${size} `;
}
function objectPrefix(v, name, tag) {
  let fallback = '';
  if (name === null) { fallback = internalName(v); if (fallback === tag) fallback = 'Object'; }
  return prefix(name, tag, fallback);
}

function functionBase(v, name, tag) {
  const source = Function.prototype.toString.call(v);
  if (/^class\b/.test(source) && source.endsWith('}')) {
    let base = `class ${(own(v, 'name') && v.name) || '(anonymous)'}`;
    if (name !== 'Function' && name !== null) base += ` [${name}]`;
    if (tag !== '' && name !== tag) base += ` [${tag}]`;
    if (name === null) return `[${base} extends [null prototype]]`;
    const parent = Object.getPrototypeOf(v).name;
    return parent ? `[${base} extends ${parent}]` : `[${base}]`;
  }
  let type = 'Function';
  if (/^(async\s+)?(function\s*\*|\*)/.test(source)) type = `Generator${type}`;
  if (/^async\b/.test(source)) type = `Async${type}`;
  let base = `[${type}${name === null ? ' (null prototype)' : ''}${v.name === '' ? ' (anonymous)' : `: ${String(v.name)}`}]`;
  if (name !== type && name !== null && name !== 'Function') base += ` ${name}`;
  if (tag !== '' && name !== tag && tag !== type) base += ` [${tag}]`;
  return base;
}

// errorBase is an error's stack, with its class, and without the keys that the stack shows anyway.
function errorBase(v, ctx, name, tag, keys) {
  const title = v.name !== undefined && v.name !== null ? String(v.name) : 'Error';
  let stack = stackOf(v);
  if (!ctx.showHidden) {
    for (const key of ['name', 'message', 'stack']) {
      const i = keys.indexOf(key);
      if (i >= 0 && stack.includes(v[key])) keys.splice(i, 1);
    }
  }
  if ('cause' in v && !keys.includes('cause')) keys.push('cause');
  if (Array.isArray(v.errors) && !keys.includes('errors')) keys.push('errors');
  stack = named(stack, name, title, tag);
  if (!stack.includes('\n    at')) stack = `[${stack}]`;
  return ctx.indent === 0 ? stack : stack.replace(/\n/g, `\n${' '.repeat(ctx.indent)}`);
}
// stackOf is the stack as Node would write it: the engine's own frames look different, and some are ours.
function stackOf(v) {
  const { stack } = v;
  if (!stack) return Error.prototype.toString.call(v);
  const text = String(stack), end = text.search(/\n\s+at /);
  if (end < 0) return text.replace(/\n$/, '');
  const frames = native.cleanStack(text), head = text.slice(0, end);
  const code = typeof v.code === 'string' && v.code.startsWith('ERR_') && !head.includes(`[${v.code}]`);
  const shown = code ? head.replace(/^(\w*Error)(?=:|$)/, `$1 [${v.code}]`) : head;
  return frames === '' ? shown : `${shown}\n${frames}`;
}
// named puts the class of an error before its stack, if that tells more than the name that is there.
function named(stack, name, title, tag) {
  let { length } = title;
  if (name !== null && !(title.endsWith('Error') && stack.startsWith(title) && (stack.length === length || stack[length] === ':' || stack[length] === '\n'))) return stack;
  let fallback = 'Error';
  if (name === null) {
    const start = /^([A-Z][a-z_ A-Z0-9[\]()-]+)(?::|\n {4}at)/.exec(stack) || /^([a-z_A-Z0-9-]*Error)$/.exec(stack);
    fallback = (start && start[1]) || '';
    length = fallback.length;
    fallback = fallback || 'Error';
  }
  const front = prefix(name, tag, fallback).slice(0, -1);
  if (title === front) return stack;
  if (!front.includes(title)) return `${front} [${title}]${stack.slice(length)}`;
  return length === 0 ? `${front}: ${stack}` : `${front}${stack.slice(length)}`;
}
return { own, quote, keyText, symbolText, constructorName, prefix, objectPrefix, functionBase, errorBase };
