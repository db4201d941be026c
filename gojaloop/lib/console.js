// The console of Node (Console Standard).
const { inspect } = load('inspect');
const { format, table } = load('format');
const write = native.write, plain = native.plain;
const counts = new Map(), timers = new Map();
let indent = '';

function print(fd, args) {
  let text = plain(...args);
  if (text === undefined) text = format(...args);
  if (indent !== '') text = indent + text.replace(/\n/g, `\n${indent}`);
  write(fd, `${text}\n`);
}
const label = (v) => (v === undefined ? 'default' : `${v}`);
function elapsed(ms) {
  if (ms >= 3600000) return `${Math.floor(ms / 3600000)}:${String(Math.floor(ms / 60000) % 60).padStart(2, '0')}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')} (h:mm:ss)`;
  if (ms >= 60000) return `${Math.floor(ms / 60000)}:${((ms % 60000) / 1000).toFixed(3).padStart(6, '0')} (m:ss.mmm)`;
  if (ms >= 1000) return `${(ms / 1000).toFixed(3)}s`;
  return `${Number(ms.toFixed(3))}ms`;
}
const methods = {
  log(...args) { print(1, args); },
  warn(...args) { print(2, args); },
  error(...args) { print(2, args); },
  info(...args) { print(1, args); },
  debug(...args) { print(1, args); },
  dir(value, options) { print(1, [inspect(value, { customInspect: false, ...options })]); },
  dirxml(...args) { print(1, args); },
  trace(...args) {
    const text = args.length ? `Trace: ${format(...args)}` : 'Trace';
    print(2, [`%s`, `${text}\n${native.stackHere()}`]);
  },
  assert(condition, ...args) {
    if (condition) return;
    if (typeof args[0] === 'string') args[0] = `Assertion failed: ${args[0]}`;
    else args.unshift('Assertion failed');
    print(2, args);
  },
  count(name) {
    const key = label(name), n = (counts.get(key) || 0) + 1;
    counts.set(key, n);
    print(1, [`%s: ${n}`, key]);
  },
  countReset(name) { counts.delete(label(name)); },
  group(...args) { if (args.length) print(1, args); indent += '  '; },
  groupEnd() { indent = indent.slice(2); },
  table(data, columns) {
    if (data === null || typeof data !== 'object') { print(1, [data]); return; }
    print(1, ['%s', table(data, columns)]);
  },
  time(name) { const key = label(name); if (!timers.has(key)) timers.set(key, native.milliseconds()); },
  timeEnd(name) { const key = label(name); if (timers.has(key)) { methods.timeLog(key); timers.delete(key); } },
  timeLog(name, ...args) { const key = label(name); if (timers.has(key)) print(1, ['%s: %s', key, elapsed(native.milliseconds() - timers.get(key)), ...args]); },
};
methods.groupCollapsed = methods.group;
const console = {};
for (const name of Object.keys(methods)) console[name] = methods[name];
Object.defineProperty(console, Symbol.toStringTag, { value: 'console', configurable: true });
return { console };
