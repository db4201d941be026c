package gojaloop

import (
	"errors"
	"fmt"
	"strings"

	"github.com/nlnwa/whatwg-url/url"
)

// ErrHostNotAllowed says that a script has asked for a host that is not among those of [WithFetchHosts].
var ErrHostNotAllowed = errors.New("gojaloop: the host is not allowed")

// WithFetchHosts limits fetch to these hosts. Redirects are checked as requests are. A pattern is one of
//
//	api.example.com          this host, at the port of the scheme: 80 for http and 443 for https
//	api.example.com:8080     this host, at this port
//	api.example.com:*        this host, at any port
//	*.example.com            every sub-domain of example.com, at any depth, but not example.com; with ports as above
//	192.0.2.1, [2001:db8::1] this address; a name that leads to it is something else
//
// Hosts are compared as the URL Standard writes them: in small letters, with international names in Punycode, and addresses in
// one form. A request for another host rejects, with a cause that matches [ErrHostNotAllowed] and tells the host.
//
// Names are checked, and not the addresses that they lead to. Where names are not to be trusted, let the client's transport
// refuse addresses. Without a pattern no host is allowed. WithFetchHosts panics if a pattern is none of these.
func WithFetchHosts(patterns ...string) Option {
	list := &hostList{}
	for _, p := range patterns {
		list.patterns = append(list.patterns, mustParseHost(p))
	}
	return func(o *options) { o.hosts = list }
}

// A hostList is what fetch may reach; nil allows everything.
type hostList struct{ patterns []hostPattern }

type hostPattern struct {
	host string // as the URL Standard writes it
	sub  bool   // its sub-domains, and not itself
	port string // "" for the scheme's, "*" for any
}

func mustParseHost(pattern string) hostPattern {
	p := hostPattern{}
	name, any := strings.CutSuffix(pattern, ":*")
	name, p.sub = strings.CutPrefix(name, "*.")
	u, err := parseURL("http://"+name, nil)
	if err != nil || name == "" || strings.ContainsAny(name, "*/?#@\\") || any && u.Port() != "" || p.sub && isAddress(u) {
		panic(fmt.Sprintf("gojaloop: %q is no pattern for a host: see WithFetchHosts", pattern))
	}
	p.host = u.Hostname()
	switch {
	case any:
		p.port = "*"
	case strings.HasSuffix(name, ":80"): // which a URL leaves out
		p.port = "80"
	default:
		p.port = u.Port()
	}
	return p
}

func isAddress(u *url.Url) bool { return u.IsIPv4() || u.IsIPv6() }

// check reports whether a URL may be asked for.
func (l *hostList) check(u *url.Url) error {
	if l == nil {
		return nil
	}
	host, port := u.Hostname(), u.Port()
	own := map[string]string{"http": "80", "https": "443"}[u.Scheme()]
	if port == "" {
		port = own
	}
	for _, p := range l.patterns {
		right := p.port == "*" || p.port == port || p.port == "" && port == own
		if right && (!p.sub && p.host == host || p.sub && !isAddress(u) && strings.HasSuffix(host, "."+p.host)) {
			return nil
		}
	}
	return fmt.Errorf("%w: %s", ErrHostNotAllowed, u.Host())
}
