// Package events is Event, EventTarget, AbortController and AbortSignal (DOM), and Node's EventEmitter.
package events

import (
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
)

// Define defines the natives of these scripts.
func Define(e engine.Engine) {
	// report is HTML's "report the exception": a listener that throws stops no other.
	e.Define("report", func(a engine.Args) any {
		e.Report(a.Value(0))
		return nil
	})
	// later is for AbortSignal.timeout.
	e.Define("later", func(a engine.Args) any {
		e.Later(a.Number(0), a.Value(1))
		return nil
	})
}
