// Bodies of requests and responses (Fetch 5.2 and 5.3).
const { ReadableStream, isStream, isDisturbed } = load('stream');
const { Blob, File, FormData, isBlob, bytesOf, isFormData, encode } = load('blob');
const { URLSearchParams } = load('urlsearchparams');
const { usv } = load('webidl');
const { isView } = ArrayBuffer;

const streamOf = (bytes) => {
  let left = bytes;
  return new ReadableStream({ pull(c) { if (left !== null && left.length > 0) { c.enqueue(left); left = null; } else { c.close(); } } }, { highWaterMark: 0 });
};
// extract makes a body: a stream, with its type. It is null for null.
function extract(v) {
  if (v === null || v === undefined) return { body: null, type: null };
  if (isStream(v)) {
    if (v.locked || isDisturbed(v)) throw new TypeError('Response body object should not be disturbed or locked');
    return { body: { stream: v, bytes: null }, type: null };
  }
  const { bytes, type } = bytesFrom(v);
  return { body: { stream: streamOf(bytes), bytes }, type };
}
function bytesFrom(v) {
  if (isBlob(v)) return { bytes: bytesOf(v), type: v.type || null };
  if (isFormData(v)) return encode(v);
  if (v instanceof ArrayBuffer) return { bytes: new Uint8Array(v.slice(0)), type: null };
  if (isView(v)) return { bytes: new Uint8Array(v.buffer.slice(v.byteOffset, v.byteOffset + v.byteLength)), type: null };
  const type = v instanceof URLSearchParams ? 'application/x-www-form-urlencoded;charset=UTF-8' : 'text/plain;charset=UTF-8';
  return { bytes: new Uint8Array(native.utf8Encode(usv(v))), type };
}
const unusable = (body) => body !== null && (body.stream.locked || isDisturbed(body.stream));
// read reads a body to its end.
async function read(body) {
  if (body === null) return new Uint8Array(0);
  if (unusable(body)) throw new TypeError('Body is unusable: Body has already been read');
  const parts = [], reader = body.stream.getReader();
  let length = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    if (!(value instanceof Uint8Array)) throw new TypeError('Received non-Uint8Array chunk');
    parts.push(value);
    length += value.length;
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const p of parts) { all.set(p, at); at += p.length; }
  return all;
}
// fork makes two bodies of one.
function fork(body) {
  if (body === null) return null;
  const [mine, other] = body.stream.tee();
  body.stream = mine;
  return { stream: other, bytes: body.bytes };
}
const decode = (bytes) => native.decode('utf-8', bytes.buffer, true).text.replace(/^\ufeff/, '');
function formData(bytes, type) {
  const form = new FormData();
  if (/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    for (const [name, value] of new URLSearchParams(decode(bytes))) form.append(name, value);
    return form;
  }
  const parts = /^multipart\/form-data\s*;/i.test(type) ? native.multipart(type, bytes.buffer) : undefined;
  if (parts === undefined) throw new TypeError('Could not parse content as FormData.');
  for (const { name, file, type: partType, bytes: data } of parts) {
    form.append(name, file === undefined ? decode(new Uint8Array(data)) : new File([data], file, { type: partType }));
  }
  return form;
}
// mixin gives a class the members of Body. stateOf returns an object with body and headers.
function mixin(C, stateOf) {
  const reading = (convert) => async function () {
    const s = stateOf(this);
    return convert(await read(s.body), s.headers.get('content-type') || '');
  };
  const methods = {
    arrayBuffer: reading((bytes) => bytes.buffer),
    blob: reading((bytes, type) => new Blob([bytes], { type })),
    bytes: reading((bytes) => bytes),
    formData: reading(formData),
    json: reading((bytes) => JSON.parse(decode(bytes))),
    text: reading(decode),
  };
  for (const key of Object.keys(methods)) {
    Object.defineProperty(methods[key], 'name', { value: key });
    Object.defineProperty(C.prototype, key, { value: methods[key], writable: true, enumerable: true, configurable: true });
  }
  const getters = {
    get body() { const { body } = stateOf(this); return body === null ? null : body.stream; },
    get bodyUsed() { const { body } = stateOf(this); return body !== null && isDisturbed(body.stream); },
  };
  for (const key of ['body', 'bodyUsed']) Object.defineProperty(C.prototype, key, Object.getOwnPropertyDescriptor(getters, key));
}
return { extract, unusable, read, fork, mixin };
