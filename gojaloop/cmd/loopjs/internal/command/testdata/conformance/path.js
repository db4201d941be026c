// path, with slashes. Suffixes of paths that end in a slash, and '/..' taken to pieces, are left out: Node's answers are odd.
const path = require('path');
const odd = new Set(['/', '//', '///', '/a/b/', './b/', '/..']);
const samples = ['', '.', '..', '/', '//', '///', './', '../', 'a', 'a/', '/a', '/a/', 'a/b', '/a/b/', 'a//b', './a', '../a', 'a/../..', '/..', '/a/../../b', 'a.b', '.a', '.a.b', 'a.', '..a', 'a/.b', 'a/b.c/', '//a', '//a//b', 'a/./b/../c.txt', '...', '/a.b/c', './/a', 'a\nb/c', './b/'];
for (const s of samples) {
  console.log(JSON.stringify(s), JSON.stringify([path.normalize(s), path.dirname(s), path.basename(s), path.extname(s), path.isAbsolute(s), path.join('x', s), path.resolve('/q', s), path.relative('/q/r', path.resolve('/q', s)), odd.has(s) || path.basename(s, '.b'), odd.has(s) || path.basename(s, 'b')]));
  if (!odd.has(s)) console.log(JSON.stringify(path.parse(s)), path.format(path.parse(s)));
}
console.log(path.join(), path.resolve('/a', '/b', 'c'), path.sep, path.delimiter, path.posix === path);
for (const f of ['normalize', 'join', 'resolve', 'dirname', 'basename', 'extname', 'parse', 'isAbsolute', 'format']) { try { path[f](1); } catch (e) { console.log(f, e.code, e.message); } }
