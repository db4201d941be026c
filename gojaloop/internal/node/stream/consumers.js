// Node's module stream/consumers.
const { Buffer } = load('buffer');
async function buffer(stream) {
  const parts = [];
  const chunks = stream[Symbol.asyncIterator]();
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) parts.push(Buffer.from(next.value));
  return Buffer.concat(parts);
}
const text = async (stream) => { const { TextDecoder } = load('encoding'); return new TextDecoder().decode(await buffer(stream)); };
return {
  buffer, text, json: async (stream) => JSON.parse(await text(stream)), arrayBuffer: async (stream) => { const b = await buffer(stream); return b.buffer.slice(b.byteOffset, b.byteOffset + b.byteLength); },
  blob: async (stream) => new (load('blob').Blob)([await buffer(stream)]),
};
