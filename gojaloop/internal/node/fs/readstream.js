// Node's fs.ReadStream. The file is read as a whole when the stream is opened.
const make = (fs, encodingOf) => class ReadStream extends load('streammodule').Readable {
  #data = null; #at; #end;
  constructor(path, options) {
    const { start = 0, end = Infinity, highWaterMark = 65536 } = typeof options === 'object' && options !== null ? options : {};
    super({ highWaterMark, encoding: encodingOf(options) });
    this.#at = start;
    this.#end = end + 1;
    this.path = path;
    this.fd = null;
    this.bytesRead = 0;
  }
  _construct(done) {
    fs.readFile(this.path, (e, data) => {
      if (e) { done(e); return; }
      this.#data = data.subarray(0, this.#end);
      this.fd = -1;
      done();
      this.emit('open', -1);
      this.emit('ready');
    });
  }
  _read(n) {
    if (this.#at >= this.#data.length) { this.push(null); return; }
    const part = this.#data.subarray(this.#at, this.#at += Math.min(n, this.readableHighWaterMark));
    this.bytesRead += part.length;
    this.push(part);
  }
  close(done) {
    if (done) this.once('close', done);
    this.destroy();
  }
};
return { make };
