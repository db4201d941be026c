// Node's util.format and console.table.
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

function table(data, only) {
  const rows = [], heads = [];
  let values = false, index = '(index)';
  const cell = (v) => inspect(v, { depth: v !== null && typeof v === 'object' && !Array.isArray(v) && Object.keys(v).length > 2 ? -1 : 0, maxArrayLength: 3, breakLength: Infinity });
  const list = data instanceof Map ? [...data].map(([k, v], i) => [i, { Key: k, Values: v }])
    : data instanceof Set ? [...data].map((v, i) => [i, v])
      : Object.keys(data).map((k) => [k, data[k]]);
  if (data instanceof Map || data instanceof Set) index = '(iteration index)';
  for (const [key, row] of list) {
    const cells = { __proto__: null };
    let own;
    if (row !== null && (typeof row === 'object' || typeof row === 'function')) {
      for (const k of only || Object.keys(row)) {
        if (!heads.includes(k)) heads.push(k);
        if (Object.prototype.hasOwnProperty.call(row, k)) cells[k] = data instanceof Map ? inspect(row[k], { depth: 0 }) : cell(row[k]);
      }
    } else {
      own = cell(row);
      values = true;
    }
    rows.push([String(key), cells, own]);
  }
  const columnsOf = [index, ...heads, ...(values ? ['Values'] : [])];
  const lines = rows.map(([key, cells, own]) => [key, ...heads.map((h) => cells[h] || ''), ...(values ? [own === undefined ? '' : own] : [])]);
  const widths = columnsOf.map((h, i) => Math.max(h.length, ...lines.map((l) => l[i].length)) + 2);
  const pad = (s, w) => ` ${s}`.padEnd(w);
  const rule = (l, m, r) => l + widths.map((w) => '─'.repeat(w)).join(m) + r;
  const row = (cells) => `│${cells.map((c, i) => pad(c, widths[i])).join('│')}│`;
  return [rule('┌', '┬', '┐'), row(columnsOf), rule('├', '┼', '┤'), ...lines.map(row), rule('└', '┴', '┘')].join('\n');
}
return { format, formatWithOptions, table };
