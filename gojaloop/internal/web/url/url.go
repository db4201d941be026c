// Package url is URL and URLSearchParams (URL).
package url

import (
	"strings"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
	"github.com/eventloop-go/eventloop/gojaloop/internal/web/encoding"
	"github.com/nlnwa/whatwg-url/url"
)

// Define defines the natives of these scripts.
func Define(e engine.Engine) {
	// parseURL is the URL parser (URL 4.4): a record for getURL and setURL, or null.
	e.Define("parseURL", func(a engine.Args) any {
		var base *url.Url
		if a.Defined(1) {
			var err error
			if base, err = Parse(a.Text(1), nil); err != nil {
				return engine.Null{}
			}
		}
		u, err := Parse(a.Text(0), base)
		if err != nil {
			return engine.Null{}
		}
		return engine.Held{Value: &record{u}}
	})
	e.Define("getURL", func(a engine.Args) any {
		r, _ := engine.HeldBy[*record](a, 0)
		return r.get(a.Text(1))
	})
	e.Define("setURL", func(a engine.Args) any {
		r, _ := engine.HeldBy[*record](a, 0)
		r.set(a.Text(1), a.Text(2))
		return nil
	})
	e.Define("percentDecode", func(a engine.Args) any {
		return encoding.Decode("utf-8", []byte(percentDecode(a.Text(0))), true, 0).Text
	})
	e.Define("percentDecodeBytes", func(a engine.Args) any { return engine.Bytes(percentDecode(a.Text(0))) })
	e.Define("formEncode", func(a engine.Args) any { return formEncode(a.Text(0)) })
}

// A record is the parsed URL that an object of class URL holds.
type record struct{ u *url.Url }

// parser has the changes of the standard since the library's last release: a circumflex is percent-encoded in paths.
var parser = url.NewParser(url.WithPathPercentEncodeSet(url.PathPercentEncodeSet.Set('^')))

// Parse is the URL parser. Another change is made here: a space at the end of an opaque path, before a query or a
// fragment, is percent-encoded.
func Parse(s string, base *url.Url) (u *url.Url, err error) {
	if base == nil {
		u, err = parser.Parse(s)
	} else {
		u, err = base.Parse(s)
	}
	if err != nil {
		return nil, err
	}
	if path := u.Pathname(); strings.HasSuffix(path, " ") {
		before, after, _ := strings.Cut(u.Href(false), path)
		return parser.Parse(before + strings.TrimSuffix(path, " ") + "%20" + after)
	}
	return u, nil
}

func (r *record) get(part string) string {
	u := r.u
	switch part {
	case "href":
		return u.Href(false)
	case "origin":
		return Origin(u)
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

func (r *record) set(part, v string) {
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

// Origin is the serialization of an origin (URL 4.7, HTML 7.1.1).
func Origin(u *url.Url) string {
	switch u.Scheme() {
	case "blob":
		inner, err := Parse(u.Pathname(), nil)
		if err != nil || inner.Scheme() != "http" && inner.Scheme() != "https" {
			return "null"
		}
		return Origin(inner)
	case "http", "https", "ftp", "ws", "wss":
		return u.Protocol() + "//" + u.Host()
	}
	return "null"
}
