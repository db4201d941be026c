// Node's fs, for reading. The embedder decides what a script may see; nobody writes.
const { check, argType, coded } = load('nodeerrors');
const { Buffer } = load('buffer');
const { fsRead, fsStat, fsList } = native;

const messages = {
  __proto__: null, ENOENT: [-2, 'no such file or directory'], EACCES: [-13, 'permission denied'], EIO: [-5, 'i/o error'], ENOTDIR: [-20, 'not a directory'],
  EISDIR: [-21, 'illegal operation on a directory'], EROFS: [-30, 'read-only file system'], EBADF: [-9, 'bad file descriptor'], EINVAL: [-22, 'invalid argument'],
};
function failed(what, syscall, path) {
  const [code, ...more] = what.split(' '), [errno, text] = messages[code];
  const e = new Error(`${code}: ${more.join(' ') || text}, ${syscall}${path === undefined ? '' : ` '${path}'`}`);
  e.errno = errno;
  e.code = code;
  e.syscall = syscall;
  if (path !== undefined) e.path = path;
  return e;
}
function got(result, syscall, path) {
  if (typeof result === 'string') throw failed(result, syscall, path);
  return result;
}
function pathOf(path, name = 'path') {
  if (typeof path === 'string') {
    if (path.includes('\0')) throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', `The argument '${name}' must be a string, Uint8Array, or URL without null bytes. Received ${native.inspectShort(path)}`);
    return path;
  }
  if (path instanceof Uint8Array) return Buffer.from(path).toString();
  if (typeof path === 'object' && path !== null && typeof path.href === 'string' && typeof path.protocol === 'string') return load('urlmodule').fileURLToPath(path);
  throw argType(name, ['string', 'Buffer', 'URL'], path);
}
// absolute makes a path one of the file system: relative ones are in the current directory.
const absolute = (path) => (/^(\/|[A-Za-z]:[\\/])/.test(path) ? path : load('path').resolve(path));
function encodingOf(options) {
  const encoding = typeof options === 'string' ? options : options && options.encoding;
  if (encoding === undefined || encoding === null || encoding === 'buffer') return undefined;
  if (!Buffer.isEncoding(encoding)) throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', `The argument 'encoding' is invalid encoding. Received ${native.inspectShort(encoding)}`);
  return encoding;
}

// Descriptors are of files that have been read as a whole when they were opened.
const descriptors = new Map();
let lastDescriptor = 2;
function descriptor(fd) {
  if (typeof fd !== 'number') throw argType('fd', 'number', fd);
  const file = descriptors.get(fd);
  if (!file) throw failed('EBADF', 'read');
  return file;
}

function readFileSync(path, options) {
  const encoding = encodingOf(options);
  const data = typeof path === 'number' ? Buffer.from(descriptor(path).data) : Buffer.from(got(fsRead(absolute(pathOf(path))), 'open', `${path}`));
  return encoding === undefined ? data : data.toString(encoding);
}
class Stats {
  #kind;
  constructor({ size, mode, directory, file, link, time }) {
    this.#kind = directory ? 'directory' : link ? 'link' : file ? 'file' : 'other';
    const at = Math.trunc(time);
    Object.assign(this, {
      dev: 0, mode: mode | (directory ? 0o40000 : link ? 0o120000 : 0o100000), nlink: 1, uid: 0, gid: 0, rdev: 0, blksize: 4096, ino: 0, size,
      blocks: Math.ceil(size / 512), atimeMs: time, mtimeMs: time, ctimeMs: time, birthtimeMs: time,
      atime: new Date(at), mtime: new Date(at), ctime: new Date(at), birthtime: new Date(at),
    });
  }
  isFile() { return this.#kind === 'file'; }
  isDirectory() { return this.#kind === 'directory'; }
  isSymbolicLink() { return this.#kind === 'link'; }
  isBlockDevice() { return false; }
  isCharacterDevice() { return false; }
  isFIFO() { return false; }
  isSocket() { return false; }
}
function stat(path, options, syscall) {
  const result = fsStat(absolute(pathOf(path)));
  if (result === 'ENOENT' && options && options.throwIfNoEntry === false) return undefined;
  return new Stats(got(result, syscall, path));
}
class Dirent {
  #entry;
  constructor(entry, path) {
    this.name = entry.name;
    this.parentPath = path;
    this.path = path;
    this.#entry = entry;
  }
  isFile() { return this.#entry.file; }
  isDirectory() { return this.#entry.directory; }
  isSymbolicLink() { return this.#entry.link; }
  isBlockDevice() { return false; }
  isCharacterDevice() { return false; }
  isFIFO() { return false; }
  isSocket() { return false; }
}
function readdirSync(path, options) {
  const given = pathOf(path), withTypes = options && options.withFileTypes, all = [];
  const walk = (dir, prefix) => {
    for (const entry of got(fsList(absolute(dir)), 'scandir', dir)) {
      all.push(withTypes ? new Dirent(entry, dir) : prefix + entry.name);
      if (options && options.recursive && entry.directory) walk(`${dir}/${entry.name}`, `${prefix}${entry.name}/`);
    }
  };
  walk(given, '');
  return all;
}
const refuse = (syscall) => (path) => { throw failed('EROFS', syscall, typeof path === 'number' ? undefined : pathOf(path)); };
const sync = {
  readFileSync,
  statSync: (path, options) => stat(path, options, 'stat'),
  lstatSync: (path, options) => stat(path, options, 'lstat'),
  fstatSync: (fd) => descriptor(fd).stats,
  existsSync(path) { try { return typeof fsStat(absolute(pathOf(path))) !== 'string'; } catch { return false; } },
  accessSync(path, mode = 0) { stat(path, undefined, 'access'); if (mode & 2) throw failed('EROFS', 'access', path); },
  readdirSync,
  realpathSync(path) { stat(path, undefined, 'lstat'); return load('path').resolve(pathOf(path)); },
  openSync(path, flags = 'r') {
    if (flags !== 'r' && flags !== 'rs' && flags !== 0) throw failed('EROFS', 'open', pathOf(path));
    const full = absolute(pathOf(path));
    descriptors.set(++lastDescriptor, { data: new Uint8Array(got(fsRead(full), 'open', path)), stats: stat(path, undefined, 'stat'), position: 0 });
    return lastDescriptor;
  },
  closeSync(fd) { descriptor(fd); descriptors.delete(fd); },
  readSync(fd, buffer, offset = 0, length, position = null) {
    const file = descriptor(fd);
    if (offset !== null && typeof offset === 'object') ({ offset = 0, length = buffer.byteLength - offset, position = null } = offset);
    if (length === undefined) length = buffer.byteLength - offset;
    const start = position === null ? file.position : Number(position), part = file.data.subarray(start, start + length);
    new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength).set(part, offset);
    if (position === null) file.position += part.length;
    return part.length;
  },
};
for (const [name, syscall] of Object.entries({
  writeFile: 'open', appendFile: 'open', mkdir: 'mkdir', mkdtemp: 'mkdtemp', rmdir: 'rmdir', rm: 'rm', unlink: 'unlink', rename: 'rename', copyFile: 'copyfile', cp: 'cp',
  symlink: 'symlink', link: 'link', chmod: 'chmod', chown: 'chown', utimes: 'utime', truncate: 'open', write: 'write', ftruncate: 'ftruncate', readlink: 'readlink', fsync: 'fsync', futimes: 'futime', fchmod: 'fchmod', lchown: 'lchown',
})) sync[`${name}Sync`] = refuse(syscall);

const fs = { ...sync, Stats, Dirent, promises: {}, constants: Object.freeze({ __proto__: null, F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1, O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, S_IFMT: 61440, S_IFREG: 32768, S_IFDIR: 16384, S_IFLNK: 40960, COPYFILE_EXCL: 1 }), F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1 };
for (const name of Object.keys(sync)) {
  const base = name.slice(0, -4), run = sync[name];
  fs[base] = { [base](...args) {
    const done = args.pop();
    check.func(done, 'cb');
    if (base === 'exists') { const there = run(...args); setImmediate(() => done(there)); return; }
    const outcome = base === 'read' && typeof args[0] === 'number' ? [null] : [null];
    try {
      const value = run(...args);
      if (value !== undefined) outcome.push(value);
      if (base === 'read') outcome.push(args[1]);
    } catch (e) {
      if (e && e.code && e.code.startsWith('ERR_')) throw e;
      outcome[0] = e;
    }
    setImmediate(() => done(...outcome));
  } }[base];
  if (!['exists', 'fstat', 'close', 'read', 'write'].includes(base)) fs.promises[base] = { async [base](...args) { await new Promise((resolve) => { setImmediate(resolve); }); return run(...args); } }[base];
}
fs.realpath.native = fs.realpath;
fs.realpathSync.native = fs.realpathSync;
fs.promises.constants = fs.constants;
let ReadStream = null;
Object.defineProperty(fs, 'ReadStream', { __proto__: null, configurable: true, enumerable: true, get: () => (ReadStream ??= load('readstream').make(fs, encodingOf)), set(v) { ReadStream = v; } });
fs.createReadStream = function createReadStream(path, options) { return new fs.ReadStream(path, options); };
fs.createWriteStream = refuse('open');
fs.watch = refuse('watch');
fs.watchFile = refuse('watch');
fs.unwatchFile = () => {};
return fs;
