const fetchable = (s) => { const r = native.parseURL(s); return r && native.getURL(r, 'href'); };
// fetch, Headers, Request and Response (Fetch). A body is read in pieces, as they come from the network.
const { isView } = ArrayBuffer;
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const lower = (name) => {
  const s = `${name}`;
  if (!token.test(s)) throw new TypeError(`Headers: ${s} is an invalid header name.`);
  return s.toLowerCase();
};
const clean = (value) => {
  const s = `${value}`.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
  if (/[\0\r\n]/.test(s)) throw new TypeError(`Headers: ${s} is an invalid header value.`);
  return s;
};
class Headers {
  #list = [];
  constructor(init) {
    if (init === undefined || init === null) return;
    if (typeof init !== 'object') throw new TypeError('Headers: the init is not an object');
    if (typeof init[Symbol.iterator] === 'function') {
      for (const pair of init) {
        const p = [...pair];
        if (p.length !== 2) throw new TypeError('Headers: expected name/value pair to be length 2');
        this.append(p[0], p[1]);
      }
    } else {
      for (const key of Object.keys(init)) this.append(key, init[key]);
    }
  }
  append(name, value) { this.#list.push([lower(name), clean(value)]); }
  delete(name) { const n = lower(name); this.#list = this.#list.filter((h) => h[0] !== n); }
  get(name) {
    const n = lower(name), found = this.#list.filter((h) => h[0] === n);
    return found.length ? found.map((h) => h[1]).join(', ') : null;
  }
  getSetCookie() { return this.#list.filter((h) => h[0] === 'set-cookie').map((h) => h[1]); }
  has(name) { const n = lower(name); return this.#list.some((h) => h[0] === n); }
  set(name, value) {
    const n = lower(name), v = clean(value), i = this.#list.findIndex((h) => h[0] === n);
    if (i < 0) { this.#list.push([n, v]); return; }
    this.#list = this.#list.filter((h, j) => j === i || h[0] !== n);
    this.#list[this.#list.findIndex((h) => h[0] === n)] = [n, v];
  }
  * entries() {
    const names = [...new Set(this.#list.map((h) => h[0]))].sort();
    for (const name of names) {
      if (name === 'set-cookie') for (const v of this.getSetCookie()) yield [name, v];
      else yield [name, this.get(name)];
    }
  }
  * keys() { for (const [name] of this.entries()) yield name; }
  * values() { for (const [, value] of this.entries()) yield value; }
  [Symbol.iterator]() { return this.entries(); }
  forEach(fn, self) { for (const [name, value] of this.entries()) fn.call(self, value, name, this); }
}

// A stream is the part of ReadableStream that reading a body takes.
class ReadableStream {
  #read; #cancel; #locked = false; #done = false;
  constructor(source) { this.#read = source.read; this.#cancel = source.cancel; }
  get locked() { return this.#locked; }
  async #next() {
    if (this.#done) return { value: undefined, done: true };
    const value = await this.#read();
    if (value === null) { this.#done = true; return { value: undefined, done: true }; }
    return { value, done: false };
  }
  async cancel(reason) { this.#done = true; if (this.#cancel) this.#cancel(reason); }
  getReader() {
    if (this.#locked) throw new TypeError('ReadableStream is locked');
    this.#locked = true;
    return {
      read: () => this.#next(),
      cancel: (reason) => this.cancel(reason),
      releaseLock: () => { this.#locked = false; },
    };
  }
  [Symbol.asyncIterator]() {
    const reader = this.getReader();
    return {
      next: () => reader.read(),
      async return(value) { await reader.cancel(); reader.releaseLock(); return { value, done: true }; },
      [Symbol.asyncIterator]() { return this; },
    };
  }
}

function extract(body) {
  if (body === null || body === undefined) return { bytes: null, type: null };
  if (typeof globalThis.URLSearchParams === 'function' && body instanceof globalThis.URLSearchParams) return { bytes: native.utf8Encode(body.toString()), type: 'application/x-www-form-urlencoded;charset=UTF-8' };
  if (body instanceof ArrayBuffer) return { bytes: body.slice(0), type: null };
  if (isView(body)) return { bytes: body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength), type: null };
  return { bytes: native.utf8Encode(`${body}`), type: 'text/plain;charset=UTF-8' };
}
function once(bytes) {
  let left = bytes;
  return new ReadableStream({ async read() { if (left === null || left.byteLength === 0) return null; const v = new Uint8Array(left); left = null; return v; } });
}

class Body {
  #stream; #used = false;
  constructor(stream) { this.#stream = stream; }
  get body() { return this.#stream; }
  get bodyUsed() { return this.#used || (this.#stream !== null && this.#stream.locked); }
  async #all() {
    if (this.bodyUsed) throw new TypeError('Body is unusable: Body has already been read');
    if (this.#stream === null) return new Uint8Array(0);
    this.#used = true;
    const parts = [], reader = this.#stream.getReader();
    let length = 0;
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      parts.push(value);
      length += value.length;
    }
    const all = new Uint8Array(length);
    let at = 0;
    for (const p of parts) { all.set(p, at); at += p.length; }
    return all;
  }
  async text() { return native.decode('utf-8', (await this.#all()).buffer, true).text.replace(/^\ufeff/, ''); }
  async json() { return JSON.parse(await this.text()); }
  async arrayBuffer() { return (await this.#all()).buffer; }
  async bytes() { return this.#all(); }
}

const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'];
class Request extends Body {
  #init;
  constructor(input, init = {}) {
    const from = input instanceof Request ? input.#init : null;
    const { bytes, type } = init.body === undefined && from ? { bytes: from.bytes, type: null } : extract(init.body);
    super(bytes === null ? null : once(bytes));
    let method = init.method === undefined ? (from ? from.method : 'GET') : `${init.method}`;
    if (!token.test(method)) throw new TypeError(`'${method}' is not a valid HTTP method.`);
    if (methods.includes(method.toUpperCase())) method = method.toUpperCase();
    if (bytes !== null && (method === 'GET' || method === 'HEAD')) throw new TypeError('Request with GET/HEAD method cannot have body.');
    const url = from ? from.url : fetchable(`${input}`);
    if (url === null) throw new TypeError(`Failed to parse URL from ${input}`);
    const headers = new Headers(init.headers === undefined && from ? from.headers : init.headers);
    if (type !== null && !headers.has('content-type')) headers.set('content-type', type);
    this.#init = {
      method, url, headers, bytes, redirect: init.redirect || (from ? from.redirect : 'follow'),
      signal: init.signal === undefined ? (from ? from.signal : null) : init.signal,
    };
  }
  get method() { return this.#init.method; }
  get url() { return this.#init.url; }
  get headers() { return this.#init.headers; }
  get signal() { return this.#init.signal || (this.#init.signal = new (load('abort').AbortController)().signal); }
  get redirect() { return this.#init.redirect; }
  clone() { return new Request(this); }
  static data(r) { return r.#init; }
}
const requestData = Request.data;
delete Request.data;

class Response extends Body {
  #init;
  constructor(body = null, init = {}) {
    const status = init.status === undefined ? 200 : Number(init.status);
    if (!(status >= 200 && status <= 599)) throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
    const streaming = body instanceof ReadableStream;
    const { bytes, type } = streaming ? { bytes: null, type: null } : extract(body);
    if (body !== null && body !== undefined && [204, 205, 304].includes(status)) throw new TypeError('Response with null body status cannot have body');
    super(streaming ? body : bytes === null ? null : once(bytes));
    const headers = new Headers(init.headers);
    if (type !== null && !headers.has('content-type')) headers.set('content-type', type);
    this.#init = { status, statusText: init.statusText === undefined ? '' : `${init.statusText}`, headers, url: '', redirected: false, type: 'default' };
  }
  get status() { return this.#init.status; }
  get statusText() { return this.#init.statusText; }
  get ok() { return this.#init.status >= 200 && this.#init.status <= 299; }
  get headers() { return this.#init.headers; }
  get url() { return this.#init.url; }
  get redirected() { return this.#init.redirected; }
  get type() { return this.#init.type; }
  static json(data, init = {}) {
    const headers = new Headers(init.headers);
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
    return new Response(JSON.stringify(data), { ...init, headers });
  }
  static error() { const r = new Response(null); r.#init.status = 0; r.#init.type = 'error'; return r; }
  static redirect(url, status = 302) {
    if (![301, 302, 303, 307, 308].includes(status)) throw new RangeError(`Invalid status code ${status}`);
    return new Response(null, { status, headers: { location: fetchable(`${url}`) } });
  }
  static from(r) {
    const bodyless = [204, 205, 304].includes(r.status);
    const response = new Response(bodyless ? null : new ReadableStream({ read: r.read, cancel: r.cancel }), { headers: r.headers });
    Object.assign(response.#init, { status: r.status, statusText: r.statusText, url: r.url, redirected: r.redirected, type: 'basic' });
    return response;
  }
}
const fromNative = Response.from;
delete Response.from;

async function fetch(input, init) {
  if (arguments.length === 0) throw new TypeError('fetch: 1 argument required, but only 0 present.');
  const { method, url, headers, bytes, signal, redirect } = requestData(new Request(input, init));
  if (signal) signal.throwIfAborted();
  const answer = await native.fetch(method, url, [...headers], bytes, redirect, signal || undefined);
  if (answer.error !== undefined) throw new TypeError('fetch failed', { cause: new Error(answer.error) });
  return fromNative(answer);
}
for (const c of [Headers, Request, Response, ReadableStream]) Object.defineProperty(c.prototype, Symbol.toStringTag, { value: c.name, configurable: true });
return { fetch, Headers, Request, Response };
