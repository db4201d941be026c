package contracts_test

import (
	"testing"
	"testing/fstest"

	"github.com/eventloop-go/eventloop/gojaloop"
)

func TestBufferHasNodesEncodings(t *testing.T) {
	expect(t, `
		const b = Buffer.from('hé€😀');
		for (const e of ['utf8', 'utf16le', 'latin1', 'ascii', 'base64', 'base64url', 'hex']) console.log(e, b.toString(e) === Buffer.from(b.toString(e), e).toString(e), Buffer.from('hé', e).toString('hex'));
		console.log(b, Buffer.from([0xe2, 0x82, 0x41]).toString() === '\ufffdA', Buffer.concat([b, Buffer.alloc(2, 'x')]).length, b.indexOf('€'), b.equals(Buffer.from(b)));
		const n = Buffer.alloc(8); n.writeUInt32BE(0xdeadbeef, 1); n.writeInt16LE(-2, 5); console.log(n, n.readUInt32BE(1), n.readIntLE(5, 2), n.swap16());
		for (const f of [() => Buffer.alloc(-1), () => n.readInt8(8), () => Buffer.from('', 'nope'), () => Buffer.from(5), () => n.writeUInt8(256), () => Buffer.alloc(2 ** 40)]) try { f() } catch (e) { console.log(e.name, e.code) }`,
		`utf8 true 68c3a9
utf16le true 6800e900
latin1 true 68e9
ascii true 68e9
base64 true `+`
base64url true `+`
hex true `+`
<Buffer 68 c3 a9 e2 82 ac f0 9f 98 80> true 12 3 true
<Buffer de 00 be ad fe ef 00 ff> 3735928559 -2 <Buffer de 00 be ad fe ef 00 ff>
RangeError ERR_OUT_OF_RANGE
RangeError ERR_OUT_OF_RANGE
TypeError ERR_UNKNOWN_ENCODING
TypeError ERR_INVALID_ARG_TYPE
RangeError ERR_OUT_OF_RANGE
RangeError ERR_OUT_OF_RANGE
`, gojaloop.WithModules(nil))
}

func TestModulesAreNodes(t *testing.T) {
	files := fstest.MapFS{
		"app/a.js":                          {Data: []byte(`exports.early = true; const b = require('./b'); exports.seen = b.seen; exports.id = module.id; exports.main = require.main; exports.parent = module.parent && module.parent.filename; exports.paths = module.paths`)},
		"app/b.js":                          {Data: []byte(`exports.seen = Object.keys(require('./a')).join()`)},
		"app/brace.js":                      {Data: []byte(`}); globalThis.escaped = true; (function () {`)},
		"app/throws.js":                     {Data: []byte(`throw new Error('once')`)},
		"app/d.json":                        {Data: []byte(`{"x": 1}`)},
		"app/folder/x":                      {Data: []byte(`text`)},
		"app/package.json":                  {Data: []byte(`{"name":"self","exports":{"./b":"./b.js"},"browser":{"repl":false}}`)},
		"app/node_modules/esm/package.json": {Data: []byte(`{"exports":{"import":"./i.js","require":"./r.js"}}`)},
		"app/node_modules/esm/r.js":         {Data: []byte(`module.exports = 'by require'`)},
	}
	expect(t, `
		const { createRequire } = require('module'), require2 = createRequire('/app/main.js');
		const a = require2('./a');
		console.log(a.seen, a.id, a.main, a.parent, a.paths);
		try { require2('./brace') } catch (e) { console.log(e.name, globalThis.escaped) }
		for (let i = 0; i < 2; i++) try { require2('./throws') } catch (e) { console.log(e.message, '/app/throws.js' in require2.cache) }
		console.log(require2('./d').x, require2('self/b') === require2('./b.js'), require2('esm'), require2('repl'), require2.resolve('./b'), require2.resolve.paths('x'));
		delete require2.cache['/app/b.js']; console.log(require2('./b').seen);
		try { require2('gone') } catch (e) { console.log(e.code, e.requireStack) }
		const fs = require('fs'); console.log(fs.existsSync('/app/folder'), fs.readdirSync('/app/folder'), fs.statSync('/app/folder/x').size, fs.readFileSync('/app/folder/x', 'latin1'));
		try { fs.writeFileSync('/app/x', '') } catch (e) { console.log(e.code) }`,
		`early /app/a.js undefined /app/main.js [ '/app/node_modules', '/node_modules' ]
SyntaxError undefined
once false
once false
1 true by require {} /app/b.js [ '/app/node_modules', '/node_modules' ]
early,seen,id,main,parent,paths
MODULE_NOT_FOUND [ '/app/main.js' ]
true [ 'x' ] 4 text
EROFS
`, gojaloop.WithFiles(files))
}

func TestModulesThatRefuseSayWhy(t *testing.T) {
	expect(t, `for (const [m, f] of [['child_process', 'spawn'], ['worker_threads', 'Worker'], ['vm', 'runInNewContext'], ['cluster', 'fork'], ['net', 'connect']]) try { new (require(m)[f])() } catch (e) { console.log(e.code, e.message) }`,
		`ERR_ACCESS_DENIED child_process.spawn is not available here: a script starts no processes
ERR_ACCESS_DENIED worker_threads.Worker is not available here: a runtime runs scripts on one loop; the embedder makes others with a pool
ERR_ACCESS_DENIED vm.runInNewContext is not available here: a script has one global object; the embedder makes another runtime
ERR_ACCESS_DENIED cluster.fork is not available here: a script starts no processes
ERR_ACCESS_DENIED net.connect is not available here: a script opens no sockets; it reaches the network with fetch and http, if the embedder allows that
`, gojaloop.WithModules(nil))
}

func TestCryptoAndZlibAgreeWithKnownAnswers(t *testing.T) {
	expect(t, `
		const c = require('crypto'), z = require('zlib');
		console.log(c.createHash('md5').update('a').digest('hex'), c.createHmac('sha256', 'k').update('d').digest('base64'));
		console.log(c.pbkdf2Sync('p', 's', 1, 8, 'sha1').toString('hex'), c.timingSafeEqual(Buffer.from('a'), Buffer.from('a')));
		for (const [name, iv] of [['aes-128-gcm', 12], ['aes-256-cbc', 16], ['aes-192-ctr', 16]]) {
			const key = Buffer.alloc(name.slice(4, 7) / 8, 1), v = Buffer.alloc(iv, 2), e = c.createCipheriv(name, key, v);
			const text = e.update('secret text ', 'utf8', 'hex') + e.update('of two parts', 'utf8', 'hex') + e.final('hex');
			const d = c.createDecipheriv(name, key, v);
			if (name.endsWith('gcm')) d.setAuthTag(e.getAuthTag());
			console.log(name, text, d.update(text, 'hex', 'utf8') + d.final('utf8'));
		}
		const { publicKey, privateKey } = c.generateKeyPairSync('ec', { namedCurve: 'P-256' });
		const s = c.createSign('SHA256').update('m').sign(privateKey);
		console.log(c.createVerify('SHA256').update('m').verify(publicKey, s), c.createVerify('SHA256').update('n').verify(publicKey.export(), s));
		console.log(z.gunzipSync(z.gzipSync('hello')).toString(), z.inflateRawSync(z.deflateRawSync('hello')).toString());
		try { z.inflateSync('not it') } catch (e) { console.log(e.code) }`,
		`0cc175b9c0f1b6a831c399e269772661 5+ohw7y2Ok2jrXhQMWjTa9ygvmIjgupgoQj61OSWZnk=
843c87e7eda3ee2f true
aes-128-gcm 20817311a35a6608f2987a14dd875a2f2c22694d31800469 secret text of two parts
aes-256-cbc 32aaaf441d2ba364c57e0c68f34d126f253ef2ba9d97b8c1b288878d0b7565f3 secret text of two parts
aes-192-ctr 98e97442f5b37b03b30ac077c81ef9a43e2c226dddb09826 secret text of two parts
true false
hello hello
Z_DATA_ERROR
`, gojaloop.WithModules(nil))
}
