// The table of console.table.
const { inspect } = load('inspect');
const { width } = load('inspectlayout');
const cell = (v) => inspect(v, {
  depth: v !== null && typeof v === 'object' && !Array.isArray(v) && Object.keys(v).length > 2 ? -1 : 0, maxArrayLength: 3, breakLength: Infinity,
});

function draw(heads, columns) {
  const rows = Math.max(...columns.map((c) => c.length));
  const widths = heads.map((h, i) => Math.max(width(h), ...columns[i].map((v) => width(v === undefined ? '' : v))) + 2);
  const rule = (left, middle, right) => left + widths.map((w) => '─'.repeat(w)).join(middle) + right;
  const line = (cells) => `│${cells.map((c, i) => ` ${c}${' '.repeat(widths[i] - width(c) - 1)}`).join('│')}│`;
  const lines = [rule('┌', '┬', '┐'), line(heads), rule('├', '┼', '┤')];
  for (let r = 0; r < rows; r++) lines.push(line(columns.map((c) => (c[r] === undefined ? '' : c[r]))));
  return [...lines, rule('└', '┴', '┘')].join('\n');
}

function table(data, properties) {
  const indexes = (n) => Array.from({ length: n }, (_, i) => cell(i));
  if (data instanceof Map) {
    const entries = [...data];
    return draw(['(iteration index)', 'Key', 'Values'], [indexes(entries.length), entries.map(([k]) => cell(k)), entries.map(([, v]) => cell(v))]);
  }
  if (data instanceof Set) return draw(['(iteration index)', 'Values'], [indexes(data.size), [...data].map(cell)]);
  const rows = Object.keys(data), columns = new Map(), values = [];
  rows.forEach((row, i) => {
    const item = data[row];
    const simple = item === null || (typeof item !== 'function' && typeof item !== 'object');
    if (properties === undefined && simple) { values[i] = cell(item); return; }
    for (const key of properties || Object.keys(item)) {
      const name = String(key);
      if (!columns.has(name)) columns.set(name, []);
      columns.get(name)[i] = simple || !Object.prototype.hasOwnProperty.call(item, key) ? '' : cell(item[key]);
    }
  });
  // Columns are in the order of an object's keys.
  const order = Object.keys(Object.fromEntries([...columns.keys()].map((name) => [name, 0])));
  const heads = ['(index)', ...order], body = [rows, ...order.map((name) => columns.get(name))];
  if (values.length > 0) { heads.push('Values'); body.push(values); }
  return draw(heads, body.map((c) => Array.from(c)));
}
return { table };
