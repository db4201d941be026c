// The table of console.table.
const { inspect } = load('inspect');
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
return { table };
