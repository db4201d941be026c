// The messages of Node's module http.
const { coded, check } = load('nodeerrors');
const { Buffer } = load('buffer');
const { EventEmitter } = load('eventsmodule');
const { Readable, Writable } = load('streammodule');

const METHODS = ['ACL', 'BIND', 'CHECKOUT', 'CONNECT', 'COPY', 'DELETE', 'GET', 'HEAD', 'LINK', 'LOCK', 'M-SEARCH', 'MERGE', 'MKACTIVITY', 'MKCALENDAR', 'MKCOL', 'MOVE', 'NOTIFY', 'OPTIONS', 'PATCH', 'POST', 'PROPFIND', 'PROPPATCH', 'PURGE', 'PUT', 'QUERY', 'REBIND', 'REPORT', 'SEARCH', 'SOURCE', 'SUBSCRIBE', 'TRACE', 'UNBIND', 'UNLINK', 'UNLOCK', 'UNSUBSCRIBE'];
const STATUS_CODES = {
  100: 'Continue', 101: 'Switching Protocols', 102: 'Processing', 103: 'Early Hints', 200: 'OK', 201: 'Created', 202: 'Accepted', 203: 'Non-Authoritative Information', 204: 'No Content', 205: 'Reset Content', 206: 'Partial Content', 207: 'Multi-Status', 208: 'Already Reported', 226: 'IM Used',
  300: 'Multiple Choices', 301: 'Moved Permanently', 302: 'Found', 303: 'See Other', 304: 'Not Modified', 305: 'Use Proxy', 307: 'Temporary Redirect', 308: 'Permanent Redirect',
  400: 'Bad Request', 401: 'Unauthorized', 402: 'Payment Required', 403: 'Forbidden', 404: 'Not Found', 405: 'Method Not Allowed', 406: 'Not Acceptable', 407: 'Proxy Authentication Required', 408: 'Request Timeout', 409: 'Conflict', 410: 'Gone', 411: 'Length Required', 412: 'Precondition Failed', 413: 'Payload Too Large', 414: 'URI Too Long', 415: 'Unsupported Media Type', 416: 'Range Not Satisfiable', 417: 'Expectation Failed', 418: "I'm a Teapot", 421: 'Misdirected Request', 422: 'Unprocessable Entity', 423: 'Locked', 424: 'Failed Dependency', 425: 'Too Early', 426: 'Upgrade Required', 428: 'Precondition Required', 429: 'Too Many Requests', 431: 'Request Header Fields Too Large', 451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error', 501: 'Not Implemented', 502: 'Bad Gateway', 503: 'Service Unavailable', 504: 'Gateway Timeout', 505: 'HTTP Version Not Supported', 506: 'Variant Also Negotiates', 507: 'Insufficient Storage', 508: 'Loop Detected', 509: 'Bandwidth Limit Exceeded', 510: 'Not Extended', 511: 'Network Authentication Required',
};
const token = /^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/, badValue = /[^\t\x20-\x7e\x80-\xff]/;
function validateHeaderName(name, label = 'Header name') {
  if (typeof name !== 'string' || !token.test(name)) throw coded(TypeError, 'ERR_INVALID_HTTP_TOKEN', `${label} must be a valid HTTP token ["${name}"]`);
}
function validateHeaderValue(name, value) {
  if (value === undefined) throw coded(TypeError, 'ERR_HTTP_INVALID_HEADER_VALUE', `Invalid value "${value}" for header "${name}"`);
  if (badValue.test(value)) throw coded(TypeError, 'ERR_INVALID_CHAR', `Invalid character in header content ["${name}"]`);
}

// A Socket is what a message says it came by. Nothing can be written to it.
class Socket extends EventEmitter {
  constructor(remoteAddress = '127.0.0.1', remotePort = 0, encrypted = false) {
    super();
    Object.assign(this, { remoteAddress, remoteFamily: remoteAddress.includes(':') ? 'IPv6' : 'IPv4', remotePort, localAddress: '127.0.0.1', localPort: 0, encrypted, readable: true, writable: true, destroyed: false });
  }
  setTimeout() { return this; }
  setNoDelay() { return this; }
  setKeepAlive() { return this; }
  ref() { return this; }
  unref() { return this; }
  address() { return { address: this.localAddress, family: 'IPv4', port: this.localPort }; }
  destroy() { this.destroyed = true; this.emit('close'); return this; }
  end() { return this.destroy(); }
}

const single = new Set(['age', 'authorization', 'content-length', 'content-type', 'etag', 'expires', 'from', 'host', 'if-modified-since', 'if-unmodified-since', 'last-modified', 'location', 'max-forwards', 'proxy-authorization', 'referer', 'retry-after', 'server', 'user-agent']);
function IncomingMessage(socket) {
  Readable.call(this, {});
  this.socket = this.connection = socket;
  this.httpVersion = '1.1';
  this.httpVersionMajor = this.httpVersionMinor = 1;
  this.complete = false;
  this.rawHeaders = [];
  this.rawTrailers = [];
  this.headers = {};
  this.trailers = {};
  this.aborted = false;
  this.upgrade = null;
  this.url = '';
  this.method = null;
  this.statusCode = null;
  this.statusMessage = null;
}
Object.setPrototypeOf(IncomingMessage.prototype, Readable.prototype);
Object.setPrototypeOf(IncomingMessage, Readable);
IncomingMessage.prototype._read = function () {};
IncomingMessage.prototype.setTimeout = function (ms, done) { if (done) this.on('timeout', done); return this; };
IncomingMessage.prototype._addHeaderLine = function (name, value) {
  this.rawHeaders.push(name, value);
  const key = name.toLowerCase(), all = this.headers;
  if (key === 'set-cookie') (all[key] ||= []).push(value);
  else if (all[key] === undefined) all[key] = value;
  else if (!single.has(key)) all[key] += key === 'cookie' ? `; ${value}` : `, ${value}`;
};
Object.defineProperty(IncomingMessage.prototype, 'headersDistinct', { __proto__: null, configurable: true, get() {
  const all = { __proto__: null };
  for (let i = 0; i < this.rawHeaders.length; i += 2) (all[this.rawHeaders[i].toLowerCase()] ||= []).push(this.rawHeaders[i + 1]);
  return all;
} });

const headersOf = Symbol('headers');
function OutgoingMessage(options) {
  Writable.call(this, { ...options, decodeStrings: true });
  this[headersOf] = new Map();
  this.headersSent = false;
  this.sendDate = false;
  this.shouldKeepAlive = true;
  this.chunkedEncoding = false;
  this.finished = false;
  this.req = null;
}
Object.setPrototypeOf(OutgoingMessage.prototype, Writable.prototype);
Object.setPrototypeOf(OutgoingMessage, Writable);
const sent = (what) => coded(Error, 'ERR_HTTP_HEADERS_SENT', `Cannot ${what} headers after they are sent to the client`);
Object.assign(OutgoingMessage.prototype, {
  setHeader(name, value) {
    if (this.headersSent) throw sent('set');
    validateHeaderName(name);
    for (const v of Array.isArray(value) ? value : [value]) validateHeaderValue(name, v);
    this[headersOf].set(name.toLowerCase(), [name, value]);
    return this;
  },
  appendHeader(name, value) {
    const before = this.getHeader(name);
    return this.setHeader(name, before === undefined ? value : [].concat(before, value).map(String));
  },
  setHeaders(headers) { for (const [name, value] of headers) this.setHeader(name, value); return this; },
  getHeader(name) { check.string(name, 'name'); const entry = this[headersOf].get(name.toLowerCase()); return entry && entry[1]; },
  getHeaderNames() { return [...this[headersOf].keys()]; },
  getRawHeaderNames() { return [...this[headersOf].values()].map(([name]) => name); },
  getHeaders() { const all = { __proto__: null }; for (const [key, [, value]] of this[headersOf]) all[key] = value; return all; },
  hasHeader(name) { check.string(name, 'name'); return this[headersOf].has(name.toLowerCase()); },
  removeHeader(name) {
    check.string(name, 'name');
    if (this.headersSent) throw sent('remove');
    this[headersOf].delete(name.toLowerCase());
  },
  setTimeout(ms, done) { if (done) this.on('timeout', done); return this; },
  flushHeaders() { if (!this.headersSent) this._sendHead(); },
  addTrailers() {},
  cork() {},
  uncork() {},
});
function pairs(message) {
  const list = [];
  for (const [name, value] of message[headersOf].values()) for (const v of Array.isArray(value) ? value : [value]) list.push([name, `${v}`]);
  return list;
}

// ServerResponse hands what is written to a sink: head(status, message, headers), data(bytes, done), end(), or whole(status, message,
// headers, bytes) for all of it.
function ServerResponse(req, options) {
  OutgoingMessage.call(this, options);
  this.req = req;
  this.statusCode = 200;
  this.statusMessage = undefined;
  this.sendDate = true;
  this._sink = null;
  this._bodyless = req && req.method === 'HEAD';
  this._started = false; // the sink has the head
  this._sized = false; // end has told the length
  this.socket = this.connection = req ? req.socket : null;
}
Object.setPrototypeOf(ServerResponse.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ServerResponse, OutgoingMessage);
const hasNoBody = (res) => res._bodyless || res.statusCode === 204 || res.statusCode === 304;
Object.assign(ServerResponse.prototype, {
  assignSocket(socket) { this.socket = this.connection = socket; },
  detachSocket() {},
  writeContinue() {},
  writeProcessing() {},
  writeEarlyHints() {},
  writeHead(status, message, headers) {
    if (this.headersSent) throw sent('write');
    if (typeof message !== 'string') { headers = message; message = undefined; }
    status |= 0;
    if (status < 100 || status > 999) throw coded(RangeError, 'ERR_HTTP_INVALID_STATUS_CODE', `Invalid status code: ${status}`);
    this.statusCode = status;
    if (message !== undefined) this.statusMessage = message;
    if (Array.isArray(headers)) {
      if (Array.isArray(headers[0])) for (const [name, value] of headers) this.appendHeader(name, value);
      else for (let i = 0; i < headers.length; i += 2) this.appendHeader(headers[i], headers[i + 1]);
    } else if (headers) for (const name of Object.keys(headers)) this.setHeader(name, headers[name]);
    this._closeHead();
    return this;
  },
  // _closeHead settles the headers. They go to the sink with what comes first behind them.
  _closeHead() {
    if (this.headersSent) return;
    this.headersSent = true;
    if (this.statusMessage === undefined) this.statusMessage = STATUS_CODES[this.statusCode] || 'unknown';
  },
  _sendHead() {
    this._closeHead();
    if (this._started) return;
    this._started = true;
    if (this._sink) this._sink.head(this.statusCode, this.statusMessage, pairs(this));
  },
  flushHeaders() { this._sendHead(); },
  _write(chunk, encoding, done) {
    if (this._sized && !this._started && this._sink && !hasNoBody(this)) {
      this._closeHead();
      this._started = true;
      this._sink.whole(this.statusCode, this.statusMessage, pairs(this), chunk);
      this._sink = null;
      done();
      return;
    }
    this._sendHead();
    if (!this._sink || hasNoBody(this)) { done(); return; }
    this._sink.data(chunk, done);
  },
  end(chunk, encoding, done) {
    if (typeof chunk === 'function') { done = chunk; chunk = undefined; } else if (typeof encoding === 'function') { done = encoding; encoding = undefined; }
    const length = chunk === undefined || chunk === null ? 0 : typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.length;
    if (!this.headersSent && !hasNoBody(this) && !this.hasHeader('content-length') && !this.hasHeader('transfer-encoding') && this.writableLength === 0) this.setHeader('Content-Length', length);
    this._sized = this.writableLength === 0 && +this.getHeader('content-length') === length;
    this.finished = true;
    return Writable.prototype.end.call(this, chunk, encoding, done);
  },
  _final(done) {
    this._sendHead();
    if (this._sink) this._sink.end();
    done();
  },
});
ServerResponse.prototype.writeHeader = ServerResponse.prototype.writeHead;

return { METHODS, STATUS_CODES, Socket, IncomingMessage, OutgoingMessage, ServerResponse, pairs, validateHeaderName, validateHeaderValue };
