package contracts_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// both runs a test with a handler of one runtime and with one of a pool.
func both(t *testing.T, script string, config gojaloop.HandlerConfig, test func(t *testing.T, server *httptest.Server), opts ...gojaloop.Option) {
	t.Helper()
	prg, err := gojaloop.Compile("server.js", script)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("runtime", func(t *testing.T) {
		loop := testkit.Running(t, eventloop.New())
		rt := gojaloop.New(loop, opts...)
		if err := rt.Do(testkit.Bounded(t), func(vm *goja.Runtime) error { _, err := vm.RunProgram(prg); return err }); err != nil {
			t.Fatal(err)
		}
		test(t, serving(t, rt.Handler("server.fetch", config)))
	})
	t.Run("pool", func(t *testing.T) {
		pool := newPool(t, script, gojaloop.PoolConfig{Size: 2, MaxUses: 3, Options: opts})
		test(t, serving(t, pool.Handler("server.fetch", config)))
	})
}

func serving(t *testing.T, h http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server
}

// ask makes a request and describes the answer.
func ask(t *testing.T, server *httptest.Server, method, path, body string, headers ...string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(testkit.Bounded(t), method, server.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := server.Client().Do(req)
	if err != nil {
		return "no answer"
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Sprintf("%d %s (cut)", resp.StatusCode, got)
	}
	return fmt.Sprintf("%d %s %s", resp.StatusCode, strings.Trim(fmt.Sprint(resp.Header["Content-Type"]), "[]"), got)
}

func TestScriptAnswersRequests(t *testing.T) {
	both(t, `
		const paths = {
			async text(q) { return new Response('got ' + await q.text(), { status: 201, headers: { 'x-a': '1' } }); },
			json: async (q) => Response.json({ ...(await q.json()), more: true }),
			facts: (q, info) => new Response([q.method, new URL(q.url).pathname + new URL(q.url).search, q.headers.get('X-One'), q.headers.get('host') === new URL(q.url).host, typeof info.remoteAddr.port, q.signal.aborted].join()),
			none: () => new Response(null, { status: 204 }),
			echo: (q) => new Response(q.body),
			copy: async (q) => { const c = q.clone(), again = new Request(c); return new Response(again.mode + await again.text() + await q.text()) },
			stream: () => new Response(new ReadableStream({ async start(c) { for (const s of ['a', 'b', 'c']) { await new Promise((r) => setTimeout(r, 1)); c.enqueue(new TextEncoder().encode(s)); } c.close(); } })),
			sync: () => new Response(new Uint8Array([104, 105])),
			headers: () => new Response('x', { headers: [['set-cookie', 'a=1'], ['set-cookie', 'b=2'], ['transfer-encoding', 'chunked'], ['content-length', '100'], ['trailer', 'x'], ['content-type', 'x/y']] }),
		};
		const server = { fetch(q, info) { return paths[new URL(q.url).pathname.slice(1)](q, info); } };`,
		gojaloop.HandlerConfig{}, func(t *testing.T, server *httptest.Server) {
			big := strings.Repeat("0123456789", 30_000)
			for _, c := range []struct{ method, path, body, want string }{
				{"POST", "/text", "body", "201 text/plain;charset=UTF-8 got body"},
				{"POST", "/json", `{"a":1}`, `200 application/json {"a":1,"more":true}`},
				{"DELETE", "/facts?b=c", "", "200 text/plain;charset=UTF-8 DELETE,/facts?b=c,yes,true,number,false"},
				{"GET", "/none", "", "204  "},
				{"POST", "/echo", big, "200  " + big},
				{"POST", "/copy", "xy", "200 text/plain;charset=UTF-8 corsxyxy"},
				{"GET", "/stream", "", "200  abc"},
				{"HEAD", "/stream", "", "200  "},
				{"HEAD", "/text", "", "201 text/plain;charset=UTF-8 "},
				{"GET", "/sync", "", "200  hi"},
				{"GET", "/headers", "", "200 x/y x"},
			} {
				if got := ask(t, server, c.method, c.path, c.body, "X-One", "yes"); got != c.want {
					t.Errorf("%s %s: %.200q, want %.200q", c.method, c.path, got, c.want)
				}
			}
			resp, err := server.Client().Get(server.URL + "/headers")
			testkit.Must(t, err)
			defer resp.Body.Close()
			if got := fmt.Sprint(resp.Header["Set-Cookie"], resp.ContentLength, resp.TransferEncoding, resp.Trailer); got != "[a=1 b=2] 1 [] map[]" {
				t.Error(got)
			}
		})
}

func TestErrorsOfScriptsReachTheEmbedderAndNoClient(t *testing.T) {
	reported := make(chan error, 1)
	both(t, `
		const paths = {
			throws() { throw new TypeError('secret'); },
			async rejects() { await 1; throw new TypeError('secret'); },
			nothing() {},
			error: () => Response.error(),
			used: async () => { const r = new Response('x'); await r.text(); return r; },
			chunk: () => new Response(new ReadableStream({ start(c) { c.enqueue('secret'); } })),
			late: () => new Response(new ReadableStream({ async pull(c) { if (this.n) throw new TypeError('secret'); this.n = 1; c.enqueue(new Uint8Array([97])); } })),
			header: () => new Response('x', { status: 299, headers: { get a() { throw new TypeError('secret') } } }),
		};
		const server = { fetch(q) { return paths[new URL(q.url).pathname.slice(1)](q); } };`,
		gojaloop.HandlerConfig{OnError: func(_ *http.Request, err error) { reported <- err }}, func(t *testing.T, server *httptest.Server) {
			for path, want := range map[string]string{
				"/throws":  "TypeError: secret",
				"/rejects": "TypeError: secret",
				"/nothing": "Response",
				"/error":   "Response.error()",
				"/used":    "used",
				"/chunk":   "non-Uint8Array",
				"/late":    "TypeError: secret",
				"/header":  "TypeError: secret",
				"/unknown": "TypeError",
			} {
				got := ask(t, server, "GET", path, "")
				if got != "500 text/plain; charset=utf-8 Internal Server Error\n" && got != "200 a (cut)" && got != "200  (cut)" {
					t.Errorf("%s: the client got %q", path, got)
				}
				err := testkit.Await(t, "the report for "+path, reported)
				thrown := (*gojaloop.ScriptError)(nil)
				if !errors.As(err, &thrown) || !strings.Contains(thrown.Message, want) {
					t.Errorf("%s: reported %v, want %s", path, err, want)
				}
			}
		})
}

func TestRequestEndsByItsDeadline(t *testing.T) {
	reported := make(chan error, 1)
	both(t, `
		const paths = {
			never: () => new Promise(() => {}),
			spin() { for (;;); },
			async spinLater(q) { await q.text(); for (;;); },
			part: () => new Response(new ReadableStream({ start(c) { c.enqueue(new Uint8Array([97])); } })),
		};
		const server = { fetch(q) { return paths[new URL(q.url).pathname.slice(1)](q); } };`,
		gojaloop.HandlerConfig{Timeout: 100 * time.Millisecond, OnError: func(_ *http.Request, err error) { reported <- err }}, func(t *testing.T, server *httptest.Server) {
			for _, path := range []string{"/never", "/spin", "/spinLater", "/part"} {
				got := ask(t, server, "POST", path, "body")
				if got != "503 text/plain; charset=utf-8 Service Unavailable\n" && got != "200 a (cut)" {
					t.Errorf("%s: the client got %q", path, got)
				}
				if err := testkit.Await(t, "the report for "+path, reported); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%s: reported %v", path, err)
				}
			}
		})
}

func TestBodiesHaveALimit(t *testing.T) {
	both(t, `
		const server = { async fetch(q) {
			if (q.url.endsWith('/ignored')) return new Response('not read');
			try { return new Response('' + (await q.text()).length); } catch (e) { if (q.url.endsWith('/caught')) return new Response(e.cause.message); throw e; }
		} };`,
		gojaloop.HandlerConfig{MaxBody: 1000, OnError: func(_ *http.Request, err error) { t.Error(err) }}, func(t *testing.T, server *httptest.Server) {
			if got := ask(t, server, "POST", "/", strings.Repeat("x", 1000)); got != "200 text/plain;charset=UTF-8 1000" {
				t.Error(got)
			}
			const refused = "413 text/plain; charset=utf-8 Request Entity Too Large\n"
			if got := ask(t, server, "POST", "/ignored", strings.Repeat("x", 1001)); got != refused {
				t.Error(got)
			}
			for path, want := range map[string]string{"/": refused, "/caught": "200 text/plain;charset=UTF-8 the body of the request exceeds the limit", "/ignored": "200 text/plain;charset=UTF-8 not read"} {
				req, _ := http.NewRequestWithContext(testkit.Bounded(t), "POST", server.URL+path, io.MultiReader(strings.NewReader(strings.Repeat("x", 600)), strings.NewReader(strings.Repeat("x", 600))))
				resp, err := server.Client().Do(req)
				testkit.Must(t, err)
				got, _ := io.ReadAll(resp.Body)
				resp.Body.Close()
				if s := fmt.Sprintf("%d %s %s", resp.StatusCode, resp.Header.Get("Content-Type"), got); s != want {
					t.Errorf("%s: %q, want %q", path, s, want)
				}
			}
		})
}

// upstream is a server that reports requests that begin and end, and answers when the request ends or release is closed.
func upstream(t *testing.T) (server *httptest.Server, began, ended chan struct{}, release chan struct{}) {
	began, ended, release = make(chan struct{}, 10), make(chan struct{}, 10), make(chan struct{})
	server = serving(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began <- struct{}{}
		select {
		case <-r.Context().Done():
		case <-release:
			fmt.Fprint(w, "released")
		}
		ended <- struct{}{}
	}))
	return server, began, ended, release
}

func TestAClientThatGoesAwayWhileTheHandlerRunsDoesNotInterruptIt(t *testing.T) {
	rt := gojaloop.New(testkit.Running(t, eventloop.New()))
	ctx, cancel := context.WithCancel(testkit.Bounded(t))
	arrived, noted := make(chan context.Context, 1), make(chan string, 10)
	testkit.Must(t, rt.Do(context.Background(), func(vm *goja.Runtime) error {
		_ = vm.Set("note", func(s string) { noted <- s })
		_ = vm.Set("leave", func() {
			cancel()
			<-(<-arrived).Done()
		})
		_, err := vm.RunString(`function answer(q) {
			q.signal.addEventListener('abort', () => note(q.signal.reason.name));
			leave();
			note('goes on');
			return new Promise(() => {});
		}`)
		return err
	}))
	handler := rt.Handler("answer", gojaloop.HandlerConfig{OnError: func(_ *http.Request, err error) { t.Error(err) }})
	server := serving(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		arrived <- r.Context()
		handler.ServeHTTP(w, r)
	}))
	req, _ := http.NewRequestWithContext(ctx, "GET", server.URL, nil)
	if _, err := server.Client().Do(req); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for _, want := range []string{"goes on", "AbortError"} {
		if got := testkit.Await(t, "a note", noted); got != want {
			t.Errorf("%q instead of %q", got, want)
		}
	}
}

func TestWorkEndsWhenTheClientGoesAway(t *testing.T) {
	up, began, ended, _ := upstream(t)
	cancelled := make(chan string, 10)
	script := fmt.Sprintf(`
		const server = { async fetch(q) {
			q.signal.addEventListener('abort', () => note(q.signal.reason.name));
			if (q.url.endsWith('/stream')) return new Response(new ReadableStream({ pull(c) { c.enqueue(new Uint8Array(1000)); return new Promise(() => {}) }, cancel(e) { note('cancelled') } }));
			await (await fetch(%q)).text(); note('upstream has answered');
		} };`, up.URL)
	prg := gojaloop.MustCompile("server.js", script)
	prepare := func(rt *gojaloop.Runtime) error {
		return rt.Do(context.Background(), func(vm *goja.Runtime) error {
			_ = vm.Set("note", func(s string) { cancelled <- s })
			_, err := vm.RunProgram(prg)
			return err
		})
	}
	rt := gojaloop.New(testkit.Running(t, eventloop.New()), gojaloop.WithFetch(up.Client()))
	testkit.Must(t, prepare(rt))
	server := serving(t, rt.Handler("server.fetch", gojaloop.HandlerConfig{OnError: func(_ *http.Request, err error) { t.Error(err) }}))
	ctx, cancel := context.WithCancel(testkit.Bounded(t))
	go func() {
		testkit.Await(t, "the request for the other server", began)
		cancel()
	}()
	req, _ := http.NewRequestWithContext(ctx, "GET", server.URL, nil)
	if _, err := server.Client().Do(req); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	testkit.Await(t, "the end of the request for the other server", ended)
	if got := testkit.Await(t, "the signal", cancelled); got != "AbortError" {
		t.Error(got)
	}
	ctx, cancel = context.WithCancel(testkit.Bounded(t))
	req, _ = http.NewRequestWithContext(ctx, "GET", server.URL+"/stream", nil)
	resp, err := server.Client().Do(req)
	testkit.Must(t, err)
	_, err = io.ReadFull(resp.Body, make([]byte, 1000))
	testkit.Must(t, err)
	cancel()
	resp.Body.Close()
	got := testkit.Await(t, "the end of the stream", cancelled) + testkit.Await(t, "the signal", cancelled)
	if got != "cancelledAbortError" {
		t.Error(got)
	}
}

func TestShutdownOfTheLoopWaitsForAnswers(t *testing.T) {
	up, began, _, release := upstream(t)
	loop := testkit.Running(t, eventloop.New())
	rt := gojaloop.New(loop, gojaloop.WithFetch(up.Client()))
	_, err := rt.Eval(testkit.Bounded(t), fmt.Sprintf(`const server = { fetch: async () => new Response(await (await fetch(%q)).text()) }; 0`, up.URL))
	testkit.Must(t, err)
	server := serving(t, rt.Handler("server.fetch", gojaloop.HandlerConfig{}))
	answer := make(chan string, 1)
	go func() { answer <- ask(t, server, "GET", "/", "") }()
	testkit.Await(t, "the request", began)
	shut := make(chan error, 1)
	go func() { shut <- loop.Shutdown(testkit.Bounded(t)) }()
	for loop.Submit(func() {}) == nil { // until the shutdown has begun
		time.Sleep(time.Millisecond)
	}
	close(release)
	if got := testkit.Await(t, "the answer", answer); got != "200 text/plain;charset=UTF-8 released" {
		t.Error(got)
	}
	testkit.Must(t, testkit.Await(t, "Shutdown", shut))
	if got := ask(t, server, "GET", "/", ""); got != "503 text/plain; charset=utf-8 Service Unavailable\n" {
		t.Error("after the loop's end:", got)
	}
}

func TestHandlerOfAModule(t *testing.T) {
	files := map[string]string{
		"/a.js": `exports.default = { name: 'a', fetch() { return new Response(this.name) } }`,
		"/b.js": `module.exports = { name: 'b', fetch() { return new Response(this.name) } }`,
		"/c.js": `module.exports = () => new Response('c')`,
		"/d.js": `exports.default = () => new Response('d')`,
		"/e.js": `exports.x = 1`,
		"/f.js": `throw new Error('does not load')`,
	}
	read := func(path string) ([]byte, error) {
		if src, ok := files[path]; ok {
			return []byte(src), nil
		}
		return nil, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}
	reported := make(chan error, 1)
	rt := gojaloop.New(testkit.Running(t, eventloop.New()), gojaloop.WithModules(read))
	for path, want := range map[string]string{"/a.js": "a", "/b.js": "b", "/c.js": "c", "/d.js": "d", "/e.js": "", "/f.js": "", "/g.js": "", "nowhere": ""} {
		server := serving(t, rt.Handler(path, gojaloop.HandlerConfig{OnError: func(_ *http.Request, err error) { reported <- err }}))
		got := ask(t, server, "GET", "/", "")
		if want != "" && got != "200 text/plain;charset=UTF-8 "+want || want == "" && !strings.HasPrefix(got, "500 ") {
			t.Errorf("%s: %q", path, got)
		}
		if want == "" && testkit.Await(t, "the report", reported) == nil {
			t.Error(path)
		}
	}
}

// A script answers while the client still sends, and a client that does not send all gets the answer too.
func TestAnswersDoNotWaitForBodies(t *testing.T) {
	both(t, `const server = { async fetch(q) {
		if (q.url.endsWith('/first')) { const { value } = await q.body.getReader().read(); return new Response('' + value.length); }
		if (q.url.endsWith('/reading')) { const r = q.body.getReader(); await r.read(); r.read().catch(() => {}); return new Response('early'); }
		if (q.url.endsWith('/unread')) return new Response(new ReadableStream({ start(c) { c.enqueue(new Uint8Array([97])); c.close() } }));
		return new Response(q.body);
	} };`, gojaloop.HandlerConfig{}, func(t *testing.T, server *httptest.Server) {
		for _, c := range []struct {
			path, body, want string
			again            bool // the connection is kept
		}{
			{"/first", "abcdefghij", "10", true},
			{"/reading", "abc", "early", false},
			{"/echo", "abc", "abc", false},
			{"/unread", "abc", "a", false},
			{"/unread", "abcdefghij", "a", false},
		} {
			conn, err := net.Dial("tcp", server.Listener.Addr().String())
			testkit.Must(t, err)
			defer conn.Close()
			testkit.Must(t, conn.SetReadDeadline(time.Now().Add(2*time.Minute)))
			in := bufio.NewReader(conn)
			for range 2 {
				fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n%s", c.path, c.body)
				resp, err := http.ReadResponse(in, nil)
				if !c.again && err != nil {
					break
				}
				testkit.Must(t, err)
				got := make([]byte, len(c.want))
				if _, err := io.ReadFull(resp.Body, got); err != nil || string(got) != c.want || resp.Close == c.again {
					t.Errorf("%s: %q, %v, close %v", c.path, got, err, resp.Close)
				}
				if !c.again {
					break
				}
			}
		}
	})
}
