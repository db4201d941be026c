// The deprecated functions of Node's timers module, which make a timer of any object.
const { deprecate } = load('deprecate');
const { argType, outOfRange } = load('nodeerrors');
const { setTimeout, clearTimeout } = native.timers();
const longest = 2 ** 31 - 1;
const timers = new WeakMap(); // those that stand for objects
const isTimeout = (item) => item?.constructor?.name === 'Timeout' && typeof item.refresh === 'function';

function stop(item) {
  clearTimeout(timers.get(item));
  timers.delete(item);
}
function unenroll(item) {
  if (isTimeout(item)) { clearTimeout(item); return; }
  stop(item);
  item._idleNext = item._idlePrev = null;
  item._idleTimeout = -1;
  item._destroyed = true;
}
function enroll(item, msecs) {
  if (typeof msecs !== 'number') throw argType('msecs', 'number', msecs);
  if (msecs < 0 || !Number.isFinite(msecs)) throw outOfRange('msecs', 'a non-negative finite number', msecs);
  if (msecs > longest) {
    native.emitWarning(`${msecs} does not fit into a 32-bit signed integer.\nTimer duration was truncated to ${longest}.`, 'TimeoutOverflowWarning');
    msecs = longest;
  }
  if (item._idleNext) unenroll(item);
  item._idleNext = item._idlePrev = item;
  item._idleTimeout = msecs;
}
function start(item, ref) {
  const msecs = item._idleTimeout;
  if (msecs === undefined || msecs < 0) return;
  if (isTimeout(item)) { item.refresh(); return; }
  stop(item);
  item._idleStart = Math.trunc(native.nanoseconds() / 1e6);
  item._idleNext = item._idlePrev = item;
  const timer = setTimeout(() => {
    item._idleNext = item._idlePrev = null;
    if (!item._onTimeout) return;
    try { item._onTimeout(); } finally { if (item._repeat && item._idleTimeout !== -1) start(item, ref); }
  }, msecs);
  if (!ref) timer.unref();
  timers.set(item, timer);
}
return {
  _unrefActive: deprecate((item) => start(item, false), 'timers._unrefActive() is deprecated. Please use timeout.refresh() instead.', 'DEP0127'),
  active: deprecate((item) => start(item, true), 'timers.active() is deprecated. Please use timeout.refresh() instead.', 'DEP0126'),
  unenroll: deprecate(unenroll, 'timers.unenroll() is deprecated. Please use clearTimeout instead.', 'DEP0096'),
  enroll: deprecate(enroll, 'timers.enroll() is deprecated. Please use setTimeout instead.', 'DEP0095'),
};
