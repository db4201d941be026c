// Package product enters package promise, the product's own, as ChainedPromise.
package product

import (
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
	"github.com/eventloop-go/eventloop/tournament/promises/design"
)

// Design is ChainedPromise.
//
// It is the product's dynamic promise, which has the same abilities as the rivals: any values, two handlers, and
// following a promise that a handler returns. The typed promise has the same mechanism, and less to do.
var Design = design.Design{
	Name:  "ChainedPromise",
	About: "package promise, its dynamic form: state and reactions in one atomic word, the reaction and the promise of its outcome in one allocation; reports rejections that nobody handles",
	New:   func(loop *eventloop.Loop) design.Engine { return engine{loop} },
}

type engine struct{ loop *eventloop.Loop }

func (e engine) Pending() (design.Promise, design.Resolver) {
	d, r := promise.WithDynamicResolver(e.loop)
	return d, resolver{r}
}

func (e engine) Resolved(value any) design.Promise { return promise.ResolveDynamic(e.loop, value) }

func (e engine) Then(p design.Promise, fulfilled design.Handler, rejected design.ErrorHandler) design.Promise {
	d, ok := p.(*promise.Dynamic)
	if !ok {
		d = promise.ResolveDynamic(e.loop, p) // what Race returned
	}
	return d.Then(fulfilled, rejected)
}

// A resolver is the product's, but for rejecting with any value. It is one pointer, so it costs nothing to pass on.
type resolver struct{ promise.DynamicResolver }

func (r resolver) Reject(reason error) bool {
	return r.DynamicResolver.Reject(design.Reason(reason))
}

// Race races the typed views of the promises and returns a typed one, because the dynamic form has no race of its
// own. When handlers are attached, it is made dynamic again, which takes two microtasks.
func (e engine) Race(promises []design.Promise) design.Promise {
	var room [128]*promise.Promise[any] // Race does not keep the slice: this stays on the stack
	typed := room[:0]
	for _, p := range promises {
		switch p := p.(type) {
		case *promise.Dynamic:
			typed = append(typed, p.Promise())
		case *promise.Promise[any]:
			typed = append(typed, p)
		}
	}
	return promise.Race(e.loop, typed...)
}
