// Promise.withResolvers and Promise.try (ECMA-262, 27.2.4).
const { apply } = Reflect;
// capability is NewPromiseCapability: C may be any constructor that calls its argument as that of Promise does.
function capability(C) {
  if ((typeof C !== 'object' || C === null) && typeof C !== 'function') throw new TypeError('Promise method called on a value that is not an object');
  let resolve, reject;
  const promise = new C((res, rej) => {
    if (resolve !== undefined || reject !== undefined) throw new TypeError('The functions of the promise are set already');
    resolve = res;
    reject = rej;
  });
  if (typeof resolve !== 'function' || typeof reject !== 'function') throw new TypeError('The constructor gave no functions to settle the promise with');
  return { promise, resolve, reject };
}
return {
  withResolvers() { return capability(this); },
  try(callback, ...args) {
    const { promise, resolve, reject } = capability(this);
    let settle = resolve, value;
    try { value = apply(callback, undefined, args); } catch (e) { settle = reject; value = e; }
    apply(settle, undefined, [value]);
    return promise;
  },
};
