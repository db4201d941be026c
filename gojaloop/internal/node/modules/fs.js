// Reading files, of Node's fs module: what the embedder lets a script read.
const text = (options) => (typeof options === 'string' ? options : options && options.encoding);
function readFileSync(path, options) {
  const buffer = native.readFile(`${path}`);
  return text(options) ? native.utf8(buffer) : new Uint8Array(buffer);
}
function existsSync(path) { try { native.readFile(`${path}`); return true; } catch { return false; } }
function readFile(path, options, done) {
  if (typeof options === 'function') { done = options; options = undefined; }
  let data, error = null;
  try { data = readFileSync(path, options); } catch (e) { error = e; }
  globalThis.setImmediate(() => done(error, data));
}
const promises = { async readFile(path, options) { return readFileSync(path, options); } };
return { readFileSync, existsSync, readFile, promises };
