package contracts_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// listening runs a script as a program that may listen. visit gets the address that the script has said with ready, and makes
// requests. The program must end by itself after that.
func listening(t *testing.T, script, want string, visit func(base string)) {
	t.Helper()
	var out bytes.Buffer
	ready := make(chan string, 1)
	listen := gojaloop.WithListen(func(ctx context.Context, network, address string) (net.Listener, error) {
		if !strings.HasPrefix(address, "127.0.0.1:") {
			return nil, fmt.Errorf("the address %s is not allowed", address)
		}
		return new(net.ListenConfig).Listen(ctx, network, address)
	}, gojaloop.HandlerConfig{MaxBody: 1000, OnError: func(_ *http.Request, err error) { t.Error(err) }})
	rt := gojaloop.New(eventloop.New(), gojaloop.WithOutput(&out, &out), gojaloop.WithModules(nil), listen)
	ended := make(chan error, 1)
	go func() {
		ended <- rt.RunMain(testkit.Bounded(t), func(vm *goja.Runtime) error {
			_ = vm.Set("ready", func(port int) { ready <- fmt.Sprintf("http://127.0.0.1:%d", port) })
			_, err := vm.RunString(script)
			return err
		})
	}()
	if visit != nil {
		visit(testkit.Await(t, "the server", ready))
	}
	if err := testkit.Await(t, "the end of the program", ended); err != nil || out.String() != want {
		t.Errorf("%s\nwrote %q, ended with %v; want %q", script, out.String(), err, want)
	}
}

// send makes a request on a connection of its own, or on one of client, and describes the answer.
func send(t *testing.T, client *http.Client, method, url, body string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(testkit.Bounded(t), method, url, strings.NewReader(body))
	testkit.Must(t, err)
	resp, err := client.Do(req)
	if err != nil {
		return "no answer"
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	return fmt.Sprint(resp.StatusCode, " ", string(got), " ", err)
}

func client(t *testing.T) *http.Client {
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func TestScriptServes(t *testing.T) {
	c := client(t)
	listening(t, `
		const server = serve({ port: 0, hostname: '127.0.0.1', onListen: (a) => console.log(a.hostname), onError: (e) => new Response(e.message, { status: 500 }) }, async (q) => {
			if (q.url.endsWith('/end')) setImmediate(() => server.shutdown());
			if (q.url.endsWith('/bad')) throw new Error('mine');
			return new Response(q.method + await q.text());
		});
		server.finished.then(() => console.log('finished'));
		ready(server.addr.port);`, "127.0.0.1\nfinished\n", func(base string) {
		for path, want := range map[string]string{"/": "200 POSTx <nil>", "/bad": "500 mine <nil>"} {
			if got := send(t, c, "POST", base+path, "x"); got != want {
				t.Errorf("%s: %q, want %q", path, got, want)
			}
		}
		if got := send(t, c, "PUT", base+"/end", ""); got != "200 PUT <nil>" {
			t.Error(got)
		}
	})
}

func TestServersAreThereOnlyIfTheEmbedderAllows(t *testing.T) {
	expect(t, `console.log(typeof serve); require('http').createServer().on('error', (e) => console.log(e.code)).listen(0)`, "undefined\nERR_ACCESS_DENIED\n", gojaloop.WithModules(nil))
	listening(t, `
		try { serve({ hostname: '127.0.0.2' }, () => {}) } catch (e) { console.log(e.message) }
		require('http').createServer().on('error', (e) => console.log(e.message)).listen(80, '0.0.0.0');
		try { serve({}) } catch (e) { console.log(e.code) }
		const s = serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('x') }); s.unref();`,
		"the address 127.0.0.2:8000 is not allowed\nERR_INVALID_ARG_TYPE\nthe address 0.0.0.0:80 is not allowed\n", nil)
}

func TestNodesServerServes(t *testing.T) {
	c := client(t)
	listening(t, `
		const http = require('http'), say = console.log;
		const server = http.createServer((req, res) => {
			let body = '';
			req.setEncoding('utf8').on('data', (s) => { body += s; }).on('error', (e) => { res.statusCode = 413; res.end(e.message); }).on('end', () => {
				switch (req.url) {
					case '/head': res.writeHead(201, { 'X-A': ['b', 'c'] }); say(res.headersSent); try { res.setHeader('x', 'y') } catch (e) { say(e.code) } return res.end('x');
					case '/parts': res.write('one '); return setTimeout(() => { res.write('two '); res.end('three') }, 1);
					case '/none': res.statusCode = 204; return res.end();
					case '/pipe': return require('stream').Readable.from(['a', 'b']).pipe(res);
					case '/end': res.end('bye'); server.close(() => say('closed', server.listening)); return;
				}
				res.on('finish', () => say('finish')).on('close', () => say('close'));
				res.end([req.method, req.url, req.httpVersion, req.headers['x-y'], body, req.complete, req.socket.remoteAddress].join());
			});
		});
		server.on('listening', () => ready(server.address().port)).listen({ port: 0, host: '127.0.0.1' });`,
		"finish\nclose\ntrue\nERR_HTTP_HEADERS_SENT\nclosed false\n", func(base string) {
			for _, q := range []struct{ path, body, want string }{
				{"/a?b", "body", "200 POST,/a?b,1.1,,body,true,127.0.0.1 <nil>"},
				{"/head", "", "201 x <nil>"},
				{"/parts", "", "200 one two three <nil>"},
				{"/none", "", "204  <nil>"},
				{"/pipe", "", "200 ab <nil>"},
				{"/end", "", "200 bye <nil>"},
			} {
				if got := send(t, c, "POST", base+q.path, q.body); got != q.want {
					t.Errorf("%s: %q, want %q", q.path, got, q.want)
				}
			}
		})
}

func TestExceptionInAListenerOfNodesServerEndsTheProgram(t *testing.T) {
	var out bytes.Buffer
	ready := make(chan int, 1)
	listen := gojaloop.WithListen(new(net.ListenConfig).Listen, gojaloop.HandlerConfig{OnError: func(*http.Request, error) {}})
	rt := gojaloop.New(eventloop.New(), gojaloop.WithOutput(&out, &out), gojaloop.WithModules(nil), listen)
	ended := make(chan error, 1)
	go func() {
		ended <- rt.RunMain(testkit.Bounded(t), func(vm *goja.Runtime) error {
			_ = vm.Set("ready", func(port int) { ready <- port })
			_, err := vm.RunString(`const s = require('http').createServer(() => { throw new TypeError('not caught') }).listen(0, '127.0.0.1', () => ready(s.address().port))`)
			return err
		})
	}()
	got := send(t, client(t), "GET", fmt.Sprintf("http://127.0.0.1:%d/", testkit.Await(t, "the server", ready)), "")
	if got != "no answer" && !strings.HasPrefix(got, "503 ") {
		t.Errorf("the client got %q", got)
	}
	uncaught := (*gojaloop.UncaughtError)(nil)
	if err := testkit.Await(t, "the end", ended); !errors.As(err, &uncaught) || uncaught.Message != "TypeError: not caught" {
		t.Error(err)
	}
}

// A loop that shuts down answers the requests that it has, and the program ends.
func TestServersEndWithTheLoop(t *testing.T) {
	up, began, _, release := upstream(t)
	loop := eventloop.New()
	ready := make(chan int, 1)
	listen := gojaloop.WithListen(new(net.ListenConfig).Listen, gojaloop.HandlerConfig{})
	rt := gojaloop.New(loop, gojaloop.WithFetch(up.Client()), listen)
	ended := make(chan error, 1)
	go func() {
		ended <- rt.RunMain(testkit.Bounded(t), func(vm *goja.Runtime) error {
			_ = vm.Set("ready", func(port int) { ready <- port })
			_, err := vm.RunString(fmt.Sprintf(`ready(serve({ port: 0, hostname: '127.0.0.1' }, async () => new Response(await (await fetch(%q)).text())).addr.port)`, up.URL))
			return err
		})
	}()
	url := fmt.Sprintf("http://127.0.0.1:%d/", testkit.Await(t, "the server", ready))
	c, answer := client(t), make(chan string, 1)
	go func() { answer <- send(t, c, "GET", url, "") }()
	testkit.Await(t, "the request", began)
	testkit.Must(t, loop.Submit(func() { _ = loop.Shutdown(testkit.Ended()) }))
	for loop.Submit(func() {}) == nil { // until the shutdown has begun
		time.Sleep(time.Millisecond)
	}
	close(release)
	if got := testkit.Await(t, "the answer", answer); got != "200 released <nil>" {
		t.Error(got)
	}
	c.CloseIdleConnections()
	if err := testkit.Await(t, "the end of the program", ended); !errors.Is(err, eventloop.ErrLoopTerminated) && err != nil {
		t.Error(err)
	}
	if got := send(t, c, "GET", url, ""); got != "no answer" {
		t.Error("after the end:", got)
	}
}
