// How util.inspect lays out the entries of a value: on one line, in columns, or each on a line of its own.

// width is the number of terminal columns that a text takes.
const wide = (c) => c >= 0x1100 && (c <= 0x115f || c === 0x2329 || c === 0x232a || (c >= 0x2e80 && c <= 0x3247 && c !== 0x303f)
  || (c >= 0x3250 && c <= 0x4dbf) || (c >= 0x4e00 && c <= 0xa4c6) || (c >= 0xa960 && c <= 0xa97c) || (c >= 0xac00 && c <= 0xd7a3)
  || (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe10 && c <= 0xfe19) || (c >= 0xfe30 && c <= 0xfe6b) || (c >= 0xff01 && c <= 0xff60)
  || (c >= 0xffe0 && c <= 0xffe6) || (c >= 0x1f200 && c <= 0x1f251) || (c >= 0x1f300 && c <= 0x1f64f) || (c >= 0x1f900 && c <= 0x1f9ff)
  || (c >= 0x20000 && c <= 0x3fffd));
const none = (c) => c <= 0x1f || (c >= 0x7f && c <= 0x9f) || (c >= 0x300 && c <= 0x36f) || (c >= 0x200b && c <= 0x200f)
  || (c >= 0x20d0 && c <= 0x20ff) || (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0xfe20 && c <= 0xfe2f);
const colors = /\u001b\[\d\d?m/g;
function width(text) {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let n = 0;
  for (const char of text.replace(colors, '').normalize('NFC')) {
    const c = char.codePointAt(0);
    n += wide(c) ? 2 : none(c) ? 0 : 1;
  }
  return n;
}

function fits(ctx, output, start, base) {
  let total = output.length + start;
  if (total + output.length > ctx.breakLength) return false;
  for (let i = 0; i < output.length; i++) {
    total += ctx.colors ? output[i].replace(colors, '').length : output[i].length;
    if (total > ctx.breakLength) return false;
  }
  return base === '' || !base.includes('\n');
}

// layout joins the entries of a value. level is how deep the value is, ctx.current how deep its innermost entry.
function layout(ctx, output, base, braces, isArray, level, value) {
  const before = base ? `${base} ` : '';
  if (ctx.compact === true) {
    if (fits(ctx, output, 0, base)) return `${braces[0]}${base ? ` ${base}` : ''} ${output.join(', ')} ${braces[1]}`;
    const indent = ' '.repeat(ctx.indent);
    const line = base === '' && braces[0].length === 1 ? ' ' : `${base ? ` ${base}` : ''}\n${indent}  `;
    return `${braces[0]}${line}${output.join(`,\n${indent}  `)} ${braces[1]}`;
  }
  if (typeof ctx.compact === 'number' && ctx.compact >= 1) {
    const count = output.length;
    if (isArray && count > 6) output = columns(ctx, output, value);
    if (ctx.current - level < ctx.compact && count === output.length
      && fits(ctx, output, output.length + ctx.indent + braces[0].length + base.length + 10, base)) {
      const joined = output.join(', ');
      if (!joined.includes('\n')) return `${before}${braces[0]} ${joined} ${braces[1]}`;
    }
  }
  const indent = `\n${' '.repeat(ctx.indent)}`;
  return `${before}${braces[0]}${indent}  ${output.join(`,${indent}  `)}${indent}${braces[1]}`;
}

// columns sets the entries of an array of more than six in columns, if they are short and of similar width.
function columns(ctx, output, value) {
  let total = 0, longest = 0;
  const length = ctx.maxArrayLength < output.length ? output.length - 1 : output.length; // without the line that counts the rest
  const widths = [];
  for (let i = 0; i < length; i++) {
    widths.push(width(output[i]));
    total += widths[i] + 2;
    longest = Math.max(longest, widths[i]);
  }
  const cell = longest + 2;
  if (cell * 3 + ctx.indent >= ctx.breakLength || !(total / cell > 5 || longest <= 6)) return output;
  const biased = Math.max(cell - 3 - Math.sqrt(cell - total / output.length), 1);
  const n = Math.min(Math.round(Math.sqrt(2.5 * biased * length) / biased), Math.floor((ctx.breakLength - ctx.indent) / cell), ctx.compact * 4, 15);
  if (n <= 1) return output;
  const sizes = [];
  for (let i = 0; i < n; i++) {
    let size = 0;
    for (let j = i; j < output.length; j += n) size = Math.max(size, widths[j] || 0);
    sizes.push(size + 2);
  }
  let right = value !== undefined;
  for (let i = 0; right && i < output.length; i++) right = typeof value[i] === 'number' || typeof value[i] === 'bigint';
  if (value === undefined) right = true;
  const lines = [];
  for (let i = 0; i < length; i += n) {
    const max = Math.min(i + n, length);
    let line = '', j = i;
    for (; j < max - 1; j++) {
      const padding = sizes[j - i] + output[j].length - widths[j];
      line += right ? `${output[j]}, `.padStart(padding) : `${output[j]}, `.padEnd(padding);
    }
    line += right ? output[j].padStart(sizes[j - i] + output[j].length - widths[j] - 2) : output[j];
    lines.push(line);
  }
  if (ctx.maxArrayLength < output.length) lines.push(output[length]);
  return lines;
}
return { width, layout };
