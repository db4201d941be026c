// The part of ReadableStream (Streams 4) that bodies need: default readers and controllers, tee, asynchronous iteration.
// There are no byte streams, pipes, or queuing strategies other than a count.
const { expose } = load('webidl');
const { illegalConstructor } = load('nodeerrors');
const secret = {};
const handled = (p) => { p.catch(() => {}); return p; };

let stateOf;
class ReadableStream {
  #s = { state: 'readable', queue: [], reader: null, waiting: [], error: undefined, closing: false, disturbed: false, pulling: false, again: false, started: false, pull: null, cancel: null, limit: 1, onEnd: null };
  static { stateOf = (stream) => stream.#s; }
  constructor(source = {}, strategy = {}) {
    if (source === null || typeof source !== 'object') throw new TypeError('The underlying source is not an object');
    if (source.type !== undefined) throw new TypeError(`Streams of type ${source.type} are not supported`);
    const s = this.#s;
    const limit = strategy === null || strategy === undefined ? undefined : strategy.highWaterMark;
    if (limit !== undefined) { s.limit = Number(limit); if (!(s.limit >= 0)) throw new RangeError('The highWaterMark is not valid'); }
    const controller = new ReadableStreamDefaultController(secret, s);
    for (const key of ['start', 'pull', 'cancel']) if (source[key] !== undefined && typeof source[key] !== 'function') throw new TypeError(`${key} is not a function`);
    if (source.pull) s.pull = () => source.pull(controller);
    if (source.cancel) s.cancel = (reason) => source.cancel(reason);
    const started = source.start ? source.start(controller) : undefined;
    Promise.resolve(started).then(() => { s.started = true; pull(s); }, (e) => fail(s, e));
  }
  get locked() { return this.#s.reader !== null; }
  cancel(reason) {
    try { if (this.#s.reader !== null) return Promise.reject(new TypeError('ReadableStream is locked')); } catch (e) { return Promise.reject(e); }
    return cancel(this.#s, reason);
  }
  getReader(options = undefined) {
    this.#s;
    if (options !== undefined && options !== null && options.mode !== undefined) throw new TypeError(`Readers of mode ${options.mode} are not supported`);
    return new ReadableStreamDefaultReader(this);
  }
  tee() {
    const reader = this.getReader();
    let reading = null, canceled = 0;
    const branches = [], reasons = [];
    const next = () => {
      if (reading) return reading;
      reading = reader.read().then(({ value, done }) => {
        reading = null;
        for (const b of branches) { const s = stateOf(b.stream); if (s.state !== 'readable' || s.closing) continue; if (done) b.controller.close(); else b.controller.enqueue(value); }
      }, (e) => { for (const b of branches) b.controller.error(e); });
      return reading;
    };
    for (let i = 0; i < 2; i++) {
      const b = {};
      branches.push(b);
      b.stream = new ReadableStream({ start(c) { b.controller = c; }, pull: next, cancel(reason) { reasons[i] = reason; if (++canceled === 2) return reader.cancel(reasons); return undefined; } }, { highWaterMark: 0 });
    }
    return branches.map((b) => b.stream);
  }
  values({ preventCancel = false } = {}) {
    const reader = this.getReader();
    let ended = false;
    const finish = (result) => { if (!ended) { ended = true; reader.releaseLock(); } return result; };
    return Object.create(AsyncIterator, {
      next: { value: () => (ended ? Promise.resolve({ value: undefined, done: true }) : reader.read().then((r) => (r.done ? finish(r) : r), (e) => { finish(); throw e; })) },
      return: { value: async (value) => { if (!ended) { const p = preventCancel ? undefined : reader.cancel(value); finish(); await p; } return { value, done: true }; } },
    });
  }
  static from(iterable) {
    const method = iterable[Symbol.asyncIterator] || iterable[Symbol.iterator];
    if (typeof method !== 'function') throw new TypeError('The value is not iterable');
    const it = Reflect.apply(method, iterable, []);
    return new ReadableStream({
      async pull(c) { const { value, done } = await it.next(); if (done) c.close(); else c.enqueue(await value); },
      async cancel(reason) { if (it.return) await it.return(reason); },
    }, { highWaterMark: 0 });
  }
}
const AsyncIterator = { [Symbol.asyncIterator]() { return this; } };
Object.defineProperty(ReadableStream.prototype, Symbol.asyncIterator, { value: ReadableStream.prototype.values, writable: true, configurable: true });

function finish(s, end) {
  const waiting = s.waiting;
  s.waiting = [];
  for (const w of waiting) end(w);
  if (s.onEnd) s.onEnd(s);
}
function close(s) { s.state = 'closed'; finish(s, (w) => w.resolve({ value: undefined, done: true })); }
function fail(s, error) {
  if (s.state !== 'readable') return;
  s.state = 'errored';
  s.error = error;
  s.queue = [];
  finish(s, (w) => w.reject(error));
}
function cancel(s, reason) {
  s.disturbed = true;
  if (s.state === 'closed') return Promise.resolve();
  if (s.state === 'errored') return Promise.reject(s.error);
  s.queue = [];
  close(s);
  return new Promise((resolve) => { resolve(s.cancel ? s.cancel(reason) : undefined); }).then(() => undefined);
}
// pull asks the source for more, one call at a time, while somebody waits or the queue is short.
function pull(s) {
  if (!s.started || s.state !== 'readable' || s.closing || !s.pull || !(s.waiting.length > 0 || s.queue.length < s.limit)) return;
  if (s.pulling) { s.again = true; return; }
  s.pulling = true;
  new Promise((resolve) => { resolve(s.pull()); }).then(() => {
    s.pulling = false;
    if (s.again) { s.again = false; pull(s); }
  }, (e) => fail(s, e));
}

class ReadableStreamDefaultController {
  #s;
  constructor(...args) { if (args[0] !== secret) throw illegalConstructor(); [, this.#s] = args; }
  get desiredSize() { const s = this.#s; return s.state === 'errored' ? null : s.state === 'closed' ? 0 : s.limit - s.queue.length; }
  enqueue(chunk = undefined) {
    const s = this.#s;
    if (s.state !== 'readable' || s.closing) throw new TypeError('The stream is not in a state that permits enqueue');
    if (s.waiting.length > 0) s.waiting.shift().resolve({ value: chunk, done: false }); else s.queue.push(chunk);
    pull(s);
  }
  close() {
    const s = this.#s;
    if (s.state !== 'readable' || s.closing) throw new TypeError('The stream is not in a state that permits close');
    s.closing = true;
    if (s.queue.length === 0) close(s);
  }
  error(e = undefined) { fail(this.#s, e); }
}
class ReadableStreamDefaultReader {
  #s; #closed; #settle;
  constructor(stream) {
    const s = stateOf(stream);
    if (s.reader !== null) throw new TypeError('ReadableStream is locked');
    this.#s = s;
    s.reader = this;
    this.#watch();
  }
  #watch() {
    const s = this.#s;
    this.#closed = handled(new Promise((resolve, reject) => { this.#settle = { resolve, reject }; }));
    s.onEnd = () => { if (s.state === 'errored') this.#settle.reject(s.error); else this.#settle.resolve(undefined); };
    if (s.state !== 'readable') s.onEnd();
  }
  get closed() { return this.#closed; }
  read() {
    const s = this.#s;
    if (s === null) return Promise.reject(new TypeError('The reader is not attached to a stream'));
    s.disturbed = true;
    if (s.queue.length > 0) {
      const value = s.queue.shift();
      if (s.closing && s.queue.length === 0) close(s); else pull(s);
      return Promise.resolve({ value, done: false });
    }
    if (s.state === 'closed') return Promise.resolve({ value: undefined, done: true });
    if (s.state === 'errored') return Promise.reject(s.error);
    return new Promise((resolve, reject) => { s.waiting.push({ resolve, reject }); pull(s); });
  }
  cancel(reason = undefined) { return this.#s === null ? Promise.reject(new TypeError('The reader is not attached to a stream')) : cancel(this.#s, reason); }
  releaseLock() {
    const s = this.#s;
    if (s === null) return;
    const released = new TypeError('The reader was released');
    s.onEnd = null;
    this.#settle.reject(released);
    if (s.state !== 'readable') this.#closed = handled(Promise.reject(released));
    for (const w of s.waiting.splice(0)) w.reject(released);
    s.reader = null;
    this.#s = null;
  }
}
for (const C of [ReadableStream, ReadableStreamDefaultController, ReadableStreamDefaultReader]) expose(C, C === ReadableStream ? ['from'] : []);
const isStream = (v) => { try { stateOf(v); return true; } catch { return false; } };
return { ReadableStream, ReadableStreamDefaultReader, ReadableStreamDefaultController, isStream, isDisturbed: (stream) => stateOf(stream).disturbed };
