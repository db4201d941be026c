// The class URL of the URL Standard. Parsing is Go's affair.
const { expose, usv } = load('webidl');
const { coded, missing } = load('nodeerrors');
const { URLSearchParams, ownedBy, replace } = load('urlsearchparams');

function invalid(input, base) {
  const e = coded(TypeError, 'ERR_INVALID_URL', 'Invalid URL');
  e.input = input;
  if (base !== undefined) e.base = base;
  return e;
}
class URL {
  #record; // what Go parsed
  #params = null;
  constructor(url, base = undefined) {
    if (arguments.length === 0) throw missing('url');
    url = usv(url);
    if (base !== undefined) base = usv(base);
    this.#record = native.parseURL(url, base);
    if (this.#record === null) throw invalid(url, base);
  }
  static canParse(url, base = undefined) {
    if (arguments.length === 0) throw missing('url');
    url = usv(url);
    return native.parseURL(url, base === undefined ? undefined : usv(base)) !== null;
  }
  static parse(url, base = undefined) {
    if (arguments.length === 0) throw missing('url');
    url = usv(url);
    if (base !== undefined) base = usv(base);
    return native.parseURL(url, base) === null ? null : new URL(url, base);
  }
  #set(part, value) {
    native.setURL(this.#record, part, usv(value));
    if (part === 'search' && this.#params !== null) replace(this.#params, this.#get('search'));
  }
  #get(part) { return native.getURL(this.#record, part); }
  get href() { return this.#get('href'); }
  set href(v) {
    this.#record;
    v = usv(v);
    const record = native.parseURL(v);
    if (record === null) throw invalid(v);
    this.#record = record;
    if (this.#params !== null) replace(this.#params, this.#get('search'));
  }
  get origin() { return this.#get('origin'); }
  get protocol() { return this.#get('protocol'); }
  set protocol(v) { this.#set('protocol', v); }
  get username() { return this.#get('username'); }
  set username(v) { this.#set('username', v); }
  get password() { return this.#get('password'); }
  set password(v) { this.#set('password', v); }
  get host() { return this.#get('host'); }
  set host(v) { this.#set('host', v); }
  get hostname() { return this.#get('hostname'); }
  set hostname(v) { this.#set('hostname', v); }
  get port() { return this.#get('port'); }
  set port(v) { this.#set('port', v); }
  get pathname() { return this.#get('pathname'); }
  set pathname(v) { this.#set('pathname', v); }
  get search() { return this.#get('search'); }
  set search(v) { this.#set('search', v); }
  get searchParams() {
    this.#record;
    if (this.#params === null) this.#params = ownedBy(this.#get('search'), (query) => native.setURL(this.#record, 'search', query));
    return this.#params;
  }
  get hash() { return this.#get('hash'); }
  set hash(v) { this.#set('hash', v); }
  toString() { return this.#get('href'); }
  toJSON() { return this.#get('href'); }
}
expose(URL, ['canParse', 'parse']);
Object.defineProperty(URL.prototype, Symbol.for('nodejs.util.inspect.custom'), {
  __proto__: null,
  value(depth, options, inspect) {
    if (typeof depth === 'number' && depth < 0) return this;
    const { href, origin, protocol, username, password, host, hostname, port, pathname, search, searchParams, hash } = this;
    return `${this.constructor.name} ${inspect({ href, origin, protocol, username, password, host, hostname, port, pathname, search, searchParams, hash }, options)}`;
  }, writable: true, configurable: true,
});
return { URL, URLSearchParams };
