// Node's util.format.
const { inspect, primitive, defaults } = load('inspect');

function formatWithOptions(options, ...args) {
  let text = '', next = 0;
  if (typeof args[0] === 'string') {
    if (args.length === 1) return args[0];
    const f = args[0];
    next = 1;
    text = f.replace(/%[sdifjoOc%]/g, (spec) => {
      if (spec === '%%') return '%';
      if (next >= args.length) return spec;
      const a = args[next];
      switch (spec[1]) {
        case 's':
          next++;
          if (typeof a === 'bigint') return `${a}n`;
          if (typeof a === 'number') return Object.is(a, -0) ? '-0' : `${a}`;
          if (typeof a === 'object' && a !== null) {
            return hasOwnString(a) ? String(a) : inspect(a, { ...options, depth: 0, compact: 3 });
          }
          return String(a);
        case 'd': next++; return typeof a === 'bigint' ? `${a}n` : typeof a === 'symbol' ? 'NaN' : typeof a === 'object' && a === null ? '0' : primitive(Number(a), defaults, 0);
        case 'i': next++; return typeof a === 'bigint' ? `${a}n` : typeof a === 'symbol' ? 'NaN' : primitive(parseInt(a), defaults, 0);
        case 'f': next++; return typeof a === 'symbol' ? 'NaN' : primitive(parseFloat(a), defaults, 0);
        case 'j': next++; try { return JSON.stringify(a); } catch (e) { if (String(e.message).includes('ircular')) return '[Circular]'; throw e; }
        case 'o': next++; return inspect(a, { ...options, showHidden: true, depth: 4 });
        case 'O': next++; return inspect(a, options);
        default: next++; return '';
      }
    });
  }
  for (let i = next; i < args.length; i++) {
    if (i > 0 || (next === 1 && i === 1)) text += ' ';
    text += typeof args[i] === 'string' ? args[i] : inspect(args[i], { ...options });
  }
  return text;
}
// hasOwnString reports whether an object has a toString that somebody wrote for it.
function hasOwnString(a) {
  if (native.className(a) === 'Error' || a instanceof Error || a instanceof Date) return !(a instanceof Date) || false;
  if (Array.isArray(a)) return false;
  for (let o = a; o !== null; o = Object.getPrototypeOf(o)) {
    if (o === Object.prototype || o === Array.prototype) return false;
    if (Object.prototype.hasOwnProperty.call(o, 'toString')) {
      const c = Object.prototype.hasOwnProperty.call(o, 'constructor') && o.constructor;
      return !c || !/\[native code\]/.test(Function.prototype.toString.call(c));
    }
  }
  return false;
}
const format = (...args) => formatWithOptions({}, ...args);

return { format, formatWithOptions };
