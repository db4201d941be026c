// Promise.withResolvers and Promise.try (ECMA-262, 27.2.4).
function capability(C) {
  if ((typeof C !== 'object' || C === null) && typeof C !== 'function') throw new TypeError('Promise method called on a value that is not an object');
  let resolve, reject;
  const promise = new C((res, rej) => { resolve = res; reject = rej; });
  return { promise, resolve, reject };
}
return {
  withResolvers() { return capability(this); },
  try(callback, ...args) {
    const { promise, resolve, reject } = capability(this);
    try { resolve(callback(...args)); } catch (e) { reject(e); }
    return promise;
  },
};
