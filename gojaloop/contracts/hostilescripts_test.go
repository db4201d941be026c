package contracts_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// How a hostile script ends.
const (
	nothing   = "nothing"   // no exception
	own       = "own"       // the exception that the script has thrown
	threw     = "an error"  // an Error of the library or the engine
	endless   = "endless"   // the deadline has stopped it
	recursion = "recursion" // too many nested calls, which a script cannot catch
)

// bombs are values that a script puts where a function wants another one, and how the script may then end.
var bombs = []struct {
	name, src string
	ends      []string
}{
	{"a getter that throws", `new Proxy({}, { get() { throw bomb } })`, []string{nothing, own, threw}},
	{"a proxy whose every trap throws", `new Proxy(function () {}, new Proxy({}, { get() { throw bomb } }))`, []string{nothing, own, threw}},
	{"a revoked proxy", `(() => { const r = Proxy.revocable({}, {}); r.revoke(); return r.proxy })()`, []string{nothing, threw}},
	{"texts that throw", `({ toString() { throw bomb }, valueOf() { throw bomb }, [Symbol.toPrimitive]() { throw bomb } })`, []string{nothing, own, threw}},
	{"a text that is never made", `({ [Symbol.toPrimitive]() { for (;;); } })`, []string{nothing, threw, endless}},
	{"a text that asks for itself", `(() => { const o = { toString() { return '' + o } }; return o })()`, []string{nothing, threw, recursion}},
	{"an iterator without an end", `({ [Symbol.iterator]: () => ({ next: () => ({ value: ['a', 'b'], done: false }) }) })`, []string{nothing, threw, endless}},
	{"an iterator that throws", `({ get [Symbol.iterator]() { throw bomb } })`, []string{nothing, own, threw}},
	{"a length beyond all", `({ length: 2 ** 53, byteLength: 2 ** 53, size: 2 ** 53 })`, []string{nothing, threw, endless}},
	{"a number beyond all", `2 ** 53`, []string{nothing, threw, endless}},
	{"a then that throws", `({ get then() { throw bomb } })`, []string{nothing, own, threw}},
	{"a value that leads to itself", `(() => { const o = { a: [] }; o.a.push(o); o.o = o; return o })()`, []string{nothing, threw}},
	{"a value that nests deep", `(() => { let a = []; for (let i = 0; i < 3000; i++) a = [a]; return a })()`, []string{nothing, threw, recursion}},
	{"an array that is a proxy", `new Proxy([1, 2, 3], { get(t, k) { return k === 'length' ? 2 ** 32 : t[k] } })`, []string{nothing, threw, endless}},
}

// targets are the library's functions: x is the hostile value.
var targets = map[string]string{
	"console.log":          `console.log(x); console.log('%s %d %o %j', x, x, x, x); console.table([x]); console.dir(x, x)`,
	"util.inspect":         `util.inspect(x, x); util.format(x, x); util.inspect({ [Symbol.for('nodejs.util.inspect.custom')]: x })`,
	"URL":                  `new URL('http://a/').searchParams.append('a', x); new URL('http://a/').href = x`,
	"a base of URL":        `new URL('a', x)`,
	"URLSearchParams":      `new URLSearchParams(x)`,
	"Headers":              `new Headers(x)`,
	"a value of Headers":   `new Headers([['a', x]])`,
	"Request":              `new Request('http://a/', x)`,
	"Response":             `new Response('a', x)`,
	"a body":               `new Response(x)`,
	"fetch":                `fetch('http://api.example.com/', { headers: x }).then(settle, settle)`,
	"the address of fetch": `fetch(x).then(settle, settle)`,
	"Blob":                 `new Blob([x], x); new Blob(x)`,
	"FormData":             `new FormData().append('a', x, x)`,
	"structuredClone":      `structuredClone(x)`,
	"what is transferred":  `structuredClone(1, { transfer: x })`,
	"addEventListener":     `new EventTarget().addEventListener(x, () => {}, x)`,
	"dispatchEvent":        `new EventTarget().dispatchEvent(x)`,
	"Event":                `new Event(x, x); new CustomEvent('a', x)`,
	"AbortSignal.any":      `AbortSignal.any(x)`,
	"AbortSignal.timeout":  `AbortSignal.timeout(x)`,
	"abort":                `const c = new AbortController(); c.signal.onabort = x; c.abort(x); c.signal.throwIfAborted()`,
	"setTimeout":           `clearTimeout(setTimeout(() => {}, x)); clearTimeout(x)`,
	"a callback":           `setTimeout(x)`,
	"nextTick":             `process.nextTick(x)`,
	"EventEmitter":         `const e = new events.EventEmitter(x); e.on(x, () => {}); e.emit(x, x); e.setMaxListeners(x)`,
	"Buffer.from":          `Buffer.from(x)`,
	"Buffer.alloc":         `Buffer.alloc(x > 1e6 ? x : 1, x, x)`,
	"Buffer.concat":        `Buffer.concat(x); Buffer.concat([Buffer.from('a')], x)`,
	"methods of Buffer":    `const b = Buffer.alloc(8); b.fill(x); b.write(x, x); b.indexOf(x, x); b.slice(x, x); b.copy(b, x, x, x); b.readUIntLE(x, x); b.equals(x)`,
	"TextDecoder":          `new TextDecoder(x, x); new TextDecoder().decode(x)`,
	"TextEncoder":          `new TextEncoder().encode(x); new TextEncoder().encodeInto(x, x)`,
	"atob":                 `atob(x); btoa(x)`,
	"getRandomValues":      `crypto.getRandomValues(x)`,
	"hashes":               `nodeCrypto.createHash(x, x); nodeCrypto.createHash('sha256').update(x, x)`,
	"randomBytes":          `nodeCrypto.randomBytes(x)`,
	"pbkdf2":               `nodeCrypto.pbkdf2Sync('a', 'b', 1, x, x)`,
	"ReadableStream":       `new ReadableStream(x, x)`,
	"enqueue":              `new ReadableStream({ start(c) { c.enqueue(x); c.close() } }, { size: x, highWaterMark: x })`,
	"WritableStream":       `new WritableStream(x, x).getWriter().write(x).then(settle, settle)`,
	"Node's streams":       `const r = new stream.Readable(x); r.push(x); stream.pipeline(x, x, () => {})`,
	"performance":          `performance.mark(x, x); performance.measure(x, x)`,
	"assert":               `assert.deepStrictEqual(x, [x]); assert.throws(() => { throw x }, x)`,
	"querystring":          `query.parse(x, x, x, x); query.stringify(x, x)`,
	"path":                 `path.join(x, x); path.parse(x)`,
	"process":              `process.emitWarning(x, x); process.hrtime(x); process.exitCode = x`,
	"zlib":                 `zlib.gzipSync(x, x); zlib.inflateSync(x)`,
	"parseArgs":            `util.parseArgs(x); util.promisify(x); util.inherits(x, x)`,
	"queueMicrotask":       `queueMicrotask(x)`,
	"require":              `require(x); require.resolve(x, x)`,
	"MessageChannel":       `const { port1 } = new MessageChannel(); port1.postMessage(x, x); port1.close()`,
	"fs":                   `fs.readFileSync(x, x); fs.existsSync(x); fs.statSync(x)`,
	"what is thrown":       `throw x`,
	"what rejects":         `await Promise.reject(x)`,
}

// A hostile script ends as its table says: the process lives on, the deadline holds, and a script that goes on finds the runtime whole.
func TestHostileScriptsEndAsTheyShould(t *testing.T) {
	const prelude = `const util = require('util'), events = require('events'), stream = require('stream'), assert = require('assert'), nodeCrypto = require('crypto'),
		query = require('querystring'), path = require('path'), zlib = require('zlib'), fs = require('fs');
		const bomb = new (class Bomb { get [Symbol.toStringTag]() { return 'Bomb' } })(), settle = () => {};
		process.on('uncaughtException', () => {}); process.on('unhandledRejection', () => {}); process.on('warning', () => {}); process.exitCode = 0;
		const ended = (how) => { process.exitCode = 0; process.stdout.write('\x00' + how) };`
	if n := len(bombs) * len(targets); n < 200 {
		t.Fatalf("only %d scripts", n)
	}
	for target, use := range targets {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			for _, b := range bombs {
				var out strings.Builder
				rt := gojaloop.New(eventloop.New(), gojaloop.WithHardening(), gojaloop.WithFiles(fstest.MapFS{"a": {Data: []byte("a")}}), gojaloop.WithOutput(&out, io.Discard),
					gojaloop.WithFetch(&http.Client{Transport: everywhere}), gojaloop.WithMaxStack(200))
				wait := 2 * time.Minute
				if slices.Contains(b.ends, endless) {
					wait = 100 * time.Millisecond
				}
				ctx, cancel := context.WithTimeout(t.Context(), wait)
				err := rt.Run(ctx, prelude+`const x = `+b.src+`, log = console.log; console.log = (...all) => util.format(...all);
					(async () => {`+use+`})().then(() => ended('nothing'), (e) => ended(e === bomb ? 'own' : 'an error'))`)
				cancel()
				how := out.String()[strings.LastIndex(out.String(), "\x00")+1:]
				var interrupted *gojaloop.InterruptError
				var uncaught *gojaloop.UncaughtError
				var engine *gojaloop.EngineError
				switch {
				case errors.As(err, &engine):
					t.Errorf("%s: the engine panicked with %v\n%s", b.name, engine.Value, engine.Stack)
					continue
				case errors.As(err, &interrupted):
					how = endless
				case errors.As(err, &uncaught) && strings.Contains(uncaught.Message, "call stack"):
					how = recursion
				}
				if !slices.Contains(b.ends, how) && !(how == own && strings.HasPrefix(target, "what ")) && !(how == threw && strings.HasPrefix(target, "what ")) {
					t.Errorf("%s: ended with %q, %v", b.name, how, err)
				}
			}
		})
	}
}
