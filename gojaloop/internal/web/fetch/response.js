// The class Response (Fetch 5.5).
const { Headers, initOf, fill, copy, makeImmutable } = load('headers');
const { Body, convert, extract, mixin } = load('body');
const { expose, usv, bytes, needArguments, dictionary, show } = load('webidl');
const { unsignedShort } = load('convert');
const bodyless = [101, 103, 204, 205, 304];

// responseInit converts to ResponseInit.
function responseInit(v) {
  const o = dictionary(v, 'The init');
  const headers = convertIf(o.headers, initOf), status = convertIf(o.status, unsignedShort), statusText = convertIf(o.statusText, (t) => bytes(t, 'the status text'));
  return { headers, status, statusText };
}
const convertIf = (v, conversion) => (v === undefined ? undefined : conversion(v));

let stateOf, make, isResponse;
class Response {
  #s;
  static {
    stateOf = (r) => r.#s;
    isResponse = (v) => v !== null && typeof v === 'object' && #s in v;
    make = (s) => {
      const r = new Response();
      r.#s = s;
      return r;
    };
  }
  constructor(body = null, init = undefined) {
    const converted = convert(body), o = responseInit(init);
    this.#initialize(o, extract(converted));
  }
  // #initialize is "initialize a response".
  #initialize({ headers: init, status = 200, statusText = '' }, { body, type }) {
    if (status < 200 || status > 599) throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
    if (/[^\t\x20-\x7e\x80-\xff]/.test(statusText)) throw new TypeError('Invalid statusText');
    const headers = init === undefined ? new Headers() : fill(new Headers(), init);
    if (body !== null) {
      if (bodyless.includes(status)) throw new TypeError(`Response constructor: Invalid response status code ${status}`);
      if (type !== null && !headers.has('content-type')) headers.append('content-type', type);
    }
    this.#s = { status, statusText, headers, body, url: '', redirected: false, type: 'default' };
  }
  static error() {
    return make({ status: 0, statusText: '', headers: makeImmutable(new Headers()), body: null, url: '', redirected: false, type: 'error' });
  }
  static json(data, init = undefined) {
    needArguments('json', 1, arguments);
    const o = responseInit(init), text = JSON.stringify(data);
    if (text === undefined) throw new TypeError('Value is not JSON serializable');
    const r = new Response();
    r.#initialize(o, { body: new Body(new Uint8Array(native.utf8Encode(text)), null), type: 'application/json' });
    return r;
  }
  static redirect(url, status = 302) {
    needArguments('redirect', 1, arguments);
    url = usv(url);
    const code = unsignedShort(status), record = native.parseURL(url);
    if (record === null) throw new TypeError(`Failed to parse URL from ${url}`);
    if (![301, 302, 303, 307, 308].includes(code)) throw new RangeError(`Invalid status code ${code}`);
    const headers = makeImmutable(fill(new Headers(), [['location', native.getURL(record, 'href')]]));
    return make({ status: code, statusText: '', headers, body: null, url: '', redirected: false, type: 'default' });
  }
  get type() { return this.#s.type; }
  get url() { return this.#s.url; }
  get redirected() { return this.#s.redirected; }
  get status() { return this.#s.status; }
  get ok() { return this.#s.status >= 200 && this.#s.status <= 299; }
  get statusText() { return this.#s.statusText; }
  get headers() { return this.#s.headers; }
  clone() {
    const s = this.#s;
    if (s.body !== null && s.body.unusable) throw new TypeError('Response.clone: Body has already been consumed.');
    return make({ ...s, headers: copy(s.headers), body: s.body === null ? null : s.body.clone() });
  }
}
mixin(Response, stateOf);
expose(Response, ['error', 'json', 'redirect']);
show(Response, (r) => ({ status: r.status, statusText: r.statusText, headers: r.headers, body: r.body, bodyUsed: r.bodyUsed, ok: r.ok, redirected: r.redirected, type: r.type, url: r.url }));

// received makes a response of type basic, whose headers are immutable, of what came by the network or by a data: URL.
function received({ status, statusText, url, redirected, headers }, body) {
  return make({
    status, statusText, url: url.replace(/#.*$/s, ''), redirected, type: 'basic', body: bodyless.includes(status) ? null : body,
    headers: makeImmutable(fill(new Headers(), headers)),
  });
}
// withBody is the response with another body.
const withBody = (response, body) => {
  const s = stateOf(response);
  return make({ ...s, body: s.body === null ? null : body });
};
return { Response, received, bodyless, stateOf, isResponse, withBody };
