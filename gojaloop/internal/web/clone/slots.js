// What objects are inside: the accessors of their classes, called whatever properties or prototype the script gave them.
const { apply } = Reflect;
const getter = (proto, key) => { const { get } = Object.getOwnPropertyDescriptor(proto, key); return (v) => apply(get, v, []); };
const typedProto = Object.getPrototypeOf(Uint8Array.prototype);
const flags = Object.entries({ hasIndices: 'd', global: 'g', ignoreCase: 'i', multiline: 'm', dotAll: 's', unicode: 'u', sticky: 'y' })
  .filter(([key]) => key in RegExp.prototype).map(([key, flag]) => [getter(RegExp.prototype, key), flag]);
return {
  getter,
  regexpSource: getter(RegExp.prototype, 'source'),
  regexpFlags: (v) => flags.filter(([has]) => has(v)).map(([, flag]) => flag).join(''),
  bufferLength: getter(ArrayBuffer.prototype, 'byteLength'),
  typedName: getter(typedProto, Symbol.toStringTag),
  typedLength: getter(typedProto, 'length'),
  typedBuffer: getter(typedProto, 'buffer'),
  typedOffset: getter(typedProto, 'byteOffset'),
  viewLength: getter(DataView.prototype, 'byteLength'),
  viewBuffer: getter(DataView.prototype, 'buffer'),
  viewOffset: getter(DataView.prototype, 'byteOffset'),
};
