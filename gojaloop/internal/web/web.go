// Package web implements the web's standards. Each topic has a folder, with the parts that are easier to write in
// JavaScript beside their natives in Go.
package web

import (
	"embed"
	"net/http"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
	"github.com/eventloop-go/eventloop/gojaloop/internal/web/clone"
	"github.com/eventloop-go/eventloop/gojaloop/internal/web/crypto"
	"github.com/eventloop-go/eventloop/gojaloop/internal/web/encoding"
	"github.com/eventloop-go/eventloop/gojaloop/internal/web/events"
	"github.com/eventloop-go/eventloop/gojaloop/internal/web/fetch"
	"github.com/eventloop-go/eventloop/gojaloop/internal/web/idl"
	"github.com/eventloop-go/eventloop/gojaloop/internal/web/performance"
	"github.com/eventloop-go/eventloop/gojaloop/internal/web/serve"
	"github.com/eventloop-go/eventloop/gojaloop/internal/web/url"
)

// Scripts are the scripts of all topics.
//
//go:embed */*.js
var Scripts embed.FS

// Define defines the natives of all these scripts. clock is the clock of performance. client and hosts are fetch's
// access to the network. exception makes an error of what a script has thrown.
func Define(e engine.Engine, clock performance.Clock, client *http.Client, hosts *fetch.Hosts, exception func(engine.Value) error) {
	clone.Define(e)
	crypto.Define(e)
	encoding.Define(e)
	events.Define(e)
	fetch.Define(e, client, hosts)
	idl.Define(e)
	performance.Define(e, clock)
	serve.Define(e, exception)
	url.Define(e)
}
