package contracts_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/eventloop-go/eventloop/gojaloop"
)

func TestEncodings(t *testing.T) {
	expect(t, `
		const l = console.log;
		l(new TextEncoder().encode('hé€😀\ud800'));
		l(new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x68, 0xff, 0xe2, 0x82, 0xac])));
		const d = new TextDecoder(); l(d.decode(new Uint8Array([0xe2, 0x82]), { stream: true }) + '|' + d.decode(new Uint8Array([0xac])));
		try { new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([0xff])) } catch (e) { l(e.name) }
		try { new TextDecoder('nonsense') } catch (e) { l(e.name) }
		l(new TextDecoder('latin1').encoding, new TextDecoder('utf-16le').decode(new Uint8Array([0x61, 0])));
		l(btoa('hello'), atob(' aGVs bG8 '), btoa(''), atob('YQ'));
		for (const f of [() => atob('a'), () => btoa('€')]) try { f() } catch (e) { l(e.name, e.code) }`,
		`Uint8Array(13) [
  104, 195, 169, 226,
  130, 172, 240, 159,
  152, 128, 239, 191,
  189
]
h`+"\uFFFD"+`€
|€
TypeError
RangeError
windows-1252 a
aGVsbG8= hello  a
InvalidCharacterError 5
InvalidCharacterError 5
`)
}

func TestURLsAndRandomness(t *testing.T) {
	expect(t, `
		const u = new URL('x?q=1#h', 'https://user@example.org:8080/a/b/c');
		console.log(u.href, u.searchParams.get('q'), new URLSearchParams({ a: '1 2' }).toString());
		console.log(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()), crypto.getRandomValues(new Uint16Array(4)).length);
		try { crypto.getRandomValues(new Float32Array(1)) } catch (e) { console.log(e.name) }
		try { crypto.getRandomValues(new Uint8Array(65537)) } catch (e) { console.log(e.name) }`,
		"https://user@example.org:8080/a/b/x?q=1#h 1 a=1+2\ntrue 4\nTypeMismatchError\nQuotaExceededError\n")
}

func TestFetchIsThereOnlyIfTheEmbedderGivesIt(t *testing.T) {
	expect(t, `console.log(typeof fetch, typeof require, Object.keys(process.env).length)`, "undefined undefined 0\n")
}

func TestStreamsNeedNoFetchAndCanBeLeftOut(t *testing.T) {
	expect(t, `ReadableStream.from(['a']).pipeThrough(new TransformStream()).pipeTo(new WritableStream({ write: (v) => console.log(v) }))`, "a\n")
	expect(t, `console.log(typeof ReadableStream, typeof WritableStream, typeof TransformStream, typeof CountQueuingStrategy)`,
		"undefined undefined undefined undefined\n", gojaloop.Without(gojaloop.Streams))
}

func TestFetchReadsBodiesInPiecesAndIsAbortable(t *testing.T) {
	piece := make(chan string)
	gone := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/json":
			w.Header().Set("X-Method", r.Method)
			w.Header().Set("Content-Type", r.Header.Get("Content-Type"))
			fmt.Fprintf(w, `{"n":%d}`, r.ContentLength)
		case "/pieces":
			for p := range piece {
				fmt.Fprint(w, p)
				w.(http.Flusher).Flush()
			}
		case "/hang":
			<-r.Context().Done()
			close(gone)
		}
	}))
	defer server.Close()
	next := func(p string) { piece <- p }
	go func() { next("one"); next("two"); close(piece) }()
	expect(t, fmt.Sprintf(`
		(async () => {
			const base = %q, l = console.log;
			const r = await fetch(base + '/json', { method: 'post', body: 'héllo' });
			l(r.status, r.ok, r.headers.get('x-method'), r.headers.get('CONTENT-TYPE'), await r.json(), r.bodyUsed);
			let text = '';
			const reader = (await fetch(base + '/pieces')).body.getReader();
			for (;;) { const { value, done } = await reader.read(); if (done) break; text += new TextDecoder().decode(value) }
			l(text);
			const c = new AbortController();
			setTimeout(() => c.abort(), 10);
			await fetch(base + '/hang', { signal: c.signal }).catch((e) => l(e.name, e === c.signal.reason));
			await fetch('http://127.0.0.1:1/').catch((e) => l(e.name, e.message));
			await fetch('nonsense').catch((e) => l(e.name));
			l(new Headers({ b: '1', A: ' 2 ' }), [...new Headers([['x', '1'], ['X', '2']])].join(';'));
			l(await Response.json({ a: 1 }, { status: 201 }).text());
		})()`, server.URL),
		`200 true POST text/plain;charset=UTF-8 { n: 6 } true
onetwo
AbortError true
TypeError fetch failed
TypeError
Headers { a: '2', b: '1' } x,1, 2
{"a":1}
`, gojaloop.WithFetch(server.Client()))
	<-gone
}
