// ReadableStream, WritableStream, TransformStream and their kin (Streams).
const attempt = (name, fn) => { try { const v = fn(); console.log(name, typeof v === 'object' && v !== null ? v.constructor.name : v); } catch (e) { console.log(name, e.name); } };
const fails = async (name, p) => { try { console.log(name, await p); } catch (e) { console.log(name, e.name, e.message === 'mine' ? 'mine' : ''); } };
const classes = [ReadableStream, ReadableStreamDefaultReader, ReadableStreamBYOBReader, ReadableStreamBYOBRequest, ReadableByteStreamController, ReadableStreamDefaultController, WritableStream, WritableStreamDefaultWriter, WritableStreamDefaultController, TransformStream, TransformStreamDefaultController, CountQueuingStrategy, ByteLengthQueuingStrategy];
for (const C of classes) {
  const d = Object.getOwnPropertyDescriptor(globalThis, C.name);
  console.log(C.name, C.length, d.enumerable, d.writable, d.configurable, C.prototype[Symbol.toStringTag]);
  for (const key of Object.getOwnPropertyNames(C.prototype).sort()) {
    const m = Object.getOwnPropertyDescriptor(C.prototype, key);
    if (key !== 'constructor') console.log(' ', key, m.value ? m.value.length : 'getter', m.enumerable, m.configurable);
  }
  attempt(`call ${C.name}`, () => C());
  if (C !== ReadableStream && C !== WritableStream && C !== TransformStream) attempt(`new ${C.name}`, () => new C());
}
console.log(new ReadableStream(), new ReadableStream({ type: 'bytes' }), new WritableStream(), new TransformStream(), new ReadableStream().getReader(), new WritableStream().getWriter(), new CountQueuingStrategy({ highWaterMark: 2 }), { a: new ReadableStream() }, [new WritableStream()]);
console.log(Object.keys(new ReadableStream()), Object.keys(new WritableStream()), new CountQueuingStrategy({ highWaterMark: 1 }).size(), new ByteLengthQueuingStrategy({ highWaterMark: 1 }).size({ byteLength: 7 }));
for (const a of [[null], [1], [{ start: 1 }], [{ pull: {} }], [{ cancel: 'x' }], [{}, { highWaterMark: -1 }], [{}, { highWaterMark: NaN }], [{}, { size: 1 }], [{ type: 'bytes' }, { size() {} }], [{ start() { throw new RangeError('r'); } }]]) attempt('readable', () => new ReadableStream(...a));
for (const v of [null, undefined, 1, {}, () => {}, Symbol('x')]) attempt('from', () => ReadableStream.from(v));
(async () => {
  const log = [];
  let c;
  const rs = new ReadableStream({ start(k) { c = k; log.push('start'); }, pull() { log.push('pull'); }, cancel(r) { log.push('cancel', r); } });
  c.enqueue('a'); const r = rs.getReader(); console.log(rs.locked, c.desiredSize, await r.read()); c.enqueue('b'); c.close(); attempt('enqueue', () => c.enqueue('c')); attempt('close', () => c.close()); console.log(await r.read(), await r.read(), await r.closed, log.join());
  const s = new ReadableStream(); const reader = s.getReader(); attempt('getReader', () => s.getReader()); await fails('cancel', s.cancel()); const pending = reader.read(); reader.releaseLock(); await fails('released', pending); await fails('closed', reader.closed); await fails('read', reader.read()); attempt('mode', () => s.getReader({ mode: 'x' })); attempt('mode', () => s.getReader({ mode: 'byob' }));
  await fails('errored', new ReadableStream({ start(k) { k.error(new Error('mine')); } }).getReader().read()); await fails('pull', new ReadableStream({ pull() { throw new Error('mine'); } }).getReader().read());
  const [x, y] = ReadableStream.from(['a', 'b']).tee(); const seen = []; for await (const v of x) seen.push(v); for await (const v of y) seen.push(v); console.log(seen.join());
  const it = new ReadableStream({ start(k) { k.enqueue(1); k.enqueue(2); } }).values({ preventCancel: true }); console.log((await it.next()).value, (await it.return('z')).value, (await it.next()).done);
  const written = []; const ws = new WritableStream({ start() { written.push('start'); }, write(v) { written.push(v); }, close() { written.push('close'); }, abort(e) { written.push('abort', e); } }); const w = ws.getWriter(); console.log(w.desiredSize, ws.locked); w.write('a'); console.log(w.desiredSize); await w.ready; await w.write('b'); await w.close(); await w.closed; console.log(written.join());
  let k2; const aborted = new WritableStream({ start(k) { k2 = k; } }); console.log(k2.signal instanceof AbortSignal, k2.signal.aborted); await aborted.abort('why'); console.log(k2.signal.aborted, k2.signal.reason);
  const upper = new TransformStream({ transform(v, k) { k.enqueue(v.toUpperCase()); }, flush(k) { k.enqueue('end'); } }); const out = []; for await (const v of ReadableStream.from(['a', 'b']).pipeThrough(upper)) out.push(v); console.log(out.join());
  const sink = []; await ReadableStream.from([1, 2]).pipeTo(new WritableStream({ write(v) { sink.push(v); }, close() { sink.push('close'); } })); console.log(sink.join()); await fails('pipe', new ReadableStream({ start(k) { k.error(new Error('mine')); } }).pipeTo(new WritableStream({ abort(e) { sink.push(e.message); } }))); console.log(sink.join());
  const stop = new AbortController(); const piped = new ReadableStream().pipeTo(new WritableStream(), { signal: stop.signal }); stop.abort(new Error('mine')); await fails('abort', piped); await fails('pipeTo', new ReadableStream().pipeTo(1)); attempt('pipeThrough', () => new ReadableStream().pipeThrough({}));
  let b; const bytes = new ReadableStream({ type: 'bytes', start(k) { b = k; } }); const byob = bytes.getReader({ mode: 'byob' }); const view = new Uint8Array(4), got = byob.read(view); console.log(view.byteLength, b.byobRequest.view.byteLength); b.byobRequest.view[0] = 9; b.byobRequest.respond(1); console.log(await got); const source = new Uint8Array([1, 2, 3]); b.enqueue(source); console.log(source.byteLength, (await byob.read(new Uint8Array(2))).value, (await byob.read(new Uint8Array(2))).value); await fails('empty', byob.read(new Uint8Array(0))); attempt('enqueue', () => b.enqueue(new Uint8Array(0))); const last = byob.read(new Uint8Array(2)); b.close(); b.byobRequest.respond(0); console.log(await last);
  const auto = new ReadableStream({ type: 'bytes', autoAllocateChunkSize: 8, pull(k) { k.byobRequest.view[0] = 1; k.byobRequest.respond(1); } }); const { value } = await auto.getReader().read(); console.log(value, value.buffer.byteLength);
  const order = []; const o = new ReadableStream({ start() { order.push('start'); return Promise.resolve(); }, pull(k) { order.push('pull'); k.enqueue('x'); k.close(); } }, { highWaterMark: 0 }).getReader(); queueMicrotask(() => order.push('micro')); o.read().then(() => order.push('read')); o.closed.then(() => order.push('closed')); await o.closed; await 1; console.log(order.join());
  const wo = []; const ow = new WritableStream({ write() { wo.push('w'); }, close() { wo.push('c'); } }).getWriter(); ow.ready.then(() => wo.push('ready')); ow.write(1).then(() => wo.push('wrote')); ow.close().then(() => wo.push('closing')); ow.closed.then(() => wo.push('closed')); for (let i = 0; i < 8; i++) { await 1; wo.push(i); } console.log(wo.join());
  class Mine extends ReadableStream { constructor() { super({ start(k) { k.enqueue('q'); } }); this._state = this._reader = this._disturbed = 'mine'; } } const m = new Mine(); console.log((await m.getReader().read()).value, m._state, Object.keys(m));
})();
