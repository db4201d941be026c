// The class Response (Fetch 5.5).
const { Headers, listOf, makeImmutable } = load('headers');
const { extract, unusable, fork, mixin } = load('body');
const { ReadableStream } = load('stream');
const { expose, usv, bytes, needArguments, dictionary, show } = load('webidl');
const bodyless = [101, 204, 205, 304];
let stateOf, fromNetwork;
class Response {
  #s;
  static {
    stateOf = (r) => r.#s;
    // fromNetwork makes a response of what Go's client has received.
    fromNetwork = (answer) => {
      const r = new Response();
      let body = null;
      if (!bodyless.includes(answer.status)) {
        const pull = async (c) => { const piece = await answer.read(); if (piece === null) c.close(); else c.enqueue(piece); };
        body = { stream: new ReadableStream({ pull, cancel: answer.cancel }, { highWaterMark: 0 }), bytes: null };
      } else {
        answer.cancel();
      }
      const { status, statusText, url, redirected } = answer;
      r.#s = { status, statusText, url: url.replace(/#.*$/s, ''), redirected, type: 'basic', headers: makeImmutable(new Headers(answer.headers)), body };
      return r;
    };
  }
  constructor(body = null, init = undefined) {
    const o = dictionary(init, 'The init');
    let status = 200, statusText = '';
    if (o.status !== undefined) {
      status = Math.trunc(Number(o.status)) & 0xffff;
      if (status < 200 || status > 599) throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
    }
    if (o.statusText !== undefined) {
      statusText = bytes(o.statusText, 'the status text');
      if (/[^\t\x20-\x7e\x80-\xff]/.test(statusText)) throw new TypeError('Invalid statusText');
    }
    const headers = new Headers(o.headers);
    const { body: extracted, type } = extract(body);
    if (extracted !== null && bodyless.includes(status)) throw new TypeError(`Response constructor: Invalid response status code ${status}`);
    if (type !== null && !headers.has('content-type')) headers.append('content-type', type);
    this.#s = { status, statusText, headers, body: extracted, url: '', redirected: false, type: 'default' };
  }
  static error() {
    const r = new Response();
    Object.assign(r.#s, { status: 0, type: 'error' });
    makeImmutable(r.#s.headers);
    return r;
  }
  static json(data, init = undefined) {
    needArguments('json', 1, arguments);
    const text = JSON.stringify(data);
    if (text === undefined) throw new TypeError('Value is not JSON serializable');
    const r = new Response(native.utf8Encode(text), init);
    if (!r.#s.headers.has('content-type')) r.#s.headers.append('content-type', 'application/json');
    return r;
  }
  static redirect(url, status = 302) {
    needArguments('redirect', 1, arguments);
    url = usv(url);
    const record = native.parseURL(url);
    if (record === null) throw new TypeError(`Failed to parse URL from ${url}`);
    const code = Math.trunc(Number(status)) & 0xffff;
    if (![301, 302, 303, 307, 308].includes(code)) throw new RangeError(`Invalid status code ${code}`);
    const r = new Response(null, { status: code, headers: { location: native.getURL(record, 'href') } });
    makeImmutable(r.#s.headers);
    return r;
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
    if (unusable(s.body)) throw new TypeError('Response.clone: Body has already been consumed.');
    const copy = new Response();
    copy.#s = { ...s, headers: new Headers(listOf(s.headers)), body: fork(s.body) };
    return copy;
  }
}
mixin(Response, stateOf);
expose(Response, ['error', 'json', 'redirect']);
show(Response, (r) => ({ status: r.status, statusText: r.statusText, headers: r.headers, body: r.body, bodyUsed: r.bodyUsed, ok: r.ok, redirected: r.redirected, type: r.type, url: r.url }));
return { Response, fromNetwork };
