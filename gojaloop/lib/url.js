// URL and URLSearchParams, with relative references resolved as the URL Standard says: against the folder of the base.
const { URL: Parsed, URLSearchParams } = native.urlModule();
const URL = new Proxy(Parsed, {
  construct(target, args, newTarget) {
    if (args.length > 1 && args[1] !== undefined) {
      const resolved = native.resolveURL(`${args[0]}`, `${args[1]}`);
      if (resolved !== undefined) return Reflect.construct(target, [resolved], newTarget === URL ? target : newTarget);
    }
    return Reflect.construct(target, args, newTarget === URL ? target : newTarget);
  },
});
Reflect.set(Parsed.prototype, 'constructor', URL); // where the library lets us
return { URL, URLSearchParams };
