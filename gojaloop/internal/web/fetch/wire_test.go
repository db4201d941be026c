package fetch

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// send returns the bytes that a request with these headers puts on the wire, or why it is refused.
func send(tb testing.TB, method, body string, headers ...[2]string) (string, error) {
	tb.Helper()
	var wire bytes.Buffer
	client := http.Client{Transport: &http.Transport{
		DisableKeepAlives:  true,
		DisableCompression: true,
		DialContext:        func(context.Context, string, string) (net.Conn, error) { return answering(&wire), nil },
	}}
	x := &exchange{ctx: tb.Context(), client: client, method: method, url: "http://api.example/path", redirect: "follow"}
	if body != "" {
		x.body = []byte(body)
	}
	resp, err := x.do(headers)
	if err != nil {
		return wire.String(), err
	}
	_ = resp.Body.Close()
	return wire.String(), nil
}

// answering is a connection to a server that reads one request, copies its bytes to wire, and answers.
func answering(wire *bytes.Buffer) net.Conn {
	near, far := net.Pipe()
	go func() {
		defer far.Close()
		r := bufio.NewReader(io.TeeReader(far, wire))
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, req.Body)
		_, _ = io.WriteString(far, "HTTP/1.1 204 No Content\r\n\r\n")
	}()
	return near
}

// The names that scripts may not use reach no wire in any spelling: a server must not read a second request out of one.
func TestNoSpellingOfAForbiddenHeaderReachesTheWire(t *testing.T) {
	spellings := func(name string) []string {
		mixed := []byte(strings.ToLower(name))
		for i := 0; i < len(mixed); i += 2 {
			mixed[i] = strings.ToUpper(name)[i]
		}
		return []string{name, strings.ToLower(name), strings.ToUpper(name), string(mixed)}
	}
	names := append([]string{"Proxy-Connection", "Proxy-Authorization", "Sec-Fetch-Site", "Sec-"}, forbidden...)
	for _, name := range names {
		for _, spelt := range spellings(name) {
			wire, err := send(t, "POST", "GET /admin HTTP/1.1\r\nHost: internal\r\n\r\n", [2]string{spelt, "chunked"})
			if err == nil || wire != "" || !strings.Contains(err.Error(), "forbidden") {
				t.Errorf("%s: sent %q, error %v", spelt, wire, err)
			}
		}
	}
}

func TestNoHeaderChangesTheFrameOfTheRequest(t *testing.T) {
	for _, c := range []struct {
		method, body string
		headers      [][2]string
		want         string // empty for a refusal
	}{
		{"GET", "", nil, "GET /path HTTP/1.1\r\nHost: api.example\r\nUser-Agent: gojaloop\r\nAccept: */*\r\nAccept-Language: *\r\nConnection: close\r\n\r\n"},
		{"POST", "ab", [][2]string{{"x-a", "1"}, {"X-A", "2"}}, "POST /path HTTP/1.1\r\nHost: api.example\r\nUser-Agent: gojaloop\r\nContent-Length: 2\r\n" +
			"Accept: */*\r\nAccept-Language: *\r\nX-A: 1\r\nX-A: 2\r\nConnection: close\r\n\r\nab"},
		{"GET", "", [][2]string{{"user-AGENT", "mine"}, {"aCCEPT", "x/y"}}, "GET /path HTTP/1.1\r\nHost: api.example\r\nUser-Agent: mine\r\nAccept: x/y\r\nAccept-Language: *\r\nConnection: close\r\n\r\n"},
		{"GET", "", [][2]string{{"cookie", "a=1"}, {"origin", "http://o"}, {"referer", "http://r/"}}, "GET /path HTTP/1.1\r\nHost: api.example\r\nUser-Agent: gojaloop\r\n" +
			"Accept: */*\r\nAccept-Language: *\r\nCookie: a=1\r\nOrigin: http://o\r\nReferer: http://r/\r\nConnection: close\r\n\r\n"},
		{"GET", "", [][2]string{{"x-http-method-override", "PUT"}}, "GET /path HTTP/1.1\r\nHost: api.example\r\nUser-Agent: gojaloop\r\nAccept: */*\r\nAccept-Language: *\r\nX-Http-Method-Override: PUT\r\nConnection: close\r\n\r\n"},
		{"GET", "", [][2]string{{"x-http-method-override", "PUT, trace"}}, ""},
		{"GET", "", [][2]string{{"X-HTTP-Method", "TRACK"}}, ""},
		{"GET", "", [][2]string{{"x-method-override", "connect"}}, ""},
		{"GET", "", [][2]string{{"transfer-encoding ", "chunked"}}, ""},
		{"GET", "", [][2]string{{" transfer-encoding", "chunked"}}, ""},
		{"GET", "", [][2]string{{"a\r\ntransfer-encoding", "chunked"}}, ""},
		{"GET", "", [][2]string{{"a: b\r\nhost", "internal"}}, ""},
		{"GET", "", [][2]string{{"a", "b\r\nhost: internal"}}, ""},
		{"GET", "", [][2]string{{"a", "b\nhost: internal"}}, ""},
		{"GET", "", [][2]string{{"ﬀ", "b"}}, ""},
		{"GET", "", [][2]string{{"tran\u017ffer-encoding", "chunked"}}, ""}, // ſ, which is s in capitals
		{"GET", "", [][2]string{{"", "b"}}, ""},
		{"CONNECT", "", nil, ""},
		{"trace", "", nil, ""},
		{"GET /admin HTTP/1.1\r\nHost: internal\r\n\r\nGET", "", nil, ""},
		{"GET ", "", nil, ""},
	} {
		wire, err := send(t, c.method, c.body, c.headers...)
		if wire != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s %q: sent\n%s\nerror %v, want\n%s", c.method, c.headers, wire, err, c.want)
		}
	}
}

func FuzzHeadersLeaveOneRequestOnTheWire(f *testing.F) {
	f.Add("POST", "body", "transfer-encoding", "chunked", "content-length", "0")
	f.Add("GET", "", "a: b\r\nc", "d\r\n\r\nGET / HTTP/1.1", "host", "internal")
	f.Add("PUT", "x", "Connection", "keep-alive, x-a", "x-a", "\x80\xff")
	f.Fuzz(func(t *testing.T, method, body, name1, value1, name2, value2 string) {
		if body != "" && (method == "GET" || method == "HEAD") {
			return // the class Request refuses it
		}
		wire, err := send(t, method, body, [2]string{name1, value1}, [2]string{name2, value2})
		if err != nil {
			if wire != "" {
				t.Fatalf("refused with %v, and sent %q", err, wire)
			}
			return
		}
		r := bufio.NewReader(strings.NewReader(wire))
		req, err := http.ReadRequest(r)
		if err != nil {
			t.Fatalf("%q is no request: %v", wire, err)
		}
		got, err := io.ReadAll(req.Body)
		left, _ := io.ReadAll(r)
		if err != nil || string(got) != body || len(left) > 0 || req.Host != "api.example" || len(req.TransferEncoding) > 0 || req.Method != method {
			t.Fatalf("%q: method %q, host %q, encoding %q, body %q, left %q, error %v", wire, req.Method, req.Host, req.TransferEncoding, got, left, err)
		}
		head, _, _ := strings.Cut(wire, "\r\n\r\n")
		for _, line := range strings.Split(head, "\r\n")[1:] {
			name, _, _ := strings.Cut(line, ":")
			if strings.ContainsAny(line, "\r\n\x00") || name != http.CanonicalHeaderKey(name) {
				t.Fatalf("the line %q is on the wire", line)
			}
		}
		if n := strings.Count(strings.ToLower(head), "\r\nhost:"); n != 1 {
			t.Fatalf("%d lines name a host: %q", n, wire)
		}
		if n := strings.Count(strings.ToLower(head), "\r\ncontent-length:"); n > 1 {
			t.Fatal(fmt.Sprint(n, " lines give a length: ", wire))
		}
	})
}
