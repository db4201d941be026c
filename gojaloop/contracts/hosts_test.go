package contracts_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// everywhere is a network in which every host answers; /to?URL redirects.
var everywhere = roundTripper(func(req *http.Request) (*http.Response, error) {
	resp := &http.Response{StatusCode: 200, ContentLength: -1, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("hello from " + req.URL.Host)), Request: req}
	if to := req.URL.RawQuery; to != "" {
		resp.StatusCode = http.StatusFound
		resp.Header.Set("Location", to)
	}
	return resp, nil
})

func TestFetchReachesTheHostsOfTheListOnly(t *testing.T) {
	hosts := []string{"api.example.com", "other.example.com:8080", "any.example.com:*", "*.sub.example.com", "*.ports.example.com:81", "plain.example.com:80",
		"127.0.0.1", "[::1]:9000", "BÜCHER.example"}
	for address, allowed := range map[string]bool{
		"http://api.example.com/":                            true,
		"https://api.example.com/":                           true,
		"https://API.EXAMPLE.COM:443/":                       true,
		"http://api.example.com:443/":                        false,
		"http://api.example.com:8080/":                       false,
		"http://example.com/":                                false,
		"http://x.api.example.com/":                          false,
		"http://api.example.com.evil.org/":                   false,
		"http://evil.org/@api.example.com":                   false,
		"http://other.example.com:8080/":                     true,
		"http://other.example.com/":                          false,
		"http://any.example.com:1234/":                       true,
		"http://any.example.com/":                            true,
		"http://sub.example.com/":                            false,
		"http://a.sub.example.com/":                          true,
		"http://a.b.sub.example.com/":                        true,
		"http://evilsub.example.com/":                        false,
		"http://a.ports.example.com:81/":                     true,
		"http://a.ports.example.com/":                        false,
		"http://plain.example.com/":                          true,
		"https://plain.example.com/":                         false,
		"http://127.0.0.1/":                                  true,
		"http://0x7f.1/":                                     true, // the same address
		"http://127.0.0.2/":                                  false,
		"http://localhost/":                                  false,
		"http://[::1]:9000/":                                 true,
		"http://[0:0::0:1]:9000/":                            true,
		"http://[::ffff:127.0.0.1]/":                         false,
		"http://xn--bcher-kva.example/":                      true,
		"http://bücher.example/":                             true,
		"http://api.example.com/?http://evil.org/":           false, // redirects
		"http://api.example.com/?http://a.sub.example.com/":  true,
		"http://api.example.com/?http://api.example.com:82/": false,
		"data:,hello%20from%20nobody":                        true,
	} {
		rt := gojaloop.New(eventloop.New(), gojaloop.WithFetch(&http.Client{Transport: everywhere}), gojaloop.WithFetchHosts(hosts...))
		err := rt.Run(t.Context(), fmt.Sprintf(`fetch(%q).then((r) => r.text()).then((s) => { if (!s.startsWith('hello from ')) throw s })`, address))
		if allowed && err != nil || !allowed && !errors.Is(err, gojaloop.ErrHostNotAllowed) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// A header that frames the message differently, or names another host, would make one request be two, or go elsewhere.
func TestNoHeaderOfAScriptGetsAroundTheListOfHosts(t *testing.T) {
	for _, header := range []string{"transfer-encoding", "Content-length", "hOST", "connection", "te", "trailer", "upgrade", "expect", "proxy-authorization"} {
		transport := roundTripper(func(req *http.Request) (*http.Response, error) {
			t.Errorf("%s: a request was sent with %v", header, req.Header)
			return everywhere(req)
		})
		out, err := run(t, `
			fetch('http://api.example.com/', { method: 'POST', headers: { '`+header+`': 'x' }, body: 'b' }).catch((e) => console.log(e.message, e.cause.message.indexOf('forbidden') >= 0))`,
			gojaloop.WithFetch(&http.Client{Transport: transport}), gojaloop.WithFetchHosts("api.example.com"))
		if out != "fetch failed true\n" || err != nil {
			t.Errorf("%s: wrote %q, ended with %v", header, out, err)
		}
	}
}

func TestARedirectToAHostThatIsNotAllowedIsRefusedBeforeItIsAsked(t *testing.T) {
	for to, allowed := range map[string]bool{
		"http://api.example.com/again": true, "//other.example.com/": true, "/\\evil.org/": false,
		"http://evil.org": false, "https:api.example.com": true, "http://API.example.com.": false,
	} {
		asked := ""
		transport := roundTripper(func(req *http.Request) (*http.Response, error) {
			asked += " " + req.URL.Hostname()
			resp, err := everywhere(req)
			if req.URL.Path == "/first" {
				resp.StatusCode = http.StatusTemporaryRedirect
				resp.Header.Set("Location", to)
			}
			return resp, err
		})
		_, err := run(t, `fetch('http://api.example.com/first')`,
			gojaloop.WithFetch(&http.Client{Transport: transport}), gojaloop.WithFetchHosts("api.example.com", "other.example.com"))
		if strings.Contains(asked, "evil") || errors.Is(err, gojaloop.ErrHostNotAllowed) == allowed {
			t.Errorf("%s: asked%s, ended with %v", to, asked, err)
		}
	}
}

func TestScriptIsToldWhichHostIsNotAllowed(t *testing.T) {
	expect(t, `fetch('http://evil.org:81/x').catch((e) => console.log(e.name, e.message, e.cause.name, e.cause.message))`,
		"TypeError fetch failed Error gojaloop: the host is not allowed: evil.org:81\n",
		gojaloop.WithFetch(&http.Client{Transport: everywhere}), gojaloop.WithFetchHosts())
}

func TestErrorsSayWhyFetchFailed(t *testing.T) {
	const script, reason = `fetch('http://evil.org/x')`, "TypeError: fetch failed: gojaloop: the host is not allowed: evil.org"
	options := []gojaloop.Option{gojaloop.WithFetch(&http.Client{Transport: everywhere}), gojaloop.WithFetchHosts()}
	loop := eventloop.New()
	go func() { _ = loop.Run(context.Background()) }()
	_, thrown := gojaloop.New(loop, options...).Eval(t.Context(), script)
	if err := loop.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	uncaught := gojaloop.New(eventloop.New(), options...).Run(t.Context(), script)
	for kind, err := range map[string]error{"thrown": thrown, "uncaught": uncaught} {
		if err == nil || !strings.HasSuffix(err.Error(), reason) || strings.Count(err.Error(), "evil.org") != 1 {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func TestPatternThatIsNoHostPanics(t *testing.T) {
	for _, pattern := range []string{"", "*", "*.*", "a/b", "http://a", "a:x", "a:1:*", "*.127.0.0.1", "a b", "u@a", "a?b", "*.", ":80"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q is accepted", pattern)
				}
			}()
			gojaloop.WithFetchHosts(pattern)
		}()
	}
}

func TestErrorsOfTheClientAreFoundBehindFetchFailed(t *testing.T) {
	failing := &http.Client{Transport: roundTripper(func(*http.Request) (*http.Response, error) { return nil, fmt.Errorf("wrapped: %w", errMade) })}
	err := gojaloop.New(eventloop.New(), gojaloop.WithFetch(failing)).Run(t.Context(), `fetch('http://example.com/')`)
	var uncaught *gojaloop.UncaughtError
	if !errors.Is(err, errMade) || !errors.As(err, &uncaught) || !strings.Contains(uncaught.Detail, "wrapped: made by the test") {
		t.Error(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "10")
		_, _ = io.WriteString(w, "short")
	}))
	defer server.Close()
	err = gojaloop.New(eventloop.New(), gojaloop.WithFetch(server.Client())).Run(t.Context(), fmt.Sprintf(`
		(async () => { const r = await fetch(%q); try { await r.text() } catch (e) { throw new Error('no text', { cause: e }) } })()`, server.URL))
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("for a body: %v", err)
	}
}
