// Node's util.format.
const { inspect, primitive, defaults } = load('inspect');
const number = (v, options) => primitive(v, { ...defaults, ...options });
const builtins = new Set(['AggregateError', 'Array', 'ArrayBuffer', 'BigInt', 'BigInt64Array', 'BigUint64Array', 'Boolean', 'DataView', 'Date', 'Error',
  'EvalError', 'Float32Array', 'Float64Array', 'Function', 'Int16Array', 'Int32Array', 'Int8Array', 'Map', 'Number', 'Object', 'Promise', 'Proxy',
  'RangeError', 'ReferenceError', 'RegExp', 'Set', 'String', 'Symbol', 'SyntaxError', 'TypeError', 'URIError', 'Uint16Array', 'Uint32Array',
  'Uint8Array', 'Uint8ClampedArray', 'WeakMap', 'WeakSet']);

function specified(letter, a, options) {
  switch (letter) {
    case 's':
      if (typeof a === 'number' || typeof a === 'bigint') return number(a, options);
      if (typeof a !== 'object' || a === null || !hasBuiltInToString(a)) return String(a);
      return inspect(a, { ...options, depth: 0, colors: false, compact: 3 });
    case 'd': return typeof a === 'symbol' ? 'NaN' : number(typeof a === 'bigint' ? a : Number(a), options);
    case 'i': return typeof a === 'symbol' ? 'NaN' : number(typeof a === 'bigint' ? a : parseInt(a), options);
    case 'f': return typeof a === 'symbol' ? 'NaN' : number(parseFloat(a), options);
    case 'j':
      try { return JSON.stringify(a); } catch (e) {
        if (e instanceof TypeError && /circular/i.test(e.message)) return '[Circular]';
        throw e;
      }
    case 'o': return inspect(a, { ...options, showHidden: true, showProxy: true, depth: 4 });
    case 'O': return inspect(a, options);
    default: return ''; // %c: there are no styles
  }
}
function formatWithOptions(options, ...args) {
  const [first] = args;
  let text = '', next = 0;
  if (typeof first === 'string') {
    if (args.length === 1) return first;
    let used = false;
    next = 1;
    text = first.replace(/%[sdifjoOc%]/g, (spec) => {
      if (spec === '%%') { used = true; return '%'; }
      if (next >= args.length) return spec;
      used = true;
      return specified(spec[1], args[next++], options);
    });
    if (!used && next === 1) text = first;
  }
  for (let i = next; i < args.length; i++) {
    if (i > 0) text += ' ';
    text += typeof args[i] === 'string' ? args[i] : inspect(args[i], options);
  }
  return text;
}
// hasBuiltInToString reports whether nobody wrote a toString for an object.
function hasBuiltInToString(v) {
  const target = native.proxyTarget(v);
  if (target !== undefined) { if (target === null) return true; v = target; }
  const own = (o, key) => Object.prototype.hasOwnProperty.call(o, key);
  const keys = [];
  if (typeof v.toString === 'function') keys.push('toString');
  if (typeof v[Symbol.toPrimitive] === 'function') keys.push(Symbol.toPrimitive);
  if (keys.length === 0) return true;
  if (keys.some((key) => own(v, key))) return false;
  let o = v;
  do o = Object.getPrototypeOf(o); while (!keys.some((key) => own(o, key)));
  const d = Object.getOwnPropertyDescriptor(o, 'constructor');
  return d !== undefined && typeof d.value === 'function' && builtins.has(d.value.name);
}
const format = (...args) => formatWithOptions(undefined, ...args);
return { format, formatWithOptions };
