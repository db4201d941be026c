// The function fetch (Fetch 5.6). A body is received in pieces, as the script reads it; one that is sent is read first.
const { listOf } = load('headers');
const { read } = load('body');
const { Request, requestOf } = load('request');
const { fromNetwork } = load('response');
const { needArguments } = load('webidl');

async function fetch(input, init = undefined) {
  needArguments('fetch', 1, arguments);
  const { method, url, headers, body, signal, redirect } = requestOf(new Request(input, init));
  signal.throwIfAborted();
  if (!/^https?:/.test(url)) throw new TypeError('fetch failed', { cause: new Error('unknown scheme') });
  let bytes = null;
  if (body !== null) bytes = body.bytes !== null ? body.bytes.slice().buffer : (await read(body)).buffer;
  const answer = await native.fetch(method, url, listOf(headers), bytes, redirect, signal);
  if (answer.error !== undefined) throw new TypeError('fetch failed', { cause: new Error(answer.error) });
  return fromNetwork(answer);
}
return { fetch };
