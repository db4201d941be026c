// MIME types (MIME Sniffing 4), and the type of a list of headers (Fetch 2.2.2).
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, quotable = /^[\t\x20-\x7e\x80-\xff]*$/;
const lower = (s) => s.replace(/[A-Z]/g, (c) => c.toLowerCase());

// quotedString collects an HTTP quoted string (Fetch 2.2), from its opening quotation mark. It gives the value, and where
// the string ends.
function quotedString(s, at) {
  let value = '';
  for (at++; at < s.length && s[at] !== '"'; at++) {
    if (s[at] === '\\' && at + 1 < s.length) at++; // one at the end stands for itself
    value += s[at];
  }
  return { value, at: at + 1 };
}
// parse gives the essence and the parameters of a MIME type, or null.
function parse(text) {
  const s = text.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
  const found = /^([^/]*)\/([^;]*)/.exec(s);
  if (found === null) return null;
  const type = found[1], subtype = found[2].replace(/[\t\n\r ]+$/, '');
  if (!token.test(type) || !token.test(subtype)) return null;
  const parameters = new Map();
  for (let at = found[0].length; at < s.length;) {
    at++; // the semicolon
    while (/[\t\n\r ]/.test(s[at] || '')) at++;
    const start = at;
    while (at < s.length && s[at] !== ';' && s[at] !== '=') at++;
    const name = lower(s.slice(start, at));
    if (at >= s.length) break;
    if (s[at] === ';') continue;
    at++; // the equals sign
    let value;
    if (s[at] === '"') {
      ({ value, at } = quotedString(s, at));
      while (at < s.length && s[at] !== ';') at++;
    } else {
      const from = at;
      while (at < s.length && s[at] !== ';') at++;
      value = s.slice(from, at).replace(/[\t\n\r ]+$/, '');
      if (value === '') continue;
    }
    if (token.test(name) && quotable.test(value) && !parameters.has(name)) parameters.set(name, value);
  }
  return { essence: lower(`${type}/${subtype}`), parameters };
}
function serialize({ essence, parameters }) {
  let s = essence;
  for (const [name, value] of parameters) s += `;${name}=${token.test(value) ? value : `"${value.replace(/(["\\])/g, '\\$1')}"`}`;
  return s;
}
// split is "get, decode, and split" of a combined header value.
function split(s) {
  const values = [];
  let from = 0;
  for (let at = 0; at <= s.length;) {
    if (at === s.length || s[at] === ',') {
      values.push(s.slice(from, at).replace(/^[\t ]+|[\t ]+$/g, ''));
      from = ++at;
    } else if (s[at] === '"') {
      ({ at } = quotedString(s, at));
      at = Math.min(at, s.length);
    } else {
      at++;
    }
  }
  return values;
}
// extract is "extract a MIME type" of the combined value of Content-Type headers: null is failure.
function extract(combined) {
  if (combined === null) return null;
  let charset, essence = null, mimeType = null;
  for (const value of split(combined)) {
    const candidate = parse(value);
    if (candidate === null || candidate.essence === '*/*') continue;
    mimeType = candidate;
    if (candidate.essence !== essence) {
      charset = candidate.parameters.get('charset');
      ({ essence } = candidate);
    } else if (!candidate.parameters.has('charset') && charset !== undefined) {
      candidate.parameters.set('charset', charset);
    }
  }
  return mimeType;
}
return { parse, serialize, extract };
