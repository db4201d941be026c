// Node's module tty: no output of a script is a terminal.
const { Readable, Writable } = load('streammodule');
const { coded } = load('nodeerrors');
const refuse = (name) => () => coded(Error, 'ERR_TTY_INIT_FAILED', `TTY initialization failed: ${name} is not available here, where no script has a terminal`);
function ReadStream() { throw refuse('ReadStream')(); }
function WriteStream() { throw refuse('WriteStream')(); }
Object.setPrototypeOf(ReadStream.prototype, Readable.prototype);
Object.setPrototypeOf(WriteStream.prototype, Writable.prototype);
return { isatty: () => false, ReadStream, WriteStream };
