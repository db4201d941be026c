package fetch

import (
	"errors"
	"fmt"
	"strings"

	weburl "github.com/eventloop-go/eventloop/gojaloop/internal/web/url"
	"github.com/nlnwa/whatwg-url/url"
)

// ErrHostNotAllowed is gojaloop's.
var ErrHostNotAllowed = errors.New("gojaloop: the host is not allowed")

// NewHosts makes a list of patterns. It panics on an invalid one.
func NewHosts(patterns []string) *Hosts {
	list := &Hosts{}
	for _, p := range patterns {
		list.patterns = append(list.patterns, mustParseHost(p))
	}
	return list
}

// Hosts are the hosts that fetch may reach; nil allows everything.
type Hosts struct{ patterns []hostPattern }

type hostPattern struct {
	host string // as the URL Standard writes it
	sub  bool   // its sub-domains, and not itself
	port string // "" for the scheme's, "*" for any
}

func mustParseHost(pattern string) hostPattern {
	p := hostPattern{}
	name, any := strings.CutSuffix(pattern, ":*")
	name, p.sub = strings.CutPrefix(name, "*.")
	u, err := weburl.Parse("http://"+name, nil)
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
func (l *Hosts) check(u *url.Url) error {
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
