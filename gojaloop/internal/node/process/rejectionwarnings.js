// Node's warnings of rejections (lib/internal/process/promises.js).
function named(name, message) {
  const e = new Error(message);
  e.name = name;
  return e;
}
const name = 'UnhandledPromiseRejectionWarning';
return {
  handled(id) {
    native.emitWarning(Object.assign(named('PromiseRejectionHandledWarning', `Promise rejection was handled asynchronously (rejection id: ${id})`), { id }));
  },
  // Two warnings: the reason, and what to do about it.
  unhandled(id, reason, plain) {
    let text = plain;
    try { if (typeof reason === 'object' && reason !== null && Object.hasOwn(reason, 'stack')) text = `${reason.stack}`; } catch { /* a getter or a proxy that throws */ }
    native.emitWarning(text, name);
    native.emitWarning(named(name, 'Unhandled promise rejection. This error originated either by throwing inside of an async function without a catch block, '
      + 'or by rejecting a promise which was not handled with .catch(). To terminate the node process on unhandled promise rejection, use the CLI flag '
      + `\`--unhandled-rejections=strict\` (see https://nodejs.org/api/cli.html#cli_unhandled_rejections_mode). (rejection id: ${id})`));
  },
};
