// Package inspect examines loops: it has metrics, events, slow callbacks, a watchdog, and a list of the resources
// that keep a loop alive. A program that does not use it links none of it, and its loops pay for a few branches that
// are never taken.
package inspect

import (
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
)

func diagnosis(loop *eventloop.Loop) inside.Diagnosis { return inside.Of(loop).(inside.Diagnosis) }

func option(apply func(inside.Diagnosis)) eventloop.Option {
	return inside.Option(apply).(eventloop.Option)
}
