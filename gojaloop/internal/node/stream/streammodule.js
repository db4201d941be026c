// Node's module stream: the library readable-stream, with what only Node's own has.
const stream = load('readable-stream');
const web = load('webadapters');
for (const name of ['Readable', 'Writable', 'Duplex']) {
  for (const [method, fn] of Object.entries(web[name])) {
    Object.defineProperty(stream[name], method, { __proto__: null, value: fn, writable: true, configurable: true });
  }
}
stream.Stream = stream;
let size = 65536, objects = 16;
stream.getDefaultHighWaterMark ||= (objectMode) => (objectMode ? objects : size);
stream.setDefaultHighWaterMark ||= (objectMode, value) => { if (objectMode) objects = value; else size = value; };
return stream;
