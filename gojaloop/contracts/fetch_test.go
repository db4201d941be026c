package contracts_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/gojaloop"
)

// fetching runs a script with base, the address of a server, and say, which writes a line.
func fetching(t *testing.T, handler http.HandlerFunc, script, want string, change ...func(*http.Client)) {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	client := server.Client()
	for _, c := range change {
		c(client)
	}
	src := fmt.Sprintf(`const base = %q, say = console.log;
		const fails = (p) => p.then(() => say('no error'), (e) => say(e.name || e, e.cause ? e.cause.message : ''));
		(async () => { %s })()`, server.URL, script)
	expect(t, src, want, gojaloop.WithFetch(client))
}

// redirecting answers /redirect with the status and location in its query. Other requests are answered with their
// description.
func redirecting(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	switch r.URL.Path {
	case "/redirect":
		status, _ := strconv.Atoi(q.Get("status"))
		if q.Has("location") {
			w.Header().Set("Location", q.Get("location"))
		}
		w.WriteHeader(status)
	case "/count":
		if n, _ := strconv.Atoi(q.Get("n")); n > 0 {
			w.Header().Set("Location", fmt.Sprintf("/count?n=%d", n-1))
			w.WriteHeader(http.StatusFound)
		}
	default:
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s body=%s type=%s language=%s referer=%s authorization=%s", r.Method, r.RequestURI, body,
			r.Header.Get("Content-Type"), r.Header.Get("Content-Language"), r.Header.Get("Referer"), r.Header.Get("Authorization"))
	}
}

func TestFetchFollowsRedirectsByItsOwnRules(t *testing.T) {
	fetching(t, redirecting, `
		for (const status of [301, 302, 303, 307, 308]) for (const method of ['GET', 'POST', 'PUT', 'TESTING']) {
			const r = await fetch(base + '/redirect?location=/to&status=' + status, { method, body: method[0] === 'P' ? 'b' : undefined, headers: { 'content-language': 'x' } });
			say(status, method, r.redirected, r.url.slice(base.length), await r.text());
		}`, `301 GET true /to GET /to body= type= language=x referer= authorization=
301 POST true /to GET /to body= type= language= referer= authorization=
301 PUT true /to PUT /to body=b type=text/plain;charset=UTF-8 language=x referer= authorization=
301 TESTING true /to TESTING /to body= type= language=x referer= authorization=
302 GET true /to GET /to body= type= language=x referer= authorization=
302 POST true /to GET /to body= type= language= referer= authorization=
302 PUT true /to PUT /to body=b type=text/plain;charset=UTF-8 language=x referer= authorization=
302 TESTING true /to TESTING /to body= type= language=x referer= authorization=
303 GET true /to GET /to body= type= language=x referer= authorization=
303 POST true /to GET /to body= type= language= referer= authorization=
303 PUT true /to GET /to body= type= language= referer= authorization=
303 TESTING true /to GET /to body= type= language= referer= authorization=
307 GET true /to GET /to body= type= language=x referer= authorization=
307 POST true /to POST /to body=b type=text/plain;charset=UTF-8 language=x referer= authorization=
307 PUT true /to PUT /to body=b type=text/plain;charset=UTF-8 language=x referer= authorization=
307 TESTING true /to TESTING /to body= type= language=x referer= authorization=
308 GET true /to GET /to body= type= language=x referer= authorization=
308 POST true /to POST /to body=b type=text/plain;charset=UTF-8 language=x referer= authorization=
308 PUT true /to PUT /to body=b type=text/plain;charset=UTF-8 language=x referer= authorization=
308 TESTING true /to TESTING /to body= type= language=x referer= authorization=
`)
}

func TestFetchRefusesRedirectsThatTheStandardDoes(t *testing.T) {
	fetching(t, redirecting, `
		say((await fetch(base + '/count?n=20')).status);
		await fails(fetch(base + '/count?n=21'));
		const to = (location, init, status = 302) => fetch(base + '/redirect?status=' + status + '&location=' + encodeURIComponent(location), init);
		for (const location of ['http://:bad:', 'data:,x', 'mailto:a@b', 'http://u:p@elsewhere.invalid/']) await fails(to(location));
		await fails(to('')); // to itself
		await fails(to('/to', { redirect: 'error' })); await fails(fetch(base + '/redirect?status=302', { redirect: 'error' }));
		say((await fetch(base + '/redirect?status=302')).status);
		const r = await to('/to', { redirect: 'manual' }); say(r.status, r.headers.get('location'), r.redirected, r.type);
		const body = () => new ReadableStream({ start(c) { c.enqueue(new Uint8Array([97])); c.close(); } });
		await fails(to('/to', { method: 'POST', duplex: 'half', body: body() }, 307));
		say((await (await to('/to', { method: 'POST', duplex: 'half', body: body() }, 303)).text()).slice(0, 3));
		say((await (await to('/to?☃ "', { headers: { authorization: 'mine' } })).text()));
		say((await (await to(base.replace('127.0.0.1', 'localhost') + '/to', { headers: { authorization: 'mine' } })).text()).slice(-14));`,
		`200
TypeError redirect count exceeded
TypeError the location of a redirect is not valid: Error: The input has a special scheme, but does not contain a host. Url: 'http://:bad:'
TypeError URL scheme must be a HTTP(S) scheme
TypeError URL scheme must be a HTTP(S) scheme
TypeError cross origin not allowed for request mode "cors"
TypeError redirect count exceeded
TypeError unexpected redirect
TypeError unexpected redirect
302
302 /to false basic
TypeError a stream cannot be sent again
GET
GET /to?%E2%98%83%20%22 body= type= language= referer= authorization=mine
authorization=
`)
}

func TestFetchSendsTheReferrerThatItsPolicyAllows(t *testing.T) {
	fetching(t, redirecting, `
		const ask = async (referrer, referrerPolicy, path = '/to') => say(referrerPolicy, (await (await fetch(base + path, { referrer, referrerPolicy })).text()).replace(/.*referer=(.*) auth.*/, '$1').replace(base, 'base'));
		const policies = ['', 'no-referrer', 'no-referrer-when-downgrade', 'same-origin', 'origin', 'strict-origin', 'origin-when-cross-origin', 'strict-origin-when-cross-origin', 'unsafe-url'];
		for (const from of [base + '/a?b#c', 'http://other.example/a', 'https://other.example/a']) { say('from', from.replace(base, 'base')); for (const p of policies) await ask(from, p); }
		await ask('about:client', 'unsafe-url'); await ask('', 'unsafe-url');
		await ask(base + '/a', '', '/redirect?status=302&location=' + base.replace('127.0.0.1', 'localhost') + '/to');`,
		`from base/a?b#c
 base/a?b
no-referrer 
no-referrer-when-downgrade base/a?b
same-origin base/a?b
origin base/
strict-origin base/
origin-when-cross-origin base/a?b
strict-origin-when-cross-origin base/a?b
unsafe-url base/a?b
from http://other.example/a
 http://other.example/
no-referrer 
no-referrer-when-downgrade http://other.example/a
same-origin 
origin http://other.example/
strict-origin http://other.example/
origin-when-cross-origin http://other.example/
strict-origin-when-cross-origin http://other.example/
unsafe-url http://other.example/a
from https://other.example/a
 
no-referrer 
no-referrer-when-downgrade 
same-origin 
origin https://other.example/
strict-origin 
origin-when-cross-origin https://other.example/
strict-origin-when-cross-origin 
unsafe-url https://other.example/a
unsafe-url 
unsafe-url 
 base/
`)
}

func TestTheEmbeddersClientDecidesOnRedirects(t *testing.T) {
	var asked []string
	fetching(t, redirecting, `
		await fails(fetch(base + '/redirect?status=302&location=/forbidden'));
		const r = await fetch(base + '/redirect?status=307&location=/last'); say(r.status, r.redirected, r.url.slice(base.length));
		say(await (await fetch(base + '/redirect?status=302&location=/to')).text());`,
		`TypeError not that way
307 false /redirect?status=307&location=/last
GET /to body= type= language= referer= authorization=
`, func(c *http.Client) {
			c.CheckRedirect = func(r *http.Request, via []*http.Request) error {
				asked = append(asked, fmt.Sprint(via[0].URL.Path, " ", r.URL.Path, " ", len(via)))
				switch r.URL.Path {
				case "/forbidden":
					return errors.New("not that way")
				case "/last":
					return http.ErrUseLastResponse
				}
				return nil
			}
		})
	if got := strings.Join(asked, ", "); got != "/redirect /forbidden 1, /redirect /last 1, /redirect /to 1" {
		t.Errorf("CheckRedirect was asked: %s", got)
	}
}

func TestFetchSendsWhatItIsGiven(t *testing.T) {
	fetching(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header()["X-Back"] = []string{"\xe9", "2"}
		fmt.Fprintf(w, "%s %q %d %q %q", r.RequestURI, r.Header.Get("X-Latin"), r.ContentLength, body, r.Header.Get("Accept"))
	}, `
		const ask = async (path, init) => { const r = await fetch(base + path, init); say(await r.text(), r.headers.get('x-back')); };
		await ask('//a//b');
		await ask('/b/|%2f[]^?x={}|"'+"'"+'%gg#f', { headers: { 'x-latin': '\xe9' } });
		await ask('/?', { headers: { accept: 'x/y' } });
		await ask('/', { method: 'POST', body: 'é' });
		let n = 0;
		const pieces = () => new ReadableStream({ async pull(c) { if (n++ < 3) c.enqueue(new TextEncoder().encode('p' + n)); else c.close(); } });
		await ask('/', { method: 'POST', duplex: 'half', body: pieces() });
		for (const chunk of ['text', 1, null]) await fails(fetch(base, { method: 'POST', duplex: 'half', body: new ReadableStream({ start(c) { c.enqueue(chunk); } }) }));`,
		`//a//b "" 0 "" "*/*" é, 2
/b/|%2f[]%5E?x={}|%22%27%gg "\xe9" 0 "" "*/*" é, 2
/? "" 0 "" "x/y" é, 2
/ "" 2 "é" "*/*" é, 2
/ "" -1 "p1p2p3" "*/*" é, 2
`+strings.Repeat("TypeError TypeError: Received non-Uint8Array chunk\n", 3))
}

// raw answers with bytes, and closes the connection.
func raw(w http.ResponseWriter, answer string) {
	conn, buf, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	_, _ = buf.WriteString(answer)
	_ = buf.Flush()
}

func TestFetchReadsWhatTheServerSends(t *testing.T) {
	fetching(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/headers":
			raw(w, "HTTP/1.1 200 J\xe4\r\nFoo: 1\r\nfoo: 2\r\nSet-Cookie: a\r\nset-cookie: b\r\nempty:\r\nConnection: close\r\n\r\nok")
		case "/cut":
			raw(w, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
		case "/none":
			w.WriteHeader(http.StatusNoContent)
		}
	}, `
		const r = await fetch(base + '/headers'); say(r.statusText, r.headers.get('foo'), r.headers.getSetCookie().join(), r.headers.get('empty') === '');
		try { r.headers.set('a', 'b'); } catch (e) { say(e.name); }
		await fails((await fetch(base + '/cut')).text());
		const reader = (await fetch(base + '/cut')).body.getReader(); reader.closed.catch((e) => say('closed', e.name));
		say((await reader.read()).value.length); await fails(reader.read());
		const twice = await fetch(base + '/cut'), twin = twice.clone(); await fails(twice.text()); await fails(twin.text());
		const none = await fetch(base + '/none'); say(none.body, await none.text());
		const byob = (await fetch(base + '/headers')).body.getReader({ mode: 'byob' });
		say((await byob.read(new Uint8Array(1))).value, (await byob.read(new Uint8Array(1))).value, await byob.read(new Uint8Array(1)));
		const used = await fetch(base + '/headers'), p = used.text(); say(used.bodyUsed, used.body.locked, await p); await fails(used.text());
		for (const u of ['about:blank', 'http://127.0.0.1:25/', 'ftp://h/']) await fails(fetch(u));`,
		`Jä 1, 2 a,b true
TypeError
TypeError unexpected EOF
3
closed TypeError
TypeError unexpected EOF
TypeError unexpected EOF
TypeError unexpected EOF
null 
Uint8Array(1) [ 111 ] Uint8Array(1) [ 107 ] { value: Uint8Array(0) [], done: true }
true true ok
TypeError 
TypeError there is no way to fetch about: URLs
TypeError bad port
TypeError there is no way to fetch ftp: URLs
`)
}

func TestAbortingFetchEndsWhatIsUnderWay(t *testing.T) {
	gone := make(chan string, 8)
	fetching(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/download":
			_, _ = io.WriteString(w, "first")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case "/upload":
			if _, err := io.Copy(io.Discard, r.Body); err == nil {
				t.Error("the body of an aborted request ended well")
			}
		}
		gone <- r.URL.Path
	}, `
		for (const read of [(r) => r.text(), async (r) => { const b = r.body.getReader(); await b.read(); await b.read(); }, (r) => { r.clone(); return r.text(); }]) {
			const c = new AbortController(), r = await fetch(base + '/download', { signal: c.signal });
			const p = read(r); setImmediate(() => c.abort('stop')); await fails(p);
		}
		const late = new AbortController(), r = await fetch(base + '/download', { signal: late.signal }); late.abort('late'); await fails(r.text());
		await (await fetch(base + '/download')).body.cancel();
		const c = new AbortController(); let pulls = 0;
		const p = fetch(base + '/upload', { method: 'POST', duplex: 'half', signal: c.signal, body: new ReadableStream({
			pull(k) { k.enqueue(new Uint8Array(1)); if (++pulls === 5) c.abort('up'); }, cancel(e) { say('cancel', e); } }) });
		await fails(p);
		const empty = new AbortController(), e = await fetch(base + '/empty', { signal: empty.signal }), b = e.body.getReader(); empty.abort(); say((await b.read()).done);`,
		"stop \nstop \nstop \nlate \ncancel up\nup \ntrue\n")
	for range 7 {
		<-gone
	}
}

func TestAServerWaitsForAScriptThatDoesNotRead(t *testing.T) {
	const pieces = 1024
	wrote := make(chan int, 1)
	fetching(t, func(w http.ResponseWriter, _ *http.Request) {
		piece := make([]byte, 64<<10)
		n := 0
		for ; n < pieces; n++ {
			if _, err := w.Write(piece); err != nil {
				break
			}
		}
		wrote <- n
	}, `
		const r = await fetch(base), reader = r.body.getReader();
		say((await reader.read()).done);
		await reader.cancel();`, "false\n")
	if n := <-wrote; n == pieces {
		t.Errorf("the server could write %d pieces, though one was read", n)
	}
}
