package loopview

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/inspect"
)

func TestThePageAndItsFilesAreServedBelowAnyPath(t *testing.T) {
	v := New()
	for path, want := range map[string]string{
		"/": "text/html; charset=utf-8", "/debug/loops/": "text/html; charset=utf-8", "/debug/loops/script.js": "text/javascript; charset=utf-8",
		"/style.css": "text/css; charset=utf-8", "/a/icon.svg": "image/svg+xml", "/state": "application/json", "/x/../trace?seconds=1": "application/json",
	} {
		r := get(v, path)
		if r.Code != http.StatusOK || r.Header().Get("Content-Type") != want || r.Body.Len() == 0 {
			t.Errorf("%s: %d, %q, %d bytes", path, r.Code, r.Header().Get("Content-Type"), r.Body.Len())
		}
	}
	for _, path := range []string{"/page", "/doc.go", "/trace.go", "/debug/loops", "/%2e%2e/state.go"} {
		if r := get(v, path); r.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, r.Code)
		}
	}
}

func TestEveryAnswerHasAStrictPolicy(t *testing.T) {
	v := New()
	for _, path := range []string{"/", "/script.js", "/state", "/nothing", "/trace?seconds=x"} {
		h := get(v, path).Header()
		csp := h.Get("Content-Security-Policy")
		if !strings.HasPrefix(csp, "default-src 'none'; ") || strings.Contains(csp, "unsafe") || strings.Contains(csp, "*") ||
			!strings.Contains(csp, "frame-ancestors 'none'") || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %v", path, h)
		}
	}
}

func TestThePageHasNoScriptOrStyleInline(t *testing.T) {
	page := get(New(), "/").Body.String()
	for _, s := range []string{"<style", "style=", "onclick", "onload", "javascript:", "http:", "https:", "//"} {
		if strings.Contains(page, s) {
			t.Errorf("the page has %q", s)
		}
	}
	script := get(New(), "/script.js").Body.String()
	for _, s := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "http:", "https:"} {
		if strings.Contains(script, s) {
			t.Errorf("the script has %q", s)
		}
	}
}

func TestMethodsThatDoNotReadAreRefused(t *testing.T) {
	v := New()
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE", "get", "X"} {
		for _, path := range []string{"/", "/state", "/trace"} {
			r := httptest.NewRecorder()
			v.ServeHTTP(r, httptest.NewRequest(method, path, nil))
			if r.Code != http.StatusMethodNotAllowed || r.Header().Get("Allow") != "GET, HEAD" {
				t.Errorf("%s %s: %d", method, path, r.Code)
			}
		}
	}
	if v.looking {
		t.Error("a request that is refused counts as somebody who looks")
	}
	server := httptest.NewServer(v)
	defer server.Close()
	r, err := server.Client().Head(server.URL + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if b, _ := io.ReadAll(r.Body); r.StatusCode != http.StatusOK || len(b) > 0 {
		t.Errorf("HEAD: %s, %d bytes", r.Status, len(b))
	}
}

func TestBadParametersOfATraceAreRefused(t *testing.T) {
	for _, s := range []string{"0", "-1", "31", "x", "1.5", "99999999999999999999"} {
		if r := get(New(), "/trace?seconds="+s); r.Code != http.StatusBadRequest {
			t.Errorf("%s: %d", s, r.Code)
		}
	}
}

func TestASinceThatMakesNoSenseIsFromTheBeginning(t *testing.T) {
	for _, s := range []string{"", "x", "-1", "18446744073709551615", "99999999999999999999999"} {
		r := get(New(), "/state?since="+s)
		if !json.Valid(r.Body.Bytes()) {
			t.Errorf("%q: %s", s, r.Body)
		}
	}
}

// A viewer that sends requests and never reads does not delay the loop or other viewers.
func TestAViewerThatDoesNotReadHoldsUpNobody(t *testing.T) {
	l := running(t, inspect.WithMetrics())
	v := New(l)
	server := httptest.NewServer(v)
	defer server.Close()
	for range 3 {
		c, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		w := bufio.NewWriter(c)
		for range 10 {
			_, _ = w.WriteString("GET /script.js HTTP/1.1\r\nHost: x\r\n\r\nGET /state HTTP/1.1\r\nHost: x\r\n\r\n")
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	for range 10 {
		r, err := server.Client().Get(server.URL + "/state")
		if err != nil {
			t.Fatal(err)
		}
		if b, err := io.ReadAll(r.Body); err != nil || !json.Valid(b) {
			t.Errorf("%v: %s", err, b)
		}
		r.Body.Close()
	}
	if err := l.Do(t.Context(), func() {}); err != nil {
		t.Error(err)
	}
}
