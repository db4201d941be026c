// Package web is what the web's standards define: a folder for each topic, with the scripts, which say what is easier said in
// JavaScript, beside what they build on in Go.
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
	"github.com/eventloop-go/eventloop/gojaloop/internal/web/url"
)

// Scripts are those of all topics.
//
//go:embed */*.js
var Scripts embed.FS

// Define gives the scripts what they build on. clock is what performance tells the time by, client and hosts are what fetch reaches the network with.
func Define(e engine.Engine, clock performance.Clock, client *http.Client, hosts *fetch.Hosts) {
	clone.Define(e)
	crypto.Define(e)
	encoding.Define(e)
	events.Define(e)
	fetch.Define(e, client, hosts)
	idl.Define(e)
	performance.Define(e, clock)
	url.Define(e)
}
