package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	neturl "net/url"
	"slices"
	"strings"

	weburl "github.com/eventloop-go/eventloop/gojaloop/internal/web/url"
)

// An exchange is one call of fetch: requests, until the answer is not a redirect to follow (HTTP fetch and
// HTTP-redirect fetch, Fetch 4.4 and 4.5). After it has begun, only its goroutine touches it, until that is done.
type exchange struct {
	ctx        context.Context
	client     http.Client
	hosts      *Hosts // that may be asked
	method     string
	url        string      // as the URL Standard serializes it; at the end, of the answer
	header     http.Header // with canonical names only: see requestHeader
	body       []byte      // nil for a request without a body
	stream     io.Reader   // a body that can be sent once
	redirect   string      // follow, error or manual
	referrer   string      // as Request has it
	policy     string      // of the referrer
	redirected bool
}

// maxRedirects is how many redirects a request follows (Fetch 4.5).
const maxRedirects = 20

var redirectStatuses = []int{301, 302, 303, 307, 308}

// headersOfBody leave a request together with its body (Fetch, request-body-header name). Content-Length is package http's.
var headersOfBody = []string{"Content-Encoding", "Content-Language", "Content-Location", "Content-Type"}

// setHeaders takes the script's headers. Headers that fetch adds are Fetch's.
func (x *exchange) setHeaders(list [][2]string) (err error) {
	if x.header, err = requestHeader(list); err != nil {
		return err
	}
	for _, h := range [][2]string{{"Accept", "*/*"}, {"Accept-Language", "*"}, {"User-Agent", "gojaloop"}} {
		if !x.hasHeader(h[0]) {
			x.header.Set(h[0], h[1])
		}
	}
	return nil
}

func (x *exchange) hasHeader(name string) bool { return len(x.header[name]) > 0 }

func (x *exchange) deleteHeaders(names ...string) {
	for _, name := range names {
		delete(x.header, name)
	}
}

// do makes the requests, with the script's headers.
func (x *exchange) do(headers [][2]string) (*http.Response, error) {
	if err := errors.Join(checkMethod(x.method), x.setHeaders(headers)); err != nil {
		return nil, err
	}
	ask := x.client.CheckRedirect
	x.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	var via []*http.Request
	req, err := x.request()
	if err != nil {
		return nil, err
	}
	for {
		resp, err := x.client.Do(req)
		if failed := (*neturl.Error)(nil); errors.As(err, &failed) {
			return nil, failed.Err
		}
		if err != nil {
			return nil, err
		}
		redirect := slices.Contains(redirectStatuses, resp.StatusCode)
		if redirect && x.redirect == "error" {
			_ = resp.Body.Close()
			return nil, errors.New("unexpected redirect")
		}
		if !redirect || x.redirect == "manual" || len(resp.Header["Location"]) == 0 {
			return resp, nil
		}
		via = append(via, req)
		before := x.url
		req, err = x.next(resp, len(via))
		if err == nil && ask != nil {
			err = ask(req, via)
		}
		if errors.Is(err, http.ErrUseLastResponse) {
			x.url = before
			return resp, nil
		}
		_ = resp.Body.Close()
		if err != nil {
			return nil, err
		}
		x.redirected = true
	}
}

// next changes the exchange as the redirect asks, and makes the next request.
func (x *exchange) next(resp *http.Response, count int) (*http.Request, error) {
	base, err := weburl.Parse(x.url, nil)
	if err != nil {
		return nil, err
	}
	to, err := weburl.Parse(resp.Header.Get("Location"), base)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the location of a redirect is not valid: %w", err)
	case to.Scheme() != "http" && to.Scheme() != "https":
		return nil, errors.New("URL scheme must be a HTTP(S) scheme")
	case count > maxRedirects:
		return nil, errors.New("redirect count exceeded")
	case weburl.Origin(to) != weburl.Origin(base) && (to.Username() != "" || to.Password() != ""):
		return nil, errors.New("cross origin not allowed for request mode \"cors\"")
	case resp.StatusCode != 303 && x.stream != nil:
		return nil, errors.New("a stream cannot be sent again")
	}
	seeOther := resp.StatusCode == 303 && x.method != http.MethodGet && x.method != http.MethodHead
	if seeOther || (resp.StatusCode == 301 || resp.StatusCode == 302) && x.method == http.MethodPost {
		x.method, x.body, x.stream = http.MethodGet, nil, nil
		x.deleteHeaders(headersOfBody...)
	}
	if weburl.Origin(to) != weburl.Origin(base) {
		x.deleteHeaders("Authorization", "Cookie") // no other header that Fetch or Node removes gets here
	}
	x.url = to.Href(true)
	return x.request()
}

// request makes the next request of the exchange.
func (x *exchange) request() (*http.Request, error) {
	var body io.Reader
	switch {
	case x.stream != nil:
		body = x.stream
	case x.body != nil:
		body = bytes.NewReader(x.body)
	}
	u, err := weburl.Parse(x.url, nil)
	if err != nil {
		return nil, err
	}
	if err := x.hosts.check(u); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(x.ctx, x.method, u.Protocol()+"//"+u.Host()+"/", body)
	if err != nil {
		return nil, err
	}
	req.URL.Path, _ = neturl.PathUnescape(u.Pathname())
	if req.URL.Path == "" {
		req.URL.Path = u.Pathname()
	}
	req.URL.RawPath = u.Pathname()
	if req.URL.EscapedPath() != u.Pathname() { // which package url would change
		req.URL.Opaque = u.Pathname()
		if strings.HasPrefix(req.URL.Opaque, "//") {
			req.URL.Opaque = "//" + u.Host() + u.Pathname()
		}
	}
	req.URL.RawQuery = strings.TrimPrefix(u.Search(), "?")
	req.URL.ForceQuery = req.URL.RawQuery == "" && strings.HasSuffix(x.url, "?")
	req.Header = x.header.Clone()
	if from := referrer(x.referrer, x.policy, u); from != "" && !x.hasHeader("Referer") {
		req.Header.Set("Referer", from)
	}
	return req, nil
}
