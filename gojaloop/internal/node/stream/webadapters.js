// Streams of Node as streams of the web, and the other way round.
const { Buffer } = load('buffer');
const streams = () => load('stream');
const library = () => load('readable-stream');
const ready = (node, event, check) => new Promise((resolve, reject) => {
  if (check()) { resolve(); return; }
  const done = (e) => { node.off(event, done); node.off('error', failed); node.off('close', done); resolve(e); };
  const failed = (e) => { node.off(event, done); node.off('close', done); reject(e); };
  node.on(event, done).on('close', done).once('error', failed);
});
const Readable = {
  toWeb(node) {
    const { ReadableStream } = streams();
    let iterator;
    return new ReadableStream({
      start() { iterator = node[Symbol.asyncIterator](); },
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(node.readableObjectMode || typeof value === 'string' ? value : new Uint8Array(value));
      },
      cancel(reason) { node.destroy(reason); },
    }, { highWaterMark: 0 });
  },
  fromWeb(web, options) {
    const reader = web.getReader();
    return new (library().Readable)({
      ...options,
      read() {
        reader.read().then(({ done, value }) => this.push(done ? null : typeof value === 'string' || this.readableObjectMode ? value : Buffer.from(value)), (e) => this.destroy(e));
      },
      destroy(error, done) { reader.cancel(error).then(() => done(error), () => done(error)); },
    });
  },
};
const Writable = {
  toWeb(node) {
    const { WritableStream } = streams();
    return new WritableStream({
      async write(chunk) { if (!node.write(chunk)) await ready(node, 'drain', () => !node.writableNeedDrain); },
      close() { return new Promise((resolve, reject) => { node.once('error', reject); node.end(resolve); }); },
      abort(reason) { node.destroy(reason); },
    });
  },
  fromWeb(web, options) {
    const writer = web.getWriter();
    return new (library().Writable)({
      ...options,
      write(chunk, encoding, done) { writer.write(chunk).then(() => done(), done); },
      final(done) { writer.close().then(() => done(), done); },
      destroy(error, done) { if (error) writer.abort(error).then(() => done(error), () => done(error)); else done(null); },
    });
  },
};
const Duplex = {
  toWeb: (node) => ({ readable: Readable.toWeb(node), writable: Writable.toWeb(node) }),
  fromWeb: ({ readable, writable }, options) => library().Duplex.from({ readable: Readable.fromWeb(readable, options), writable: Writable.fromWeb(writable, options) }),
};
return { Readable, Writable, Duplex };
