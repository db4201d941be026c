// Package clone is structuredClone and DOMException (HTML 2.7, Web IDL).
package clone

import (
	"bytes"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
)

// Define defines the natives of these scripts.
func Define(e engine.Engine) {
	// copyBuffer copies an ArrayBuffer, unless it is detached.
	e.Define("copyBuffer", func(a engine.Args) any {
		b, ok := a.Bytes(0)
		if !ok || a.Detached(0) {
			return nil
		}
		return engine.Bytes(bytes.Clone(b))
	})
	// moveBuffer copies the contents of an ArrayBuffer to another, and detaches the first, unless it is already.
	e.Define("moveBuffer", func(a engine.Args) any {
		from, ok := a.Bytes(0)
		to, ok2 := a.Bytes(1)
		if !ok || !ok2 {
			return false
		}
		copy(to, from)
		return a.Detach(0)
	})
	// transfer makes a new ArrayBuffer of an ArrayBuffer's contents, and detaches the old one (ECMA-262,
	// ArrayBuffer.prototype.transfer).
	e.Define("transfer", func(a engine.Args) any {
		from, ok := a.Bytes(0)
		if !ok || a.Detached(0) {
			e.Throw("TypeError", "Cannot transfer a detached ArrayBuffer")
		}
		a.Detach(0)
		return engine.Bytes(from)
	})
	e.Define("isDetached", func(a engine.Args) any { return a.Detached(0) })
}
