// Node's module querystring.
const { Buffer } = load('buffer');
const { coded } = load('nodeerrors');
function escape(value) {
  const text = typeof value === 'string' ? value : typeof value === 'object' ? String(value) : `${value}`;
  try { return encodeURIComponent(text).replace(/%20/g, '%20'); } catch { throw coded(URIError, 'ERR_INVALID_URI', 'URI malformed'); }
}
const primitive = (v) => (typeof v === 'string' ? v : (typeof v === 'number' && Number.isFinite(v)) || typeof v === 'bigint' || typeof v === 'boolean' ? `${v}` : '');
function unescapeBuffer(s) {
  const out = [];
  const bytes = Buffer.from(s);
  for (let i = 0; i < bytes.length; i++) {
    const hex = bytes[i] === 0x25 && i + 2 < bytes.length + 0 ? bytes.toString('latin1', i + 1, i + 3) : '';
    if (/^[0-9a-f]{2}$/i.test(hex)) { out.push(parseInt(hex, 16)); i += 2; } else out.push(bytes[i]);
  }
  return Buffer.from(out);
}
function unescape(s) { try { return decodeURIComponent(s); } catch { return unescapeBuffer(s).toString(); } }
const module = {
  unescapeBuffer, unescape, escape,
  stringify(object, separator = '&', equals = '=', options) {
    if (object === null || typeof object !== 'object') return '';
    const encode = options && typeof options.encodeURIComponent === 'function' ? options.encodeURIComponent : module.escape, sep = separator || '&', eq = equals || '=';
    const pair = (k, v) => encode(k) + eq + encode(primitive(v));
    return Object.keys(object).flatMap((k) => (Array.isArray(object[k]) ? object[k].map((v) => pair(primitive(k), v)) : [pair(primitive(k), object[k])])).join(sep);
  },
  parse(text, separator = '&', equals = '=', options) {
    const result = { __proto__: null };
    if (typeof text !== 'string' || text.length === 0) return result;
    const most = options && typeof options.maxKeys === 'number' ? options.maxKeys : 1000;
    const decode = options && typeof options.decodeURIComponent === 'function' ? options.decodeURIComponent : module.unescape;
    const plain = (s) => { s = s.replace(/\+/g, ' '); if (!s.includes('%')) return s; try { return decode(s); } catch { return unescape(s); } };
    let parts = text.split(separator || '&').filter((p) => p !== '');
    if (most > 0) parts = parts.slice(0, most);
    for (const part of parts) {
      const eq = equals || '=', at = part.indexOf(eq), key = plain(at < 0 ? part : part.slice(0, at)), value = at < 0 ? '' : plain(part.slice(at + eq.length));
      if (!(key in result)) result[key] = value;
      else if (Array.isArray(result[key])) result[key].push(value);
      else result[key] = [result[key], value];
    }
    return result;
  },
};
module.encode = module.stringify;
module.decode = module.parse;
return module;
