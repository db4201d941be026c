// The console of Node (Console Standard): the methods that do more than print their arguments.
const inspect = (...args) => load('inspect').inspect(...args);
const format = (...args) => load('format').format(...args); // which is loaded when there is something to format
const counts = new Map(), timers = new Map();
let indent = '';

const print = (fd, args) => native.print(fd, format(...args));
const warn = (message) => native.warn('Warning', message);
function elapsed(ms) {
  let hours = 0, minutes = 0, seconds = 0;
  if (ms >= 1000) {
    if (ms >= 60000) {
      if (ms >= 3600000) { hours = Math.floor(ms / 3600000); ms %= 3600000; }
      minutes = Math.floor(ms / 60000);
      ms %= 60000;
    }
    seconds = ms / 1000;
  }
  if (hours !== 0 || minutes !== 0) {
    const [s, f] = seconds.toFixed(3).split('.');
    const rest = hours !== 0 ? `${hours}:${String(minutes).padStart(2, '0')}` : minutes;
    return `${rest}:${s.padStart(2, '0')}.${f} (${hours !== 0 ? 'h:m' : ''}m:ss.mmm)`;
  }
  return seconds !== 0 ? `${seconds.toFixed(3)}s` : `${Number(ms.toFixed(3))}ms`;
}
function since(method, label, args) {
  if (!timers.has(label)) { warn(`No such label '${label}' for console.${method}()`); return; }
  print(1, ['%s: %s', label, elapsed(native.milliseconds() - timers.get(label)), ...args]);
}
const methods = {
  dir(object = undefined, options = undefined) { print(1, ['%s', inspect(object, { customInspect: false, ...options })]); },
  time(label = 'default') {
    label = `${label}`;
    if (timers.has(label)) { warn(`Label '${label}' already exists for console.time()`); return; }
    timers.set(label, native.milliseconds());
  },
  timeEnd(label = 'default') { label = `${label}`; since('timeEnd', label, []); timers.delete(label); },
  timeLog(label = 'default', ...data) { label = `${label}`; since('timeLog', label, data); },
  trace(...args) {
    const text = args.length ? `Trace: ${format(...args)}` : 'Trace';
    print(2, ['%s', `${text}\n${native.stackBelow('trace')}`]);
  },
  assert(expression = false, ...args) {
    if (expression) return;
    if (typeof args[0] === 'string') args[0] = `Assertion failed: ${args[0]}`; else args.unshift('Assertion failed');
    print(2, args);
  },
  clear() {},
  count(label = 'default') {
    label = `${label}`;
    const n = (counts.get(label) || 0) + 1;
    counts.set(label, n);
    print(1, ['%s', `${label}: ${n}`]);
  },
  countReset(label = 'default') {
    label = `${label}`;
    if (!counts.delete(label)) warn(`Count for '${label}' does not exist`);
  },
  group(...data) { if (data.length) print(1, data); native.indent(indent += '  '); },
  groupEnd() { native.indent(indent = indent.slice(2)); },
  table(data = undefined, properties = undefined) {
    if (data === null || typeof data !== 'object') { print(1, [data]); return; }
    if (properties !== undefined && !Array.isArray(properties)) throw load('nodeerrors').argType('properties', 'Array', properties);
    print(1, ['%s', load('table').table(data, properties)]);
  },
  groupCollapsed(...data) { methods.group(...data); },
};
return methods;
