// Object for scripts that build descriptors without a thought of their prototype: a script may have put something on Object.prototype.
const { create, defineProperty } = Object, { ownKeys } = Reflect;
const own = (d) => ({ __proto__: null, ...d });
const method = (value) => ({ __proto__: null, value });
return create(Object, {
  __proto__: null,
  create: method(create),
  defineProperty: method((o, key, d) => defineProperty(o, key, own(d))),
  defineProperties: method((o, all) => {
    for (const key of ownKeys(all)) defineProperty(o, key, own(all[key]));
    return o;
  }),
});
