// Node's path module, for paths with slashes.
const { check } = load('nodeerrors');
const texts = (...values) => values.forEach((v) => check.string(v, 'path'));

// segments resolves . and .. in a path; those that lead out of a relative one stay.
function segments(path, absolute) {
  const kept = [];
  for (const s of path.split('/')) {
    if (s === '' || s === '.') continue;
    if (s !== '..') kept.push(s);
    else if (kept.length && kept[kept.length - 1] !== '..') kept.pop();
    else if (!absolute) kept.push(s);
  }
  return kept.join('/');
}
function normalize(path) {
  texts(path);
  if (path === '') return '.';
  const absolute = path[0] === '/', trailing = path.endsWith('/');
  let text = segments(path, absolute);
  if (text === '') return absolute ? '/' : trailing ? './' : '.';
  if (trailing) text += '/';
  return absolute ? `/${text}` : text;
}
function join(...paths) {
  texts(...paths);
  const joined = paths.filter((p) => p !== '').join('/');
  return joined === '' ? '.' : normalize(joined);
}
function resolve(...paths) {
  let path = '';
  for (let i = paths.length - 1; i >= 0 && path[0] !== '/'; i--) {
    check.string(paths[i], `paths[${i}]`);
    if (paths[i] !== '') path = `${paths[i]}/${path}`;
  }
  if (path[0] !== '/') path = `${load('process').process.cwd()}/${path}`;
  return `/${segments(path, true)}`;
}
function relative(from, to) {
  check.string(from, 'from');
  check.string(to, 'to');
  const a = resolve(from).split('/').filter(Boolean), b = resolve(to).split('/').filter(Boolean);
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n++;
  return [...a.slice(n).map(() => '..'), ...b.slice(n)].join('/');
}
const trimmed = (path) => path.replace(/(.)\/+$/, '$1');
function dirname(path) {
  texts(path);
  if (path === '') return '.';
  const t = trimmed(path), at = t.lastIndexOf('/');
  if (at < 0) return '.';
  const head = t.slice(0, at).replace(/\/+$/, '');
  return head === '' ? (at === 1 && t[0] === '/' ? '//' : '/') : t.slice(0, at);
}
function basename(path, suffix) {
  if (suffix !== undefined) check.string(suffix, 'suffix');
  texts(path);
  const base = path.replace(/\/+$/, '').replace(/^.*\//s, '');
  return suffix !== undefined && suffix !== '' && base !== suffix && base.endsWith(suffix) ? base.slice(0, -suffix.length) : base;
}
function extname(path) {
  texts(path);
  const base = basename(path), at = base.lastIndexOf('.');
  return at <= 0 || base === '..' ? '' : base.slice(at);
}
function parse(path) {
  texts(path);
  const root = path[0] === '/' ? '/' : '', base = basename(path), ext = extname(path);
  const dir = dirname(path).replace(/^\/\/$/, '/');
  return { root, dir: dir === '.' && !/^\.\/+[^/]/.test(path) ? '' : dir, base, ext, name: ext ? base.slice(0, -ext.length) : base };
}
function format(parts) {
  check.object(parts, 'pathObject');
  const { dir, root = '', base, name = '', ext = '' } = parts;
  const last = base || `${name}${ext && ext[0] !== '.' ? '.' : ''}${ext}`;
  const before = dir || root;
  return !before ? last : before === parts.root ? `${before}${last}` : `${before}/${last}`;
}
function isAbsolute(path) { texts(path); return path[0] === '/'; }
const path = {
  resolve, normalize, isAbsolute, join, relative, toNamespacedPath: (p) => p, dirname, basename, extname, format, parse,
  sep: '/', delimiter: ':', win32: null,
};
path.posix = path;
return path;
