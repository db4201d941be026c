// AsyncLocalStorage and AsyncResource of Node's async_hooks module.
const { check } = load('nodeerrors');
native.trackAsync();
const { asyncStores, setAsyncStores } = native;
const apply = Reflect.apply;
function within(stores, fn, self, args) {
  const before = asyncStores();
  setAsyncStores(stores);
  try { return apply(fn, self, args); } finally { setAsyncStores(before); }
}

class AsyncLocalStorage {
  #key = {}; // what stands for it in the map of stores; disable takes another
  static bind(fn) { return AsyncResource.bind(fn); }
  static snapshot() { return AsyncLocalStorage.bind((fn, ...args) => fn(...args)); }
  #with(store) { return new Map(asyncStores()).set(this.#key, store); }
  disable() { this.#key = {}; }
  enterWith(store) { setAsyncStores(this.#with(store)); }
  run(store, fn, ...args) { return within(this.#with(store), fn, null, args); }
  exit(fn, ...args) { return within(this.#with(undefined), fn, null, args); }
  getStore() { const stores = asyncStores(); return stores === undefined ? undefined : stores.get(this.#key); }
}

class AsyncResource {
  #stores = asyncStores();
  constructor(type) { check.string(type, 'type'); }
  runInAsyncScope(fn, self, ...args) { return within(this.#stores, fn, self, args); }
  emitDestroy() { return this; }
  bind(fn, self) {
    check.func(fn, 'fn');
    const resource = this;
    const bound = function (...args) { return resource.runInAsyncScope(fn, self === undefined ? this : self, ...args); };
    return Object.defineProperties(bound, {
      length: { __proto__: null, value: fn.length, configurable: true },
      name: { __proto__: null, value: `bound ${fn.name}`, configurable: true },
    });
  }
  static bind(fn, type, self) {
    check.func(fn, 'fn');
    return new AsyncResource(type || fn.name || 'bound-anonymous-fn').bind(fn, self);
  }
}
return { AsyncLocalStorage, AsyncResource };
