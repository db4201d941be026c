// Package idl has the conversions and checks of Web IDL that all web classes share.
package idl

import (
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
)

// Define defines the natives of these scripts.
func Define(e engine.Engine) {
	e.Define("wellFormed", func(a engine.Args) any { return a.Text(0) }) // Go's strings have no lone surrogates
}
