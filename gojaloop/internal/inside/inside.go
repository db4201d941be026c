// Package inside is what package gojaloop offers to packages of its module, and to nobody else.
package inside

import "github.com/dop251/goja"

// A Compatible configures a runtime that stands in for that of goja_nodejs.
type Compatible struct {
	// ClearForeign is what clearTimeout and clearInterval ask first. It reports whether the value was a timer of its own.
	ClearForeign func(goja.Value) bool
}

// WithCompatible makes a gojaloop.Option of it. The runtime's Call does not complete the engine's own objects, which takes
// longer than all the rest of its start: they are completed when the engine first parses something, or a script of the library
// is loaded that names them.
var WithCompatible func(Compatible) any

// CallAll is Call of a *gojaloop.Runtime for functions that follow each other: next calls one, and reports whether there is
// another. It completes nothing, as under WithCompatible.
var CallAll func(rt any, next func() (more bool)) bool
