// Package inside has the functions that package gojaloop offers only to packages of its module.
package inside

import "github.com/dop251/goja"

// A Compatible configures a runtime that replaces goja_nodejs's.
type Compatible struct {
	// ClearForeign is called first by clearTimeout and clearInterval. It reports whether the value was a timer of its
	// own.
	ClearForeign func(goja.Value) bool
}

// WithCompatible makes a gojaloop.Option of it. The runtime's Call then does not complete the engine's own objects,
// because that takes longer than the rest of its start. They are completed when the engine first parses something, or
// when a script of the library is loaded that names them.
var WithCompatible func(Compatible) any

// CallAll is Call of a *gojaloop.Runtime for functions that follow each other: next calls one, and reports whether there is
// another. It completes nothing, as under WithCompatible.
var CallAll func(rt any, next func() (more bool)) bool
