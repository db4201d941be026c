// The data: URL processor (Fetch 6).
const { parse, serialize } = load('mimetype');

// process gives the MIME type and the bytes of a data: URL, which has been parsed and serialized, or null.
function process(url) {
  const input = url.slice('data:'.length).replace(/#.*$/s, ''), comma = input.indexOf(',');
  if (comma < 0) return null;
  let type = input.slice(0, comma).replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '');
  let body = native.percentDecodeBytes(input.slice(comma + 1));
  const base64 = /;\x20*base64$/i;
  if (base64.test(type)) {
    body = native.base64Bytes(body);
    if (body === undefined) return null;
    type = type.replace(base64, '');
  }
  if (type.startsWith(';')) type = `text/plain${type}`;
  const mimeType = parse(type);
  return { type: mimeType === null ? 'text/plain;charset=US-ASCII' : serialize(mimeType), bytes: new Uint8Array(body) };
}
return { process };
