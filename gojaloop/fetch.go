package gojaloop

import "net/http"

// WithFetch gives scripts fetch, through an HTTP client, which decides what they may reach.
func WithFetch(client *http.Client) Option { return func(o *options) { o.client = client } }
