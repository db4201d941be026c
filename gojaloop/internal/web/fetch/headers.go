package fetch

import (
	"fmt"
	"net/http"
	"net/textproto"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/gojaloop/internal/web/encoding"
	"golang.org/x/net/http/httpguts"
)

// forbidden are the request headers that Fetch keeps from scripts (Fetch 2.2.2, forbidden request-header), in the
// spelling of [textproto.CanonicalMIMEHeaderKey]. They frame the message, name the host, or carry facts that only a
// user agent knows. Scripts may set Cookie, Origin and Referer as in Node, which has no page and no store of cookies.
var forbidden = []string{
	"Accept-Charset", "Accept-Encoding", "Access-Control-Request-Headers", "Access-Control-Request-Method",
	"Access-Control-Request-Private-Network", "Connection", "Content-Length", "Cookie2", "Date", "Dnt", "Expect", "Host", "Keep-Alive",
	"Set-Cookie", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "Via",
}

var forbiddenPrefixes = []string{"Proxy-", "Sec-"}

// overrides name a method that a server may take for the request's.
var overrides = []string{"X-Http-Method", "X-Http-Method-Override", "X-Method-Override"}

var forbiddenMethods = []string{http.MethodConnect, http.MethodTrace, "TRACK"}

// requestHeader makes the header of a request from a script's list. Package http looks up some headers by their
// canonical names and sends all others verbatim. So only canonical names leave here. The first error refuses the
// request.
func requestHeader(list [][2]string) (http.Header, error) {
	header := make(http.Header)
	for _, h := range list {
		name, value := textproto.CanonicalMIMEHeaderKey(h[0]), encoding.ToLatin1(h[1])
		switch {
		case !httpguts.ValidHeaderFieldName(name):
			return nil, fmt.Errorf("%q is no name for a header", h[0])
		case !validValue(value):
			return nil, fmt.Errorf("the value of the header %s has a line end or a NUL", name)
		case isForbidden(name, value):
			return nil, fmt.Errorf("a script must not set the header %s to %q: it is a forbidden request-header of the Fetch standard", name, h[1])
		}
		header[name] = append(header[name], value)
	}
	return header, nil
}

// validValue reports whether a value is one for Fetch, as script code has it checked already.
func validValue(v string) bool { return !strings.ContainsAny(v, "\x00\r\n") }

func isForbidden(name, value string) bool {
	if slices.ContainsFunc(forbiddenPrefixes, func(p string) bool { return strings.HasPrefix(name, p) }) {
		return true
	}
	if slices.Contains(overrides, name) {
		return slices.ContainsFunc(strings.Split(value, ","), func(m string) bool { return isForbiddenMethod(strings.TrimSpace(m)) })
	}
	return slices.Contains(forbidden, name)
}

// isForbiddenMethod reports whether a method is one that Fetch keeps from scripts (Fetch 2.2.1).
func isForbiddenMethod(m string) bool {
	return slices.ContainsFunc(forbiddenMethods, func(f string) bool { return strings.EqualFold(f, m) })
}

// checkMethod refuses methods that the script code refuses too, because the script may have changed that code's
// basis.
func checkMethod(m string) error {
	if !httpguts.ValidHeaderFieldName(m) || isForbiddenMethod(m) { // both are tokens (RFC 9110, 9.1)
		return fmt.Errorf("%q is no method for fetch", m)
	}
	return nil
}
