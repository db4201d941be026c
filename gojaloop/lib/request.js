// The class Request (Fetch 5.4).
const { Headers, listOf } = load('headers');
const { extract, unusable, fork, mixin } = load('body');
const { AbortSignal, AbortController, isSignal } = load('abort');
const { expose, usv, bytes, needArguments, dictionary, show } = load('webidl');
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const normalized = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'];
const enums = {
  redirect: ['follow', 'error', 'manual'], mode: ['cors', 'no-cors', 'same-origin', 'navigate'], credentials: ['omit', 'same-origin', 'include'],
  cache: ['default', 'no-store', 'reload', 'no-cache', 'force-cache', 'only-if-cached'],
  referrerPolicy: ['', 'no-referrer', 'no-referrer-when-downgrade', 'same-origin', 'origin', 'strict-origin', 'origin-when-cross-origin', 'strict-origin-when-cross-origin', 'unsafe-url'],
};
const defaults = { redirect: 'follow', mode: 'cors', credentials: 'same-origin', cache: 'default', referrerPolicy: '', integrity: '', keepalive: false, referrer: 'about:client' };
function method(v) {
  const m = bytes(v, 'the method'), upper = m.toUpperCase();
  if (!token.test(m)) throw new TypeError(`'${m}' is not a valid HTTP method.`);
  if (['CONNECT', 'TRACE', 'TRACK'].includes(upper)) throw new TypeError(`'${m}' HTTP method is unsupported.`);
  return normalized.includes(upper) ? upper : m;
}
function address(v) {
  const record = native.parseURL(v);
  if (record === null) throw new TypeError(`Failed to parse URL from ${v}`);
  if (native.getURL(record, 'username') || native.getURL(record, 'password')) throw new TypeError(`Request cannot be constructed from a URL that includes credentials: ${v}`);
  return native.getURL(record, 'href');
}
let stateOf;
class Request {
  #s;
  static { stateOf = (r) => r.#s; }
  constructor(input, init = undefined) {
    needArguments('Request', 1, arguments);
    const from = input !== null && typeof input === 'object' && #s in input ? input : null;
    const url = from ? from.#s.url : address(usv(input));
    const o = dictionary(init, 'The init');
    if (o.window !== undefined && o.window !== null) throw new TypeError(`'window' option '${o.window}' must be null`);
    const s = { ...defaults, method: 'GET', headers: null, body: null, ...(from ? from.#s : {}), url };
    for (const key of Object.keys(enums)) {
      if (o[key] === undefined) continue;
      s[key] = `${o[key]}`;
      if (!enums[key].includes(s[key])) throw new TypeError(`Request: ${s[key]} is not a valid value of ${key}`);
    }
    if (s.mode === 'navigate' && o.mode !== undefined) throw new TypeError('Request: a mode of navigate is not allowed');
    if (s.cache === 'only-if-cached' && s.mode !== 'same-origin') throw new TypeError("'only-if-cached' can be set only with 'same-origin' mode");
    if (o.integrity !== undefined) s.integrity = `${o.integrity}`;
    if (o.keepalive !== undefined) s.keepalive = !!o.keepalive;
    if (o.method !== undefined) s.method = method(o.method);
    let signal = from ? from.#s.signal : null;
    if (o.signal !== undefined) {
      if (o.signal !== null && !isSignal(o.signal)) throw new TypeError("Failed to construct 'Request': member signal is not of type AbortSignal.");
      ({ signal } = o);
    }
    s.signal = signal === null ? new AbortController().signal : AbortSignal.any([signal]);
    s.headers = new Headers(o.headers !== undefined ? o.headers : from ? listOf(from.#s.headers) : undefined);
    const given = o.body !== undefined && o.body !== null;
    if ((given || (from && from.#s.body !== null && o.body === undefined)) && (s.method === 'GET' || s.method === 'HEAD')) throw new TypeError('Request with GET/HEAD method cannot have body.');
    if (given) {
      if (o.body instanceof load('stream').ReadableStream && o.duplex === undefined) throw new TypeError('RequestInit: duplex option is required when sending a body.');
      const { body, type } = extract(o.body);
      s.body = body;
      if (type !== null && !s.headers.has('content-type')) s.headers.append('content-type', type);
    } else if (from && from.#s.body !== null) {
      if (unusable(from.#s.body)) throw new TypeError('Cannot construct a Request with a Request object that has already been used.');
      if (o.body === null) {
        s.body = null;
      } else { // the new request takes the body over
        s.body = fork(from.#s.body);
        from.#s.body.stream.cancel();
      }
    }
    this.#s = s;
  }
  get method() { return this.#s.method; }
  get url() { return this.#s.url; }
  get headers() { return this.#s.headers; }
  get destination() { this.#s; return ''; }
  get referrer() { return this.#s.referrer; }
  get referrerPolicy() { return this.#s.referrerPolicy; }
  get mode() { return this.#s.mode; }
  get credentials() { return this.#s.credentials; }
  get cache() { return this.#s.cache; }
  get redirect() { return this.#s.redirect; }
  get integrity() { return this.#s.integrity; }
  get keepalive() { return this.#s.keepalive; }
  get isReloadNavigation() { this.#s; return false; }
  get isHistoryNavigation() { this.#s; return false; }
  get signal() { return this.#s.signal; }
  get duplex() { this.#s; return 'half'; }
  clone() {
    const s = this.#s;
    if (unusable(s.body)) throw new TypeError('unusable');
    const copy = new Request(s.url);
    copy.#s = { ...s, headers: new Headers(listOf(s.headers)), body: fork(s.body), signal: AbortSignal.any([s.signal]) };
    return copy;
  }
}
mixin(Request, stateOf);
expose(Request);
show(Request, (r) => ({ method: r.method, url: r.url, headers: r.headers, redirect: r.redirect, signal: r.signal }));
return { Request, requestOf: stateOf };
