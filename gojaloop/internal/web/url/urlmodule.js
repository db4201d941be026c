// Node's module url: the classes of the URL Standard, paths as URLs, and the older parse, format and resolve.
const { URL, URLSearchParams } = load('url');
const { argType, coded, check } = load('nodeerrors');

function fileURLToPath(path) {
  if (typeof path === 'string') path = new URL(path);
  else if (path === null || typeof path !== 'object' || typeof path.href !== 'string') throw argType('path', ['string', 'URL'], path);
  if (path.protocol !== 'file:') throw coded(TypeError, 'ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file');
  if (path.hostname !== '') throw coded(TypeError, 'ERR_INVALID_FILE_URL_HOST', 'File URL host must be "localhost" or empty on linux');
  if (/%2f/i.test(path.pathname)) throw coded(TypeError, 'ERR_INVALID_FILE_URL_PATH', 'File URL path must not include encoded / characters');
  return decodeURIComponent(path.pathname);
}
function pathToFileURL(path) {
  check.string(path, 'path');
  const { resolve } = load('path');
  let full = resolve(path);
  if (path.endsWith('/') && !full.endsWith('/')) full += '/';
  const url = new URL('file://');
  url.pathname = full.replace(/%/g, '%25').replace(/\\/g, '%5C').replace(/\n/g, '%0A').replace(/\r/g, '%0D').replace(/\t/g, '%09').replace(/\?/g, '%3F').replace(/#/g, '%23');
  return url;
}
function urlToHttpOptions(url) {
  const options = {
    __proto__: null, ...url, protocol: url.protocol, hostname: url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname, hash: url.hash,
    search: url.search, pathname: url.pathname, path: `${url.pathname || ''}${url.search || ''}`, href: url.href,
  };
  if (url.port !== '') options.port = Number(url.port);
  if (url.username || url.password) options.auth = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return options;
}

// The older interface.
function Url() {
  for (const name of ['protocol', 'slashes', 'auth', 'host', 'port', 'hostname', 'hash', 'search', 'query', 'pathname', 'path', 'href']) this[name] = null;
}
const slashed = ['http', 'https', 'ftp', 'gopher', 'file', 'ws', 'wss'];
const escaped = /[\t\n\r "'<>\\^`{|}]/g;
Url.prototype.parse = function (text, parseQuery, slashesDenoteHost) {
  check.string(text, 'url');
  let rest = text.trim();
  const mark = rest.search(/[?#]/), before = mark < 0 ? rest : rest.slice(0, mark);
  rest = before.replace(/\\/g, '/') + (mark < 0 ? '' : rest.slice(mark));
  const hash = rest.indexOf('#');
  if (hash >= 0) { this.hash = rest.slice(hash).replace(escaped, encodeURIComponent); rest = rest.slice(0, hash); }
  const query = rest.indexOf('?');
  if (query >= 0) { this.search = rest.slice(query).replace(/[\t\n\r "<>\\^`{|}']/g, encodeURIComponent).replace(/'/g, '%27'); rest = rest.slice(0, query); }
  const scheme = /^[a-z0-9.+-]+:/i.exec(rest);
  let name = '';
  if (scheme) { this.protocol = scheme[0].toLowerCase(); name = this.protocol.slice(0, -1); rest = rest.slice(scheme[0].length); }
  const slashes = rest.startsWith('//') && (slashesDenoteHost || scheme || /^\/\/[^@/]+@[^@/]+/.test(rest)) && name !== 'javascript';
  if (slashes) { this.slashes = true; rest = rest.slice(2); }
  if (slashes) {
    const end = rest.indexOf('/');
    let host = end < 0 ? rest : rest.slice(0, end);
    rest = end < 0 ? '' : rest.slice(end);
    const at = host.lastIndexOf('@');
    if (at >= 0) { this.auth = decodeURIComponent(host.slice(0, at)); host = host.slice(at + 1); }
    const port = /:(\d*)$/.exec(host);
    if (port) { if (port[1] !== '') this.port = port[1]; host = host.slice(0, port.index); }
    const ipv6 = host.startsWith('[') && host.endsWith(']');
    this.hostname = (ipv6 ? host.slice(1, -1) : host).toLowerCase();
    if (!ipv6 && this.hostname !== '' && /[^\0-\x7f]/.test(this.hostname)) { try { this.hostname = new URL(`http://${this.hostname}`).hostname; } catch { /* it stays as it is */ } }
    this.host = (ipv6 ? `[${this.hostname}]` : this.hostname) + (this.port ? `:${this.port}` : '');
  }
  if (name !== 'javascript') rest = rest.replace(escaped, encodeURIComponent).replace(/'/g, '%27');
  if (rest !== '') this.pathname = rest;
  if (slashed.includes(name) && this.hostname && !this.pathname) this.pathname = '/';
  if (this.search !== null) this.query = parseQuery ? load('querystring').parse(this.search.slice(1)) : this.search.slice(1);
  else if (parseQuery) { this.search = null; this.query = load('querystring').parse(''); }
  if (this.pathname || this.search) this.path = (this.pathname || '') + (this.search || '');
  this.href = this.format();
  return this;
};
Url.prototype.format = function () {
  const auth = this.auth ? `${encodeURIComponent(this.auth).replace(/%3A/i, ':')}@` : '';
  let protocol = this.protocol || '', pathname = this.pathname || '', hash = this.hash || '', host = '', search = this.search;
  if (this.host) host = auth + this.host;
  else if (this.hostname) host = auth + (this.hostname.includes(':') ? `[${this.hostname}]` : this.hostname) + (this.port ? `:${this.port}` : '');
  if (!search && this.query !== null && typeof this.query === 'object') { const q = load('querystring').stringify(this.query); search = q && `?${q}`; }
  search = search || '';
  if (protocol && !protocol.endsWith(':')) protocol += ':';
  if (this.slashes || slashed.includes(protocol.slice(0, -1))) {
    if (this.slashes || host) {
      if (pathname && pathname[0] !== '/') pathname = `/${pathname}`;
      host = `//${host}`;
    } else if (protocol === 'file:') host = '//';
  }
  if (hash && hash[0] !== '#') hash = `#${hash}`;
  if (search && search[0] !== '?') search = `?${search}`;
  return protocol + host + pathname.replace(/[?#]/g, encodeURIComponent) + search.replace('#', '%23') + hash;
};
function parse(url, parseQuery, slashesDenoteHost) { return url instanceof Url ? url : new Url().parse(url, parseQuery, slashesDenoteHost); }
function format(url, options) {
  if (typeof url === 'string') return parse(url).format();
  if (typeof url !== 'object' || url === null) throw argType('urlObject', ['Object', 'string'], url);
  if (url instanceof URL) {
    const { auth = true, fragment = true, search = true } = options || {};
    const copy = new URL(url.href);
    if (!auth) copy.username = copy.password = '';
    if (!fragment) copy.hash = '';
    if (!search) copy.search = '';
    return copy.href;
  }
  return Url.prototype.format.call(Object.assign(new Url(), url));
}
function resolve(from, to) {
  const base = parse(from, false, true), target = parse(to, false, true);
  if (target.protocol && target.protocol !== base.protocol) return target.href;
  try {
    if (base.protocol && base.host) return new URL(to, base.href).href;
  } catch { /* the older rules follow */ }
  const url = new URL(to, `relative://host${base.pathname && base.pathname[0] === '/' ? '' : '/'}${base.href}`);
  const text = url.href.slice('relative://host'.length);
  return base.pathname && base.pathname[0] !== '/' && !/^\//.test(to) ? text.slice(1) : text;
}
Url.prototype.resolve = function (relative) { return resolve(this.href, relative); };
Url.prototype.resolveObject = function (relative) { return parse(resolve(this.href, relative)); };
const domain = (text) => { try { return new URL(`ws://${text}`).hostname; } catch { return ''; } };
return {
  Url, parse, resolve, resolveObject: (from, to) => (from ? parse(resolve(from, to)) : to), format, URL, URLSearchParams,
  domainToASCII: (d) => domain(`${d}`), domainToUnicode: (d) => domain(`${d}`), pathToFileURL, fileURLToPath, urlToHttpOptions,
};
