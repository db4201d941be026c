// Node's module diagnostics_channel.
const { argType } = load('nodeerrors');
const channels = new Map();
class Channel {
  #subscribers = [];
  constructor(name) { this.name = name; }
  get hasSubscribers() { return this.#subscribers.length > 0; }
  subscribe(fn) {
    if (typeof fn !== 'function') throw argType('subscription', 'function', fn);
    this.#subscribers = [...this.#subscribers, fn];
  }
  unsubscribe(fn) {
    const at = this.#subscribers.indexOf(fn);
    if (at < 0) return false;
    this.#subscribers = this.#subscribers.filter((_, i) => i !== at);
    return true;
  }
  publish(message) {
    for (const fn of this.#subscribers) {
      try { fn(message, this.name); } catch (e) { native.nextTick(() => { throw e; }); }
    }
  }
  bindStore() {}
  unbindStore() { return false; }
  runStores(message, fn, self, ...args) { this.publish(message); return Reflect.apply(fn, self, args); }
}
function channel(name) {
  if (typeof name !== 'string' && typeof name !== 'symbol') throw argType('channel', ['string', 'symbol'], name);
  if (!channels.has(name)) channels.set(name, new Channel(name));
  return channels.get(name);
}
const events = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];
function tracingChannel(name) {
  const all = {};
  for (const e of events) all[e] = typeof name === 'string' ? channel(`tracing:${name}:${e}`) : name[e];
  return {
    ...all,
    get hasSubscribers() { return events.some((e) => all[e].hasSubscribers); },
    subscribe(handlers) { for (const e of events) if (handlers[e]) all[e].subscribe(handlers[e]); },
    unsubscribe(handlers) { return events.filter((e) => handlers[e]).every((e) => all[e].unsubscribe(handlers[e])); },
    traceSync(fn, context = {}, self, ...args) {
      all.start.publish(context);
      try { return context.result = Reflect.apply(fn, self, args); } catch (e) { context.error = e; all.error.publish(context); throw e; } finally { all.end.publish(context); }
    },
    tracePromise(fn, context = {}, self, ...args) {
      all.start.publish(context);
      const after = (ok) => (v) => { context[ok ? 'result' : 'error'] = v; if (!ok) all.error.publish(context); all.asyncStart.publish(context); all.asyncEnd.publish(context); if (!ok) throw v; return v; };
      try { return Promise.resolve(Reflect.apply(fn, self, args)).then(after(true), after(false)); } finally { all.end.publish(context); }
    },
    traceCallback(fn, position, context, self, ...args) { return Reflect.apply(fn, self, args); },
  };
}
return { channel, hasSubscribers: (name) => channels.has(name) && channels.get(name).hasSubscribers, subscribe: (name, fn) => channel(name).subscribe(fn), unsubscribe: (name, fn) => channel(name).unsubscribe(fn), tracingChannel, Channel };
