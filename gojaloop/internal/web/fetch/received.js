// A body that comes by the network. It is read in pieces when the script asks for them, so that the server has to wait for
// a script that does not.
const { Body } = load('body');

class Received extends Body {
  #answer; #done; #over = false; #controller = null; #failed = null;
  constructor(answer, done) {
    super(null, null);
    this.#answer = answer;
    this.#done = done; // called when nothing more can come
  }
  // fail ends the body for a reason, whatever is being read.
  fail(reason) {
    if (this.#over) return;
    this.#end();
    this.#failed = { reason };
    if (this.#controller !== null) this.#controller.error(reason);
  }
  #end() {
    this.#over = true;
    this.#done();
  }
  // #next gives a piece, or null at the end. It throws what went wrong.
  async #next() {
    const piece = await this.#answer.read();
    if (this.#over || piece instanceof ArrayBuffer) return piece;
    this.#end();
    if (piece !== null) throw new TypeError('terminated', { cause: piece });
    return null;
  }
  makeStream() {
    const { ReadableStream } = load('stream');
    return new ReadableStream({
      type: 'bytes',
      start: (c) => {
        this.#controller = c;
        if (this.#failed !== null) c.error(this.#failed.reason);
      },
      pull: async (c) => {
        const piece = await this.#next();
        if (piece !== null) {
          if (!this.#over) c.enqueue(new Uint8Array(piece));
          return;
        }
        c.close();
        if (c.byobRequest !== null) c.byobRequest.respond(0);
      },
      cancel: () => { this.#end(); this.#answer.cancel(); },
    }, { highWaterMark: 0 });
  }
  async readBytes(take) {
    const pieces = [];
    let length = 0, at = 0;
    for (;;) {
      const piece = this.#failed === null ? await this.#next() : null;
      if (this.#failed !== null) throw this.#failed.reason;
      if (piece === null) break;
      pieces.push(piece);
      length += piece.byteLength;
    }
    const all = new Uint8Array(length);
    for (const piece of pieces) { all.set(new Uint8Array(piece), at); at += piece.byteLength; }
    take(all);
  }
}
return { Received };
