package gojaloop

import (
	"net/http"

	"github.com/eventloop-go/eventloop/gojaloop/internal/web/fetch"
)

// WithFetch gives scripts fetch, Headers, Request, Response, Blob, File and FormData, through an HTTP client, which decides
// what they may reach: by its Transport, which sees every request, and by its CheckRedirect, which is asked before each
// redirect is followed; [WithFetchHosts] limits the hosts. How redirects change a request is Fetch's rule, not package
// http's. Cookies are the client's affair.
//
// When the client fails, fetch rejects with a TypeError whose cause is an Error. If the script lets that through, the error
// that Go code gets matches the client's, or its Transport's.
func WithFetch(client *http.Client) Option { return func(o *options) { o.client = client } }

// ErrHostNotAllowed says that a script has asked for a host that is not among those of [WithFetchHosts].
var ErrHostNotAllowed = fetch.ErrHostNotAllowed

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
	hosts := fetch.NewHosts(patterns)
	return func(o *options) { o.hosts = hosts }
}
