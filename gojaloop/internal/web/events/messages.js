// MessageChannel and MessagePort (HTML 9.4).
const { EventTarget, handler } = load('events');
const { Event } = load('event');
const { structuredClone } = load('clone');
const { expose, needArguments } = load('webidl');
const { illegalConstructor } = load('nodeerrors');
const secret = {};
let entangle, isPort;
class MessageEvent extends Event {
  #data; #origin; #ports;
  constructor(type, init = {}) {
    super(type, init);
    this.#data = init.data === undefined ? null : init.data;
    this.#origin = init.origin === undefined ? '' : `${init.origin}`;
    this.#ports = Object.freeze([...(init.ports || [])]);
  }
  get data() { return this.#data; }
  get origin() { return this.#origin; }
  get lastEventId() { return ''; }
  get source() { return null; }
  get ports() { return this.#ports; }
}
class MessagePort extends EventTarget {
  #other = null; #queue = []; #open = false; #closed = false; #waiting = false;
  static {
    entangle = (a, b) => { a.#other = b; b.#other = a; };
    isPort = (v) => v !== null && typeof v === 'object' && #other in v;
  }
  constructor(key) {
    if (key !== secret) throw illegalConstructor();
    super();
  }
  postMessage(message, options) {
    needArguments('postMessage', 1, arguments);
    const data = structuredClone(message, Array.isArray(options) ? { transfer: options } : options), to = this.#other;
    if (!to || to.#closed) return;
    to.#queue.push(data);
    to.#soon();
  }
  start() { this.#open = true; this.#soon(); }
  close() {
    if (this.#closed) return;
    const other = this.#other;
    this.#closed = true;
    setImmediate(() => { this.dispatchEvent(new Event('close')); if (other) other.close(); });
  }
  ref() {}
  unref() {}
  #soon() {
    if (this.#waiting || !this.#open || this.#queue.length === 0) return;
    this.#waiting = true;
    setImmediate(() => {
      this.#waiting = false;
      if (this.#closed) return;
      const data = this.#queue.shift();
      this.#soon();
      this.dispatchEvent(new MessageEvent('message', { data }));
    });
  }
  on(type, fn) { this.addEventListener(type, (e) => fn(type === 'message' ? e.data : e)); if (type === 'message') this.start(); return this; }
}
handler(MessagePort.prototype, 'message', isPort);
handler(MessagePort.prototype, 'messageerror', isPort);
const onmessage = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage');
Object.defineProperty(MessagePort.prototype, 'onmessage', { __proto__: null, ...onmessage, set(fn) { Reflect.apply(onmessage.set, this, [fn]); this.start(); } });
class MessageChannel {
  #port1 = new MessagePort(secret); #port2 = new MessagePort(secret);
  constructor() { entangle(this.#port1, this.#port2); }
  get port1() { return this.#port1; }
  get port2() { return this.#port2; }
}
for (const Class of [MessageEvent, MessagePort, MessageChannel]) expose(Class);
return { MessageEvent, MessagePort, MessageChannel };
