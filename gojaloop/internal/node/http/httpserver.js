// Node's http.Server, over what serve listens with. The embedder's function opens the listener.
const { coded } = load('nodeerrors');
const { EventEmitter } = load('eventsmodule');
const { Buffer } = load('buffer');
const { Socket, IncomingMessage, ServerResponse } = load('httpmessages');

class Server extends EventEmitter {
  #server = null; #address = null; #options;
  constructor(options, listener) {
    super();
    if (typeof options === 'function') { listener = options; options = {}; }
    this.#options = { IncomingMessage, ServerResponse, ...options };
    Object.assign(this, { timeout: 0, keepAliveTimeout: 5000, headersTimeout: 60000, requestTimeout: 300000, maxHeadersCount: null, maxRequestsPerSocket: 0, listening: false });
    if (listener) this.on('request', listener);
  }
  listen(...args) {
    let done = args.pop();
    if (typeof done !== 'function') { if (done !== undefined) args.push(done); done = undefined; }
    let [port = 0, host = ''] = args;
    if (typeof port === 'object' && port !== null) ({ port = 0, host = '' } = port);
    if (typeof host !== 'string') host = '';
    if (typeof port === 'string' && !/^\d+$/.test(port)) throw coded(Error, 'ERR_ACCESS_DENIED', `http.Server.listen is not available here for the path ${port}`);
    if (!(+port >= 0 && +port < 65536)) throw coded(RangeError, 'ERR_SOCKET_BAD_PORT', `options.port should be >= 0 and < 65536. Received ${native.received(port)}.`);
    if (this.#server !== null) throw coded(Error, 'ERR_SERVER_ALREADY_LISTEN', 'Listen method has been called more than once without closing.');
    if (done) this.once('listening', done);
    try {
      this.#server = native.listen(host, +port, (held, method, bodied) => this.#visit(held, method, bodied), () => {
        this.#server = null;
        this.emit('close');
      });
    } catch (e) {
      native.nextTick(() => this.emit('error', e));
      return this;
    }
    const { hostname, port: bound } = native.serverAddress(this.#server);
    this.#address = { address: hostname, family: hostname.includes(':') ? 'IPv6' : 'IPv4', port: bound };
    this.listening = true;
    native.nextTick(() => this.emit('listening'));
    return this;
  }
  address() { return this.listening ? this.#address : null; }
  setTimeout(ms, done) { if (typeof done === 'function') this.on('timeout', done); return this; }
  close(done) {
    if (!this.listening) {
      if (done) native.nextTick(done, coded(Error, 'ERR_SERVER_NOT_RUNNING', 'Server is not running.'));
      return this;
    }
    if (done) this.once('close', done);
    this.listening = false;
    native.serverShutdown(this.#server, false);
    return this;
  }
  closeAllConnections() { if (this.#server !== null && !this.listening) native.serverShutdown(this.#server, true); }
  closeIdleConnections() {}
  ref() { if (this.#server !== null) native.serverRef(this.#server, true); return this; }
  unref() { if (this.#server !== null) native.serverRef(this.#server, false); return this; }
  async [Symbol.asyncDispose]() { if (this.listening) await new Promise((resolve) => { this.close(resolve); }); }
  #visit(held, method, bodied) {
    const facts = native.visitFacts(held), socket = new Socket(facts.host, facts.port, facts.secure);
    socket.server = this;
    const req = new this.#options.IncomingMessage(socket), res = new this.#options.ServerResponse(prepare(req, held, method, bodied, facts));
    res._sink = sinkOf(held, facts, this.keepAliveTimeout);
    native.visitAbort(held, () => { // when nobody waits for the answer any longer
      if (res.writableFinished) return;
      res._sink = null;
      req.aborted = true;
      req.emit('aborted');
      req.destroy(bodied && !req.complete ? coded(Error, 'ECONNRESET', 'aborted') : undefined);
      res.destroy();
      socket.destroy();
    });
    // An exception of a listener is one that nobody has caught, as in Node.
    try { if (!this.emit('request', req, res)) { res.statusCode = 404; res.end(); } } catch (e) { native.report(e); }
  }
}
// prepare fills in a request.
function prepare(req, held, method, bodied, { target, major, minor }) {
  req.method = method;
  req.url = target;
  req.httpVersion = `${major}.${minor}`;
  req.httpVersionMajor = major;
  req.httpVersionMinor = minor;
  const flat = native.visitHeaders(held);
  for (let i = 0; i < flat.length; i += 2) req._addHeaderLine(flat[i], flat[i + 1]);
  req._read = () => {
    const end = () => { req.complete = true; req.push(null); };
    if (!bodied) { end(); return; }
    native.visitRead(held).then((piece) => {
      if (req.destroyed) return;
      if (piece instanceof ArrayBuffer) req.push(Buffer.from(piece));
      else if (piece === null) end();
      else req.destroy(piece);
    });
  };
  // An error that nobody listens for is of a client that has gone away, or sends too much.
  req._destroy = (error, done) => { done(req.listenerCount('error') === 0 ? null : error); };
  return req;
}
// sinkOf is what a response is written to.
function sinkOf(held, { major, close }, keepAliveTimeout) {
  const flat = (pairs) => {
    const list = [];
    let named = false;
    for (const [name, value] of pairs) {
      named ||= name.toLowerCase() === 'connection';
      list.push(name, value);
    }
    if (!named && major === 1) {
      if (close) list.push('Connection', 'close');
      else list.push('Connection', 'keep-alive', 'Keep-Alive', `timeout=${Math.floor(keepAliveTimeout / 1000)}`);
    }
    return list;
  };
  return {
    head: (status, message, pairs) => native.visitHead(held, status, flat(pairs)),
    whole: (status, message, pairs, bytes) => native.visitAnswer(held, status, flat(pairs), bytes.slice()),
    data: (bytes, done) => { native.visitWrite(held, bytes).then(() => done(), done); },
    end: () => native.visitEnd(held),
  };
}
return { Server };
