// Bodies of requests and responses (Fetch 5.2 and 5.3).
const { URLSearchParams } = load('urlsearchparams');
const { usv } = load('webidl');
const { serialize, extract: extractType } = load('mimetype');
const { isView } = ArrayBuffer;
const streams = () => load('stream'); // loaded when a script, or the network, has a stream

// A Body has bytes, a stream, or both. Of bytes a stream is made only if somebody asks for it.
class Body {
  constructor(bytes, stream) {
    this.bytes = bytes; // null if they come by the stream alone; they are never changed
    this.given = stream;
    this.read = false; // the bytes have been, without a stream
  }
  get stream() {
    if (this.given === null) this.given = this.read ? streams().usedStream() : this.makeStream();
    return this.given;
  }
  makeStream() { return streams().byteStream(this.bytes); }
  get used() { return this.given === null ? this.read : streams().isDisturbed(this.given); }
  get unusable() { return this.used || (this.given !== null && streams().isLocked(this.given)); }
  // readAll reads a body that is usable to its end, and hands the bytes to a function before its promise is fulfilled.
  async readAll(take) {
    if (this.given !== null) return streams().readAll(this.given, take);
    this.read = true;
    return this.readBytes(take);
  }
  readBytes(take) { take(this.bytes.slice()); }
  // take is what is sent: the bytes, or the stream, from now on used.
  take() {
    if (this.given !== null) return { stream: this.given, bytes: null };
    this.read = true;
    return { stream: null, bytes: this.bytes };
  }
  cancel(reason) {
    if (this.given === null) this.read = true;
    else if (!streams().isLocked(this.given)) this.given.cancel(reason).then(undefined, () => {});
  }
  // proxy is "create a proxy": a body that takes this one over.
  proxy() {
    if (this.given === null) {
      this.read = true;
      return new Body(this.bytes, null);
    }
    return new Body(this.bytes, this.given.pipeThrough(new (streams().TransformStream)()));
  }
  clone() {
    if (this.given === null && this.bytes !== null) return new Body(this.bytes, null);
    const [mine, other] = this.stream.tee();
    this.given = mine;
    return new Body(this.bytes, copied(other));
  }
}
// copied is a stream of structured clones of the chunks of a branch (cloneForBranch2 of ReadableStreamTee). The branches
// of byte streams have chunks of their own.
function copied(branch) {
  const reader = branch.getReader(), { structuredClone } = load('clone');
  return new (streams().ReadableStream)({
    async pull(c) {
      const { value, done } = await reader.read();
      if (done) c.close(); else c.enqueue(structuredClone(value));
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}

// isStream looks whether a value is a stream, without loading streams: those of a script have done that.
const isStream = (v) => v !== null && typeof v === 'object' && Object.getOwnPropertySymbols(v).length > 0 && streams().isStream(v);
// convert converts to BodyInit.
function convert(v) {
  if (v === null || v === undefined) return null;
  if (typeof v === 'object' && (isStream(v) || v instanceof ArrayBuffer || isView(v) || v instanceof URLSearchParams)) return v;
  if (typeof v === 'object' && (load('blob').isBlob(v) || load('formdata').isFormData(v))) return v;
  return usv(v);
}
// extract makes a body, with its type, of what convert gives.
function extract(v) {
  if (v === null) return { body: null, type: null };
  if (typeof v === 'string') return { body: new Body(new Uint8Array(native.utf8Encode(v)), null), type: 'text/plain;charset=UTF-8' };
  if (isStream(v)) {
    if (v.locked || streams().isDisturbed(v)) throw new TypeError('Response body object should not be disturbed or locked');
    return { body: new Body(null, v), type: null };
  }
  const { bytes, type } = bytesFrom(v);
  return { body: new Body(bytes, null), type };
}
function bytesFrom(v) {
  if (v instanceof ArrayBuffer || isView(v)) return { bytes: load('blob').copyOf(v), type: null };
  if (v instanceof URLSearchParams) return { bytes: new Uint8Array(native.utf8Encode(v.toString())), type: 'application/x-www-form-urlencoded;charset=UTF-8' };
  if (load('formdata').isFormData(v)) return load('formdata').encode(v);
  return { bytes: load('blob').bytesOf(v), type: v.type || null };
}
const decode = (bytes) => native.decode('utf-8', bytes.buffer, true).text;
const withoutMark = (s) => (s.charCodeAt(0) === 0xfeff ? s.slice(1) : s);
function formData(bytes, mimeType) {
  const form = new (load('formdata').FormData)(), essence = mimeType === null ? '' : mimeType.essence;
  if (essence === 'application/x-www-form-urlencoded') {
    for (const [name, value] of load('urlsearchparams').parse(decode(bytes))) form.append(name, value);
    return form;
  }
  const boundary = essence === 'multipart/form-data' ? mimeType.parameters.get('boundary') : undefined;
  const parts = boundary === undefined ? undefined : native.multipart(boundary, bytes.buffer);
  if (parts === undefined) throw new TypeError('Could not parse content as FormData.');
  for (const { name, file, type, bytes: data } of parts) {
    form.append(name, file === undefined ? decode(new Uint8Array(data)) : new (load('blob').File)([data], file, { type }));
  }
  return form;
}
// mixin gives a class the members of Body. stateOf returns an object with body and headers.
function mixin(C, stateOf) {
  const reading = (convertBytes) => async function () {
    const s = stateOf(this), { body } = s;
    if (body !== null && body.unusable) throw new TypeError('Body is unusable: Body has already been read');
    let bytes = new Uint8Array(0);
    if (body !== null) await body.readAll((all) => { bytes = all; });
    return convertBytes(bytes, s);
  };
  const typeOf = (s) => extractType(s.headers.get('content-type'));
  const methods = {
    arrayBuffer: reading((bytes) => bytes.buffer),
    blob: reading((bytes, s) => { const t = typeOf(s); return new (load('blob').Blob)([bytes], { type: t === null ? '' : serialize(t) }); }),
    bytes: reading((bytes) => bytes),
    formData: reading((bytes, s) => formData(bytes, typeOf(s))),
    json: reading((bytes) => JSON.parse(withoutMark(decode(bytes)))),
    text: reading((bytes) => withoutMark(decode(bytes))),
  };
  for (const key of Object.keys(methods)) {
    Object.defineProperty(methods[key], 'name', { __proto__: null, value: key });
    Object.defineProperty(C.prototype, key, { __proto__: null, value: methods[key], writable: true, enumerable: true, configurable: true });
  }
  const getters = {
    get body() { const { body } = stateOf(this); return body === null ? null : body.stream; },
    get bodyUsed() { const { body } = stateOf(this); return body !== null && body.used; },
  };
  for (const key of ['body', 'bodyUsed']) Object.defineProperty(C.prototype, key, { __proto__: null, ...Object.getOwnPropertyDescriptor(getters, key) });
}
return { Body, convert, extract, isStream, mixin };
