// The streams (Streams Standard), which web-streams-polyfill implements, and what bodies need of them beyond their
// public members.
const streams = load('webstreams');
const { expose, show } = load('webidl');
const { symbols, ReadableStream, ReadableStreamDefaultReader, ReadableStreamDefaultController, ReadableByteStreamController } = streams;
const { ReadableStreamBYOBReader, ReadableStreamBYOBRequest, WritableStream, WritableStreamDefaultWriter, WritableStreamDefaultController } = streams;
const { TransformStream, TransformStreamDefaultController, CountQueuingStrategy, ByteLengthQueuingStrategy } = streams;
const { state, storedError, disturbed, readableStreamController, reader: lockingReader } = symbols;
const own = Object.prototype.hasOwnProperty;
const cancelReader = ReadableStreamDefaultReader.prototype.cancel;
const pullSteps = (controller) => Object.getOwnPropertySymbols(controller.prototype).find((s) => s.description === '[[PullSteps]]');
const pulls = [pullSteps(ReadableStreamDefaultController), pullSteps(ReadableByteStreamController)];

const isStream = (v) => v !== null && typeof v === 'object' && own.call(v, readableStreamController);
const isDisturbed = (stream) => stream[disturbed];
const isLocked = (stream) => stream[lockingReader] !== undefined;

// read is ReadableStreamDefaultReaderRead. No object that scripts can see is made, nor a promise.
function read(stream, request) {
  stream[disturbed] = true;
  if (stream[state] === 'closed') {
    request[symbols.closeSteps]();
  } else if (stream[state] === 'errored') {
    request[symbols.errorSteps](stream[storedError]);
  } else {
    const controller = stream[readableStreamController];
    controller[pulls.find((p) => p in controller)](request);
  }
}
// readChunks hands all chunks of a stream, which must not be locked, to a function, one after the other. That function
// may return a promise, for which the next chunk waits. There is a promise for the end, and a function to cancel it.
function readChunks(stream, take) {
  const reader = new ReadableStreamDefaultReader(stream);
  const cancel = (reason) => { Reflect.apply(cancelReader, reader, [reason]).then(undefined, () => {}); };
  const end = new Promise((resolve, reject) => {
    let inside = false, again = false;
    const pump = () => {
      if (inside) { again = true; return; }
      inside = true;
      do { again = false; read(stream, request); } while (again);
      inside = false;
    };
    const request = {
      [symbols.chunkSteps](chunk) {
        if (!(chunk instanceof Uint8Array)) { reject(new TypeError('Received non-Uint8Array chunk')); return; }
        const wait = take(chunk);
        if (wait === undefined) pump(); else wait.then(pump, (e) => { cancel(e); reject(e); });
      },
      [symbols.closeSteps]: resolve,
      [symbols.errorSteps]: reject,
    };
    pump();
  });
  return { end, cancel };
}
// readAll hands all bytes of a stream to a function. Its promise is for nothing: of an object that it were for, the engine
// would ask for a then, which scripts may have put into Object.prototype.
async function readAll(stream, take) {
  const parts = [];
  let length = 0, at = 0;
  await readChunks(stream, (chunk) => { parts.push(chunk); length += chunk.length; }).end;
  const all = new Uint8Array(length);
  for (const p of parts) { all.set(p, at); at += p.length; }
  take(all);
}
// byteStream is a stream of bytes that are there already.
function byteStream(bytes) {
  return new ReadableStream({
    type: 'bytes',
    pull(c) {
      if (bytes.length > 0) c.enqueue(bytes.slice());
      c.close();
      if (c.byobRequest !== null) c.byobRequest.respond(0);
    },
  }, { highWaterMark: 0 });
}
// usedStream is what is left of a body that has been read.
function usedStream() {
  const stream = new ReadableStream({ type: 'bytes' });
  Reflect.apply(cancelReader, new ReadableStreamDefaultReader(stream), []);
  return stream;
}

const streamOf = (reader) => reader[symbols.ownerReadableStream];
show(ReadableStream, (s) => ({ locked: isLocked(s), state: s[state], supportsBYOB: s[readableStreamController] instanceof ReadableByteStreamController }));
show(WritableStream, (s) => ({ locked: s.locked, state: s[state] }));
show(TransformStream, (s) => ({ readable: s.readable, writable: s.writable, backpressure: s[symbols.backpressure] }));
show(ReadableStreamDefaultReader, (r) => ({ stream: streamOf(r), readRequests: r[symbols.readRequests].length, close: r.closed }));
show(ReadableStreamBYOBReader, (r) => ({ stream: streamOf(r), readIntoRequests: r[symbols.readIntoRequests].length, close: r.closed }));
show(ReadableStreamBYOBRequest, (r) => ({ view: r.view, controller: r[symbols.associatedReadableByteStreamController] }));
show(WritableStreamDefaultWriter, (w) => ({ stream: w[symbols.ownerWritableStream], close: w.closed, ready: w.ready, desiredSize: w.desiredSize }));
show(WritableStreamDefaultController, (c) => ({ stream: c[symbols.controlledWritableStream] }));
show(TransformStreamDefaultController, (c) => ({ stream: c[symbols.controlledTransformStream] }));
for (const C of [ReadableStreamDefaultController, ReadableByteStreamController]) show(C, () => ({}));
for (const C of [CountQueuingStrategy, ByteLengthQueuingStrategy]) show(C, ({ highWaterMark }) => ({ highWaterMark }));
delete WritableStreamDefaultController.prototype.abortReason; // of an earlier standard
for (const C of Object.values(streams)) if (typeof C === 'function') expose(C, C === ReadableStream ? ['from'] : []);
return { ...streams, isStream, isDisturbed, isLocked, readChunks, readAll, byteStream, usedStream };
