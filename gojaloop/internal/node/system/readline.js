// Node's module readline: the lines of a stream. No script has a terminal.
const { EventEmitter } = load('eventsmodule');
const { StringDecoder } = load('stringdecoder');
class Interface extends EventEmitter {
  #rest = ''; #decoder = new StringDecoder('utf8'); #output; #prompt; #closed = false;
  constructor(input, output) {
    super();
    const options = input && input.input ? input : { input, output };
    this.input = options.input;
    this.#output = options.output;
    this.#prompt = options.prompt === undefined ? '> ' : options.prompt;
    this.terminal = false;
    this.line = '';
    this.input.on('data', (chunk) => this.#take(typeof chunk === 'string' ? chunk : this.#decoder.write(chunk)));
    this.input.on('end', () => {
      if (this.#rest !== '') this.emit('line', this.#rest);
      this.#rest = '';
      this.close();
    });
  }
  get closed() { return this.#closed; }
  #take(text) {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop();
    for (const line of lines) if (!this.#closed) this.emit('line', line);
  }
  close() {
    if (this.#closed) return;
    this.#closed = true;
    if (this.input.pause) this.input.pause();
    this.emit('close');
  }
  pause() { this.input.pause(); this.emit('pause'); return this; }
  resume() { this.input.resume(); this.emit('resume'); return this; }
  setPrompt(prompt) { this.#prompt = prompt; }
  getPrompt() { return this.#prompt; }
  prompt() { this.write(this.#prompt); }
  write(text) { if (this.#output) this.#output.write(text); }
  question(query, options, done = options) {
    this.write(query);
    this.once('line', done);
  }
  [Symbol.asyncIterator]() { return lines(this); }
}
function lines(from) {
  const events = EventEmitter.on(from, 'line', { close: ['close'] });
  return {
    async next() { const { done, value } = await events.next(); return { done, value: done ? undefined : value[0] }; },
    return() { from.close(); return events.return(); },
    [Symbol.asyncIterator]() { return this; },
  };
}
const createInterface = (input, output) => new Interface(input, output);
const sequence = (text) => (stream, ...rest) => { const done = rest.find((v) => typeof v === 'function'); return stream.write(text(...rest), done); };
const cursor = {
  clearLine: sequence((dir) => (dir < 0 ? '\x1b[1K' : dir > 0 ? '\x1b[0K' : '\x1b[2K')), clearScreenDown: sequence(() => '\x1b[0J'),
  cursorTo: sequence((x, y) => (typeof y === 'number' ? `\x1b[${y + 1};${x + 1}H` : `\x1b[${x + 1}G`)),
  moveCursor: sequence((x, y) => (x < 0 ? `\x1b[${-x}D` : x > 0 ? `\x1b[${x}C` : '') + (y < 0 ? `\x1b[${-y}A` : y > 0 ? `\x1b[${y}B` : '')),
};
class Asking extends Interface { question(query) { return new Promise((resolve) => { super.question(query, resolve); }); } }
const promises = { Interface: Asking, createInterface: (input, output) => new Asking(input, output) };
return { Interface, createInterface, ...cursor, emitKeypressEvents() {}, promises };
