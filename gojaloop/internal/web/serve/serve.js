// A script's answers to requests over HTTP: its function gets a Request and gives a Response.
const { fromWire, listOf, makeImmutable } = load('headers');
const { Received } = load('received');
const { received } = load('request');
const { isResponse, stateOf } = load('response');
const { argType, illegalConstructor } = load('nodeerrors');
const { expose } = load('webidl');
const nothing = new Uint8Array(0);

// visit calls a function for a visit of Go's.
function visit(handler, self, held, method, bodied) {
  let controller = null, upload = null, over = null;
  const reasonOf = (late) => new (load('exception').DOMException)(late ? 'The request has taken too long' : 'The request is over', late ? 'TimeoutError' : 'AbortError');
  const body = bodied ? new Received({ read: () => native.visitRead(held), cancel() {} }, () => {}) : null;
  let headers = null, url = null;
  const request = received({
    method, body,
    get headers() { return (headers ??= makeImmutable(fromWire(native.visitHeaders(held)))); },
    get url() { return (url ??= native.visitURL(held)); },
    get signal() {
      if (controller === null) {
        controller = new (load('abort').AbortController)();
        if (over !== null) controller.abort(over);
      }
      return controller.signal;
    },
  });
  const info = {
    get remoteAddr() { const { host, port } = native.visitFacts(held); return { transport: 'tcp', hostname: host, port }; },
  };
  const fail = (e) => native.visitFail(held, e);
  const answer = (response) => {
    try { upload = send(held, method, response); } catch (e) { fail(e); }
    if (upload !== null && over !== null) upload.cancel(over);
  };
  // Before the handler runs, because the deadline may interrupt it. late says whether that has passed; otherwise the client has left.
  native.visitAbort(held, (late) => {
    over = reasonOf(late);
    if (upload !== null) upload.cancel(over);
    if (body !== null) body.fail(over);
    if (controller !== null) controller.abort(over);
  });
  try {
    const response = Reflect.apply(handler, self, [request, info]);
    if (isResponse(response)) answer(response);
    else Promise.resolve(response).then(answer, fail);
  } catch (e) {
    fail(e);
  }
}
// send gives the answer, or throws. It returns what is under way of a stream, or null.
function send(held, method, response) {
  if (!isResponse(response)) throw argType('the result of the handler', 'Response', response);
  const { status, headers, body, type } = stateOf(response);
  if (type === 'error') throw new TypeError('The handler has returned Response.error()');
  if (body !== null && body.unusable) throw new TypeError('The body of the response has been used');
  const list = [];
  for (const [, value, name] of listOf(headers)) list.push(name, value);
  const { stream, bytes } = body === null ? { stream: null, bytes: nothing } : body.take();
  if (stream === null) {
    native.visitAnswer(held, status, list, bytes);
    return null;
  }
  native.visitHead(held, status, list);
  const upload = load('stream').readChunks(stream, (chunk) => native.visitWrite(held, chunk));
  if (method === 'HEAD') {
    upload.cancel();
    native.visitEnd(held);
  } else {
    upload.end.then(() => native.visitEnd(held), (e) => native.visitFail(held, e));
  }
  return upload;
}

// An HttpServer is what serve returns, as in Deno.
const secret = {};
class HttpServer {
  #server; #addr; #finished;
  constructor(given, hostname, port, handler) {
    if (given !== secret) throw illegalConstructor();
    const { promise, resolve } = Promise.withResolvers();
    this.#finished = promise;
    this.#server = native.listen(hostname, port, handler, resolve);
    this.#addr = { transport: 'tcp', ...native.serverAddress(this.#server) };
  }
  get addr() { return this.#addr; }
  get finished() { return this.#finished; }
  shutdown() { native.serverShutdown(this.#server, false); return this.#finished; }
  ref() { native.serverRef(this.#server, true); }
  unref() { native.serverRef(this.#server, false); }
}
expose(HttpServer);

// serve listens, and answers requests by a function: serve(handler), serve(options, handler) or serve(options) with a fetch.
function serve(options, handler) {
  if (typeof options === 'function') [options, handler] = [handler, options];
  options ??= {};
  if (handler === undefined && typeof options.fetch === 'function') handler = (...args) => options.fetch(...args);
  if (typeof handler !== 'function') throw argType('handler', 'Function', handler);
  const { port = 8000, hostname = '0.0.0.0', signal, onListen, onError } = options;
  const answer = onError === undefined ? handler : async (...args) => {
    try { return await handler(...args); } catch (e) { return onError(e); }
  };
  const server = new HttpServer(secret, `${hostname}`, +port, (held, method, bodied) => visit(answer, undefined, held, method, bodied));
  if (signal !== undefined) load('abort').attach(signal, () => { server.shutdown(); });
  if (onListen !== undefined) onListen(server.addr);
  return server;
}
return { visit, serve };
