package gojaloop

import (
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"
	"github.com/nlnwa/whatwg-url/url"
)

// urlNatives are what lib/url.js and lib/urlsearchparams.js build on.
func (rt *Runtime) urlNatives(o *goja.Object) {
	// parseURL is the URL parser (URL 4.4): a record for getURL and setURL, or null.
	rt.set(o, "parseURL", func(call goja.FunctionCall) goja.Value {
		var base *url.Url
		if b := call.Argument(1); !goja.IsUndefined(b) {
			var err error
			if base, err = parseURL(b.String(), nil); err != nil {
				return goja.Null()
			}
		}
		u, err := parseURL(call.Argument(0).String(), base)
		if err != nil {
			return goja.Null()
		}
		return rt.vm.ToValue(&urlRecord{u})
	})
	rt.set(o, "getURL", func(call goja.FunctionCall) goja.Value {
		u, _ := hostValue[*urlRecord](call.Argument(0))
		return rt.vm.ToValue(u.get(call.Argument(1).String()))
	})
	rt.set(o, "setURL", func(call goja.FunctionCall) goja.Value {
		u, _ := hostValue[*urlRecord](call.Argument(0))
		u.set(call.Argument(1).String(), call.Argument(2).String())
		return goja.Undefined()
	})
	rt.set(o, "percentDecode", func(call goja.FunctionCall) goja.Value {
		return rt.vm.ToValue(decodeText("utf-8", []byte(percentDecode(call.Argument(0).String())), true, 0).text)
	})
	rt.set(o, "percentDecodeBytes", func(call goja.FunctionCall) goja.Value {
		return rt.vm.ToValue(rt.vm.NewArrayBuffer([]byte(percentDecode(call.Argument(0).String()))))
	})
	rt.set(o, "formEncode", func(call goja.FunctionCall) goja.Value {
		return rt.vm.ToValue(formEncode(call.Argument(0).String()))
	})
	rt.set(o, "wellFormed", func(call goja.FunctionCall) goja.Value {
		return rt.vm.ToValue(call.Argument(0).String()) // Go's strings have no lone surrogates
	})
}

// A urlRecord is the parsed URL that an object of class URL holds.
type urlRecord struct{ u *url.Url }

// urlParser has what the standard has changed since the library's last release: a circumflex is percent-encoded in paths.
var urlParser = url.NewParser(url.WithPathPercentEncodeSet(url.PathPercentEncodeSet.Set('^')))

// parseURL is the URL parser. Another change is made here: a space at the end of an opaque path, before a query or a
// fragment, is percent-encoded.
func parseURL(s string, base *url.Url) (u *url.Url, err error) {
	if base == nil {
		u, err = urlParser.Parse(s)
	} else {
		u, err = base.Parse(s)
	}
	if err != nil {
		return nil, err
	}
	if path := u.Pathname(); strings.HasSuffix(path, " ") {
		before, after, _ := strings.Cut(u.Href(false), path)
		return urlParser.Parse(before + strings.TrimSuffix(path, " ") + "%20" + after)
	}
	return u, nil
}

func (r *urlRecord) get(part string) string {
	u := r.u
	switch part {
	case "href":
		return u.Href(false)
	case "origin":
		return origin(u)
	case "protocol":
		return u.Protocol()
	case "username":
		return u.Username()
	case "password":
		return u.Password()
	case "host":
		return u.Host()
	case "hostname":
		return u.Hostname()
	case "port":
		return u.Port()
	case "pathname":
		return u.Pathname()
	case "search":
		return u.Search()
	case "hash":
		return u.Hash()
	}
	return ""
}

func (r *urlRecord) set(part, v string) {
	u := r.u
	switch part {
	case "protocol":
		u.SetProtocol(v)
	case "username":
		u.SetUsername(v)
	case "password":
		u.SetPassword(v)
	case "host":
		u.SetHost(v)
	case "hostname":
		u.SetHostname(v)
	case "port":
		u.SetPort(v)
	case "pathname":
		u.SetPathname(v)
	case "search":
		u.SetSearch(v)
	case "hash":
		u.SetHash(v)
	}
}

// origin is the serialization of an origin (URL 4.7, HTML 7.1.1).
func origin(u *url.Url) string {
	switch u.Scheme() {
	case "blob":
		inner, err := parseURL(u.Pathname(), nil)
		if err != nil || inner.Scheme() != "http" && inner.Scheme() != "https" {
			return "null"
		}
		return origin(inner)
	case "http", "https", "ftp", "ws", "wss":
		return u.Protocol() + "//" + u.Host()
	}
	return "null"
}

func percentDecode(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			high, ok := unhex(s[i+1])
			low, ok2 := unhex(s[i+2])
			if ok && ok2 {
				b.WriteByte(high<<4 | low)
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func unhex(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

const upperHex = "0123456789ABCDEF"

// formEncode percent-encodes with the application/x-www-form-urlencoded percent-encode set, and spaces as plus.
func formEncode(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := range len(s) {
		switch c := s[i]; {
		case c == ' ':
			b.WriteByte('+')
		case c < utf8.RuneSelf && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("*-._", c) >= 0):
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(upperHex[c>>4])
			b.WriteByte(upperHex[c&15])
		}
	}
	return b.String()
}
