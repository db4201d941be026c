package contracts_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/gojaloop"
)

// A redirect is followed by Fetch's rules, to hosts of the list only. asked are the requests that reach the network: method, address,
// and the headers and bodies that must not go to another origin.
func TestRedirectsKeepToTheHostsAndTakeNoSecretsAlong(t *testing.T) {
	const first = "POST http://api.example.com/first auth cookie type body"
	for _, c := range []struct {
		status int
		to     string
		asked  string // after the first request
		ends   string
	}{
		{301, "/next", "GET http://api.example.com/next auth cookie", "200 true"},
		{302, "/next", "GET http://api.example.com/next auth cookie", "200 true"},
		{303, "/next", "GET http://api.example.com/next auth cookie", "200 true"},
		{307, "/next", "POST http://api.example.com/next auth cookie type body", "200 true"},
		{308, "/next", "POST http://api.example.com/next auth cookie type body", "200 true"},
		{301, "http://other.example.com/", "GET http://other.example.com/", "200 true"},
		{302, "//other.example.com/", "GET http://other.example.com/", "200 true"},
		{303, "http://other.example.com/", "GET http://other.example.com/", "200 true"},
		{307, "http://other.example.com/", "POST http://other.example.com/ type body", "200 true"},
		{308, "http://other.example.com/", "POST http://other.example.com/ type body", "200 true"},
		{307, "https://api.example.com/", "POST https://api.example.com/ type body", "200 true"}, // another origin
		{307, "http://api.example.com:80/", "POST http://api.example.com/ auth cookie type body", "200 true"},
		{307, "http://api.example.com:81/", "", "not allowed"},
		{301, "http://evil.org/", "", "not allowed"},
		{302, "//evil.org/", "", "not allowed"},
		{303, "http://evil.org:80", "", "not allowed"},
		{307, "http://api.example.com.evil.org/", "", "not allowed"},
		{308, `/\evil.org/`, "", "not allowed"},
		{302, "http:\\\\evil.org", "", "not allowed"},
		{302, "ht\ttp://evil.org/", "", "refused"},
		{302, "http://127.0.0.1/", "", "not allowed"},
		{302, "http://[::1]/", "", "not allowed"},
		{302, "http://api.example.com@evil.org/", "", "refused"},
		{302, "http://user:secret@other.example.com/", "", "refused"},
		{302, "http://user:secret@api.example.com/next", "GET http://api.example.com/next auth cookie", "200 true"},
		{302, "file:///etc/passwd", "", "refused"},
		{302, "data:text/plain,x", "", "refused"},
		{302, "ftp://api.example.com/", "", "refused"},
		{302, "javascript:1", "", "refused"},
		{302, "http://", "", "refused"},
		{302, "/first", strings.TrimSuffix(strings.Repeat("GET http://api.example.com/first auth cookie\n", 20), "\n"), "refused"}, // for ever
		{300, "http://evil.org/", "", "300 false"},
		{304, "http://evil.org/", "", "304 false"},
		{302, "", "", "302 false"},
	} {
		t.Run(fmt.Sprintf("%d %q", c.status, c.to), func(t *testing.T) {
			var asked []string
			transport := roundTripper(func(req *http.Request) (*http.Response, error) {
				line := req.Method + " " + req.URL.Scheme + "://" + req.URL.Host + req.URL.Path
				for _, secret := range [][2]string{{"Authorization", "auth"}, {"Cookie", "cookie"}, {"Content-Type", "type"}} {
					if req.Header.Get(secret[0]) != "" {
						line += " " + secret[1]
					}
				}
				if req.Body != nil {
					if b, _ := io.ReadAll(req.Body); string(b) == "secret" {
						line += " body"
					}
				}
				if req.URL.User != nil {
					line += " user"
				}
				asked = append(asked, line)
				resp, err := everywhere(req)
				if req.URL.Path == "/first" {
					resp.StatusCode = c.status
					if c.to != "" {
						resp.Header["Location"] = []string{c.to}
					}
				}
				return resp, err
			})
			out, err := run(t, `fetch('http://api.example.com/first', { method: 'POST', body: 'secret', headers: { authorization: 'a', cookie: 'b=c', 'content-type': 'text/x' } })
				.then((r) => console.log(r.status, r.redirected))`,
				gojaloop.WithFetch(&http.Client{Transport: transport}), gojaloop.WithFetchHosts("api.example.com", "other.example.com"))
			ends := strings.TrimSpace(out)
			switch {
			case errors.Is(err, gojaloop.ErrHostNotAllowed):
				ends = "not allowed"
			case err != nil:
				ends = "refused"
			}
			want := first
			if c.asked != "" {
				want += "\n" + c.asked
			}
			if got := strings.Join(asked, "\n"); got != want || ends != c.ends {
				t.Errorf("asked\n%s\nwant\n%s\nended with %q, want %q: %v", got, want, ends, c.ends, err)
			}
		})
	}
}
