// Package modules is Node's modules that are no globals.
package modules

import (
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
	"github.com/eventloop-go/eventloop/gojaloop/internal/files"
	"github.com/eventloop-go/eventloop/gojaloop/internal/node/buffer"
	"github.com/eventloop-go/eventloop/gojaloop/internal/node/crypto"
	"github.com/eventloop-go/eventloop/gojaloop/internal/node/fs"
	"github.com/eventloop-go/eventloop/gojaloop/internal/node/zlib"
)

// Define gives the scripts of these modules what they build on. Without a system there are no files.
func Define(e engine.Engine, system *files.System) {
	buffer.Define(e)
	crypto.Define(e)
	fs.Define(e, system)
	zlib.Define(e)
}
