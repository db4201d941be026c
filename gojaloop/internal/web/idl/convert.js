// Conversions of Web IDL (3.2) from values of scripts.
const { bytes } = load('webidl');
const isObject = (v) => (typeof v === 'object' && v !== null) || typeof v === 'function';

// iterate makes a list of an iterable object whose method @@iterator has been looked up, converting each item when it comes.
const iterate = (v, method, convert) => Array.from({ [Symbol.iterator]: () => Reflect.apply(method, v, []) }, convert);
// sequence converts to sequence<T>.
function sequence(v, convert, what) {
  const method = isObject(v) ? v[Symbol.iterator] : undefined;
  if (typeof method !== 'function') throw new TypeError(`${what} is not a sequence`);
  return iterate(v, method, convert);
}
// pairsOrRecord converts to (sequence<sequence<T>> or record<T, T>), and gives a list of lists.
function pairsOrRecord(v, convert, what) {
  if (!isObject(v)) throw new TypeError(`${what} is neither a sequence nor a record`);
  const method = v[Symbol.iterator];
  if (method !== undefined && method !== null) {
    if (typeof method !== 'function') throw new TypeError(`${what} is not iterable`);
    return iterate(v, method, (pair) => sequence(pair, convert, `An item of ${what}`));
  }
  const record = [];
  for (const key of Reflect.ownKeys(v)) {
    const d = Reflect.getOwnPropertyDescriptor(v, key);
    if (d !== undefined && d.enumerable) record.push([convert(key), convert(v[key])]);
  }
  return record;
}
function enumeration(v, values, what) {
  const s = `${v}`;
  if (!values.includes(s)) throw new TypeError(`${s} is not a valid value of ${what}`);
  return s;
}
function unsignedShort(v) {
  const n = Math.trunc(+v);
  return Number.isFinite(n) ? ((n % 65536) + 65536) % 65536 : 0;
}
// clamped converts to [Clamp] long long.
function clamped(v) {
  const n = +v;
  if (!(n === n)) return 0;
  const limited = Math.min(Math.max(n, -Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER), low = Math.floor(limited), rest = limited - low;
  return rest < 0.5 || (rest === 0.5 && low % 2 === 0) ? low : low + 1;
}
// longLong converts to long long. What is beyond the safe integers wraps as BigInt does.
function longLong(v) {
  const n = Math.trunc(+v);
  return Number.isFinite(n) ? (Number.isSafeInteger(n) ? n + 0 : Number(BigInt.asIntN(64, BigInt(n)))) : 0;
}
const byteString = (what) => (v) => bytes(v, what);
return { isObject, sequence, pairsOrRecord, enumeration, unsignedShort, clamped, longLong, byteString };
