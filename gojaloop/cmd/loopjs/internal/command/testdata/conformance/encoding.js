// TextEncoder, TextDecoder (Encoding), atob and btoa (HTML 8.3, Infra).
const attempt = (name, fn) => { try { console.log(name, fn()); } catch (e) { console.log(name, e.name, typeof e.code); } };
const enc = new TextEncoder();
for (const s of [undefined, '', 'a', 'é', '€', '😀', '\ud800', '\udc00\ud800', 'a\ud83dz', null, 12, '\0', '\ufeffx']) console.log(Array.from(enc.encode(s)).join(' '));
console.log(enc.encode().length, enc.encoding, enc.encode('x') instanceof Uint8Array);
for (const [s, n] of [['abc', 2], ['é', 1], ['a€', 3], ['😀', 3], ['😀', 4], ['a😀b', 6], ['\ud800x', 3], ['', 3], ['abc', 0]]) { const a = new Uint8Array(n); const { read, written } = enc.encodeInto(s, a); console.log(read, written, Array.from(a).join(' ')); }
const into = new Uint8Array(new ArrayBuffer(10), 4, 3); console.log(enc.encodeInto('xyzw', into), new Uint8Array(into.buffer).join());
attempt('encodeInto', () => enc.encodeInto('x', new Int8Array(1))); attempt('encodeInto', () => enc.encodeInto('x', new ArrayBuffer(1))); attempt('encodeInto', () => enc.encodeInto('x'));
const labels = ['utf8', 'UTF-8', ' utf-8\n', 'unicode-1-1-utf-8', 'latin1', 'ascii', 'iso-8859-1', 'windows-1252', 'l1', 'utf-16', 'utf-16le', 'UTF-16BE', 'ucs-2', 'iso-8859-2', 'koi8-r', 'shift_jis', 'sjis', 'euc-jp', 'gbk', 'gb2312', 'gb18030', 'big5', 'euc-kr', 'windows-1251', 'macintosh', 'ibm866', 'nope', '', 'utf-7', 'utf\u00a08', 'replacement', 'utf-32'];
for (const l of labels) attempt(JSON.stringify(l), () => new TextDecoder(l).encoding);
attempt('null', () => new TextDecoder(null).encoding); console.log(new TextDecoder(undefined).encoding);
const dec = new TextDecoder(); console.log(dec.fatal, dec.ignoreBOM, dec.encoding);
const o = new TextDecoder('utf-8', { fatal: 1, ignoreBOM: 'y' }); console.log(o.fatal, o.ignoreBOM);
attempt('options', () => new TextDecoder('utf-8', 1)); attempt('options', () => new TextDecoder('utf-8', null).fatal);
const code = (s) => Array.from(s, (c) => c.codePointAt(0).toString(16)).join(' ');
const inputs = [[], [0x61], [0xef, 0xbb, 0xbf, 0x61], [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], [0xff], [0xc0, 0x80], [0xe2, 0x82], [0xe2, 0x82, 0x61], [0xf0, 0x9f, 0x98], [0xf0, 0x9f, 0x98, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xf8, 0x88], [0x80, 0x80], [0xe0, 0x80, 0x80], [0xf0, 0x80, 0x80, 0x80], [0xc3], [0xc3, 0xa9, 0xc3], [0xf0, 0x9f, 0x41], [0xe1, 0xa0, 0xc0, 0x41], [0xfe, 0xff], [0xef, 0xbf, 0xbd]];
for (const i of inputs) { console.log(code(dec.decode(new Uint8Array(i)))); attempt('fatal', () => code(new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(i)))); }
console.log(code(o.decode(new Uint8Array([0xef, 0xbb, 0xbf]))));
const st = new TextDecoder(); const pieces = [[0xef], [0xbb], [0xbf, 0xe2], [0x82], [0xac, 0xf0, 0x9f], [0x98, 0x80, 0xc3]]; let out = pieces.map((x) => st.decode(new Uint8Array(x), { stream: true })); out.push(st.decode()); console.log(out.map(code));
console.log(code(st.decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x61]))));
const sf = new TextDecoder('utf-8', { fatal: true }); console.log(code(sf.decode(new Uint8Array([0xe2]), { stream: true }))); attempt('end', () => sf.decode()); console.log(code(sf.decode(new Uint8Array([0x62]))));
const le = new TextDecoder('utf-16le'); console.log(code(le.decode(new Uint8Array([0x61, 0, 0x3d, 0xd8, 0, 0xde]))), code(le.decode(new Uint8Array([0xff, 0xfe, 0x61, 0]))), code(le.decode(new Uint8Array([0, 0xd8, 0x61, 0]))), code(le.decode(new Uint8Array([0x61]))));
const ls = new TextDecoder('utf-16le'); console.log([[0x3d], [0xd8], [0], [0xde, 0x61]].map((x) => code(ls.decode(new Uint8Array(x), { stream: true }))), code(ls.decode()));
console.log(code(new TextDecoder('utf-16be').decode(new Uint8Array([0, 0x61, 0xd8, 0x3d, 0xde, 0]))));
console.log(code(new TextDecoder('koi8-r').decode(new Uint8Array([0xc1, 0xd2]))), code(new TextDecoder('shift_jis').decode(new Uint8Array([0x82, 0xa0]))), code(new TextDecoder('gbk').decode(new Uint8Array([0xc4, 0xe3]))));
for (const v of [new ArrayBuffer(1), new DataView(new ArrayBuffer(3), 1, 1), new Uint16Array([0x6261])]) console.log(code(dec.decode(v)));
for (const v of [null, 'x', 1, {}, []]) attempt('input', () => dec.decode(v));
for (const s of ['', 'a', 'ab', 'abc', 'abcd', '\xff\x00', 'é', '€', undefined, null, 12, ' ', '\0']) attempt('btoa', () => btoa(s));
for (const s of ['', 'YQ==', 'YQ=', 'YQ', 'Y', 'YWI=', 'YWI', 'YWJj', ' Y W J j ', 'YW\nJj\t', 'YQ===', 'YQ==YQ==', '=', '==', '====', 'Y=', 'Y===', 'a b', '!', 'YQ-_', '\u00a0', 'é', null, undefined, 12, 'ab=c', 'YR==', '/+A=', 'abcd\fe', 'abc\v']) attempt(`atob ${JSON.stringify(s)}`, () => code(atob(s)));
attempt('none', () => btoa()); attempt('none', () => atob()); attempt('symbol', () => btoa(Symbol('x')));
