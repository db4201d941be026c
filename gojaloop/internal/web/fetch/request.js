// The class Request (Fetch 5.4).
const { Headers, initOf, fill, copy, token } = load('headers');
const { convert, extract, isStream, mixin } = load('body');
const { AbortSignal, AbortController, isSignal } = load('abort');
const { expose, usv, bytes, needArguments, dictionary, show } = load('webidl');
const { enumeration } = load('convert');
const { any } = AbortSignal;
const normalized = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'];
const policies = ['', 'no-referrer', 'no-referrer-when-downgrade', 'same-origin', 'origin', 'strict-origin', 'origin-when-cross-origin', 'strict-origin-when-cross-origin', 'unsafe-url'];
const choice = (...values) => (v, key) => enumeration(v, values, key);
// The members of RequestInit in the order in which they are converted, with their conversions.
const members = {
  body: convert,
  cache: choice('default', 'no-store', 'reload', 'no-cache', 'force-cache', 'only-if-cached'),
  credentials: choice('omit', 'same-origin', 'include'),
  duplex: choice('half'),
  headers: initOf,
  integrity: (v) => `${v}`,
  keepalive: (v) => !!v,
  method: (v) => bytes(v, 'the method'),
  mode: choice('cors', 'no-cors', 'same-origin', 'navigate'),
  priority: choice('high', 'low', 'auto'),
  redirect: choice('follow', 'error', 'manual'),
  referrer: usv,
  referrerPolicy: (v, key) => enumeration(v, policies, key),
  signal: (v) => {
    if (v !== null && !isSignal(v)) throw new TypeError("Failed to construct 'Request': member signal is not of type AbortSignal.");
    return v;
  },
  window: (v) => v,
};
const defaults = { redirect: 'follow', mode: 'cors', credentials: 'same-origin', cache: 'default', referrerPolicy: '', integrity: '', keepalive: false, referrer: 'about:client' };
function checkMethod(m) {
  const upper = m.toUpperCase();
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
function referrer(v) {
  if (v === '') return '';
  const record = native.parseURL(v);
  if (record === null) throw new TypeError(`Referrer "${v}" is not a valid URL.`);
  const url = native.getURL(record, 'href');
  return url.replace(/#.*$/s, '');
}
const follow = (signal) => (signal === null ? new AbortController().signal : Reflect.apply(any, AbortSignal, [[signal]]));

let stateOf;
const secret = {}; // the input of requests that come by the network: their state follows
class Request {
  #s;
  static { stateOf = (r) => r.#s; }
  constructor(input, init = undefined) {
    if (input === secret) { this.#s = init; return; }
    needArguments('Request', 1, arguments);
    const from = input !== null && typeof input === 'object' && #s in input ? input.#s : null;
    const text = from === null ? usv(input) : '';
    const given = dictionary(init, 'The init'), o = {};
    for (const key of Object.keys(members)) {
      const v = given[key];
      if (v !== undefined) o[key] = members[key](v, key);
    }
    const s = { ...defaults, method: 'GET', headers: null, body: null, ...from, url: from === null ? address(text) : from.url };
    if (o.window !== undefined && o.window !== null) throw new TypeError(`'window' option '${o.window}' must be null`);
    if (Object.keys(o).length > 0) {
      if (s.mode === 'navigate') s.mode = 'same-origin';
      s.referrer = 'about:client';
      s.referrerPolicy = '';
    }
    if (o.referrer !== undefined) s.referrer = referrer(o.referrer);
    if (o.mode === 'navigate') throw new TypeError('Request: a mode of navigate is not allowed');
    for (const key of ['referrerPolicy', 'mode', 'credentials', 'cache', 'redirect', 'integrity', 'keepalive']) if (o[key] !== undefined) s[key] = o[key];
    if (s.cache === 'only-if-cached' && s.mode !== 'same-origin') throw new TypeError("'only-if-cached' can be set only with 'same-origin' mode");
    if (o.method !== undefined) s.method = checkMethod(o.method);
    s.signal = follow(o.signal !== undefined ? o.signal : from === null ? null : from.signal);
    s.headers = o.headers !== undefined ? fill(new Headers(), o.headers) : from === null ? new Headers() : copy(from.headers, false);
    const inputBody = from === null ? null : from.body, initBody = o.body === undefined ? null : o.body;
    if ((initBody !== null || inputBody !== null) && (s.method === 'GET' || s.method === 'HEAD')) throw new TypeError('Request with GET/HEAD method cannot have body.');
    if (initBody !== null) {
      if (s.keepalive && isStream(initBody)) throw new TypeError('keepalive');
      const { body, type } = extract(initBody);
      s.body = body;
      if (type !== null && !s.headers.has('content-type')) s.headers.append('content-type', type);
    }
    const sent = initBody === null ? inputBody : s.body;
    if (sent !== null && sent.bytes === null) {
      if (initBody !== null && o.duplex === undefined) throw new TypeError('RequestInit: duplex option is required when sending a body.');
      if (s.mode !== 'same-origin' && s.mode !== 'cors') throw new TypeError('If request is made from ReadableStream, mode should be "same-origin" or "cors"');
    }
    if (initBody === null && inputBody !== null) {
      if (inputBody.unusable) throw new TypeError('Cannot construct a Request with a Request object that has already been used.');
      s.body = inputBody.proxy();
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
    if (s.body !== null && s.body.unusable) throw new TypeError('unusable');
    return new Request(secret, { ...defaults, ...s, headers: copy(s.headers), body: s.body === null ? null : s.body.clone(), signal: follow(s.signal) });
  }
}
mixin(Request, stateOf);
expose(Request);
const shown = ['method', 'url', 'headers', 'destination', 'referrer', 'referrerPolicy', 'mode', 'credentials', 'cache', 'redirect', 'integrity', 'keepalive', 'isReloadNavigation', 'isHistoryNavigation', 'signal'];
show(Request, (r) => Object.fromEntries(shown.map((key) => [key, r[key]])));
// received makes a request of its state: what it has besides the members that every request has.
const received = (state) => new Request(secret, Object.setPrototypeOf(state, defaults));
return { Request, requestOf: stateOf, received };
