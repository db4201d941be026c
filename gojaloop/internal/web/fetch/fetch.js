// The function fetch (Fetch 5.6). A body is received in pieces, as the script reads it, and a stream is sent in pieces, as
// the server takes them.
const { listOf } = load('headers');
const { Body } = load('body');
const { Received } = load('received');
const { follow } = load('abort');
const { Request, requestOf } = load('request');
const { received, bodyless, stateOf, withBody } = load('response');
const { needArguments } = load('webidl');

// Ports that no request goes to (Fetch 2.9).
const badPorts = [
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137,
  139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723,
  2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];
const failedFor = (cause) => new TypeError('fetch failed', { cause });
const failed = (message) => failedFor(new Error(message));
const portOf = (url) => native.getURL(native.parseURL(url), 'port');

function fetch(input, init = undefined) {
  try {
    needArguments('fetch', 1, arguments);
    return start(requestOf(new Request(input, init)));
  } catch (e) {
    return Promise.reject(e);
  }
}
// start settles its promise as soon as the signal is aborted, whatever the network does.
function start(request) {
  const { signal, body, url } = request;
  return new Promise((resolve, reject) => {
    let end = () => {};
    const abort = () => {
      if (body !== null) body.cancel(signal.reason);
      reject(signal.reason);
      end(signal.reason);
    };
    if (signal.aborted) { abort(); return; }
    const unfollow = follow(signal, abort);
    const exchange = schemeFetch(request, url.slice(0, url.indexOf(':')), unfollow);
    end = exchange.end;
    const response = request.integrity === '' ? exchange.response : exchange.response.then((r) => checked(r, request.integrity));
    response.then(resolve, (e) => { unfollow(); reject(e); });
  });
}
// checked reads the body of a response that must have the bytes that the script says.
async function checked(response, integrity) {
  const { body } = stateOf(response);
  let bytes = new Uint8Array(0);
  if (body !== null) await body.readAll((all) => { bytes = all; });
  if (!load('integrity').matches(bytes, integrity)) throw failed('integrity mismatch');
  return withBody(response, new Body(bytes, null));
}
// schemeFetch gives a promise for the response, and a function that ends everything for a reason.
function schemeFetch(request, scheme, done) {
  const { url } = request;
  if (scheme === 'data') return { response: dataResponse(request, done), end() {} };
  if (scheme !== 'http' && scheme !== 'https') return { response: Promise.reject(failed(`there is no way to fetch ${scheme}: URLs`)), end() {} };
  const port = portOf(url);
  if (port !== '' && badPorts.includes(+port)) return { response: Promise.reject(failed('bad port')), end() {} };
  return httpFetch(request, done);
}
async function dataResponse({ url, method }, done) {
  const data = load('dataurl').process(url);
  if (data === null) throw failed('the data: URL is not valid');
  done();
  const bytes = method === 'HEAD' ? new Uint8Array(0) : data.bytes;
  return received({ status: 200, statusText: 'OK', url, redirected: false, headers: [['content-type', data.type]] }, new Body(bytes, null));
}
function httpFetch({ method, url, headers, body, redirect, referrer, referrerPolicy }, done) {
  const sent = body === null ? { stream: null, bytes: null } : body.take();
  const list = listOf(headers).map(([, value, name]) => [name, value]);
  const x = native.fetch(method, url, list, sent.bytes === null ? null : sent.bytes.slice().buffer, sent.stream !== null, redirect, referrer, referrerPolicy);
  let down = null;
  const upload = sent.stream === null ? null : send(sent.stream, x);
  return {
    response: x.answer.then((answer) => {
      if (answer.error !== undefined) {
        if (upload !== null) upload.cancel(answer.error);
        throw failedFor(answer.error);
      }
      down = download(answer, done);
      return received(answer, down);
    }),
    end(reason) {
      if (upload !== null) upload.cancel(reason);
      if (down instanceof Received) down.fail(reason);
      x.cancel();
    },
  };
}
// send sends a stream. The next chunk is taken when the one before is on its way.
function send(stream, x) {
  const upload = load('stream').readChunks(stream, (chunk) => x.write(chunk.slice().buffer));
  upload.end.then(() => x.close(), (e) => x.fail(`${e}`));
  return upload;
}
// download makes the body of what comes by the network.
function download(answer, done) {
  if (bodyless.includes(answer.status) || answer.empty) {
    answer.cancel();
    done();
    return bodyless.includes(answer.status) ? null : new Body(new Uint8Array(0), null);
  }
  return new Received(answer, done);
}
return { fetch };
