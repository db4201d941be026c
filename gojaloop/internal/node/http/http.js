// Node's modules http and https: their clients. Requests go through fetch, and by its rules; redirects are the program's affair.
const { coded } = load('nodeerrors');
const { Buffer } = load('buffer');
const { EventEmitter } = load('eventsmodule');
const { METHODS, STATUS_CODES, Socket, IncomingMessage, OutgoingMessage, ServerResponse, pairs, validateHeaderName, validateHeaderValue } = load('httpmessages');
const { Server } = load('httpserver');

class Agent extends EventEmitter {
  constructor(options) {
    super();
    this.options = { ...options };
    Object.assign(this, { requests: {}, sockets: {}, freeSockets: {}, maxSockets: Infinity, maxFreeSockets: 256, maxTotalSockets: Infinity, keepAlive: !!(options && options.keepAlive), defaultPort: 80, protocol: 'http:' });
  }
  destroy() {}
  getName(options = {}) { return `${options.host || 'localhost'}:${options.port || ''}:${options.localAddress || ''}`; }
}
class ClientRequest extends OutgoingMessage {
  #parts = []; #controller; #options;
  constructor(input, options, done, protocol) {
    super();
    if (typeof input === 'string' || (input && typeof input.href === 'string' && input.searchParams)) {
      const { urlToHttpOptions } = load('urlmodule');
      const url = typeof input === 'string' ? new (load('url').URL)(input) : input;
      if (typeof options === 'function') { done = options; options = undefined; }
      options = { ...urlToHttpOptions(url), ...options };
    } else {
      done = typeof options === 'function' ? options : done;
      options = { ...input };
    }
    this.#options = options;
    this.method = (options.method || 'GET').toUpperCase();
    this.path = options.path || '/';
    if (/[^\u0021-\u00ff]/.test(this.path)) throw coded(TypeError, 'ERR_UNESCAPED_CHARACTERS', 'Request path contains unescaped characters');
    this.protocol = options.protocol || protocol;
    if (this.protocol !== protocol && !(protocol === 'http:' && options.agent)) throw coded(TypeError, 'ERR_INVALID_PROTOCOL', `Protocol "${this.protocol}" not supported. Expected "${protocol}"`);
    this.host = options.hostname || options.host || 'localhost';
    this.agent = options.agent;
    this.reusedSocket = false;
    this.maxHeadersCount = null;
    this.res = null;
    this.aborted = false;
    this.#controller = new (load('abort').AbortController)();
    this.socket = this.connection = new Socket();
    const headers = options.headers || {};
    if (Array.isArray(headers)) for (let i = 0; i < headers.length; i += 2) this.setHeader(headers[i], headers[i + 1]);
    else for (const name of Object.keys(headers)) if (headers[name] !== undefined) this.setHeader(name, headers[name]);
    if (options.auth && !this.hasHeader('authorization')) this.setHeader('Authorization', `Basic ${Buffer.from(options.auth).toString('base64')}`);
    const port = options.port || options.defaultPort, usual = this.protocol === 'https:' ? 443 : 80;
    if (!this.hasHeader('host') && options.setHost !== false) this.setHeader('Host', this.host + (port && +port !== usual ? `:${port}` : ''));
    if (done) this.once('response', done);
    if (options.timeout) this.setTimeout(options.timeout);
    if (options.signal) {
      if (options.signal.aborted) native.nextTick(() => this.destroy(options.signal.reason));
      else options.signal.addEventListener('abort', () => this.destroy(load('nodeerrors').abortError(options.signal.reason)), { once: true });
    }
    native.nextTick(() => { if (!this.destroyed) this.emit('socket', this.socket); });
  }
  setTimeout(ms, done) {
    if (done) this.once('timeout', done);
    return this;
  }
  setNoDelay() {}
  setSocketKeepAlive() {}
  abort() { this.aborted = true; this.emit('abort'); this.destroy(); }
  _sendHead() { this.headersSent = true; }
  _write(chunk, encoding, done) { this.headersSent = true; this.#parts.push(Buffer.from(chunk)); done(); }
  _final(done) { this.finished = true; this.#send(); done(); }
  _destroy(error, done) {
    this.#controller.abort();
    if (!this.res && !error) error = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    done(error);
    native.nextTick(() => this.emit('close'));
  }
  #send() {
    const { fetch } = load('fetch'), options = this.#options;
    const port = options.port || options.defaultPort, host = this.host.includes(':') && !this.host.startsWith('[') ? `[${this.host}]` : this.host;
    const url = `${this.protocol}//${host}${port ? `:${port}` : ''}${this.path}`;
    const skip = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'upgrade', 'expect', 'accept-encoding']);
    const headers = pairs(this).filter(([name]) => !skip.has(name.toLowerCase()));
    const body = this.#parts.length && this.method !== 'GET' && this.method !== 'HEAD' ? Buffer.concat(this.#parts) : undefined;
    fetch(url, { method: this.method, headers, body, redirect: 'manual', signal: this.#controller.signal }).then((response) => this.#receive(response), (e) => {
      if (this.destroyed) return;
      const cause = (e && e.cause) || e, error = new Error(cause && cause.message ? cause.message : `${cause}`);
      error.code = (cause && cause.code) || (/refused/.test(error.message) ? 'ECONNREFUSED' : /no such host/.test(error.message) ? 'ENOTFOUND' : 'ERR_ACCESS_DENIED');
      this.destroy(error);
    });
  }
  #receive(response) {
    if (this.destroyed) return;
    const message = new IncomingMessage(this.socket);
    message.statusCode = response.status;
    message.statusMessage = response.statusText;
    message.req = this;
    this.res = message;
    for (const [name, value] of response.headers) message._addHeaderLine(name, value);
    const reader = response.body ? response.body.getReader() : null;
    message._read = () => {
      if (!reader) { message.complete = true; message.push(null); return; }
      reader.read().then(({ done, value }) => {
        if (done) message.complete = true;
        message.push(done ? null : Buffer.from(value));
      }, (e) => message.destroy(e));
    };
    message.on('end', () => this.emit('close'));
    if (!this.emit('response', message)) message.resume();
  }
}
function scheme(protocol, port) {
  const globalAgent = new Agent({ keepAlive: true });
  globalAgent.protocol = protocol;
  globalAgent.defaultPort = port;
  class OwnAgent extends Agent { constructor(options) { super(options); this.protocol = protocol; this.defaultPort = port; } }
  Object.defineProperty(OwnAgent, 'name', { __proto__: null, value: 'Agent', configurable: true });
  const request = (...args) => new ClientRequest(args[0], args[1], args[2], protocol);
  return {
    METHODS, STATUS_CODES, Agent: OwnAgent, globalAgent, ClientRequest, IncomingMessage, OutgoingMessage, Server, ServerResponse, validateHeaderName, validateHeaderValue, maxHeaderSize: 16384,
    createServer: (options, listener) => new Server(options, listener), request, get(...args) { const r = request(...args); r.end(); return r; }, setMaxIdleHTTPParsers() {},
  };
}
return { http: scheme('http:', 80), https: scheme('https:', 443) };
