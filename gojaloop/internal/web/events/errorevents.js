// ErrorEvent, PromiseRejectionEvent and reportError (HTML 8.1.4), and navigator (HTML 8.10.1).
const { Event } = load('event');
const { expose, needArguments } = load('webidl');
const { illegalConstructor } = load('nodeerrors');
const text = (v) => (v === undefined ? '' : `${v}`);
const place = (v) => (v === undefined ? 0 : v >>> 0);

class ErrorEvent extends Event {
  #message = ''; #filename = ''; #lineno = 0; #colno = 0; #error;
  constructor(type, init = undefined) {
    needArguments('ErrorEvent', 1, arguments);
    super(type, init);
    if (init === undefined || init === null) return;
    this.#colno = place(init.colno);
    this.#error = init.error;
    this.#filename = text(init.filename);
    this.#lineno = place(init.lineno);
    this.#message = text(init.message);
  }
  get message() { return this.#message; }
  get filename() { return this.#filename; }
  get lineno() { return this.#lineno; }
  get colno() { return this.#colno; }
  get error() { return this.#error; }
}
class PromiseRejectionEvent extends Event {
  #promise; #reason;
  constructor(type, init) {
    needArguments('PromiseRejectionEvent', 2, arguments);
    super(type, init);
    if (init === undefined || init === null || init.promise === undefined) throw new TypeError("PromiseRejectionEvent: the member 'promise' is required");
    this.#promise = init.promise;
    this.#reason = init.reason;
  }
  get promise() { return this.#promise; }
  get reason() { return this.#reason; }
}
// reportError reports an exception as if a callback had thrown it.
function reportError(error) {
  needArguments('reportError', 1, arguments);
  native.report(error);
}
const secret = {};
const languages = Object.freeze(['en-US']);
// A Navigator tells nothing of the machine.
class Navigator {
  #brand;
  constructor(key) { if (key !== secret) throw illegalConstructor(); }
  get userAgent() { this.#brand; return 'gojaloop'; }
  get language() { this.#brand; return languages[0]; }
  get languages() { this.#brand; return languages; }
  get hardwareConcurrency() { this.#brand; return 1; }
}
for (const C of [ErrorEvent, PromiseRejectionEvent, Navigator]) expose(C);
return { ErrorEvent, PromiseRejectionEvent, reportError, Navigator, navigator: new Navigator(secret) };
