package promises_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/tournament/aplus"
	"github.com/eventloop-go/eventloop/tournament/promises/design"
	"github.com/eventloop-go/eventloop/tournament/promises/product"
)

func TestEveryRivalPassesTheWholePromisesAPlusSuite(t *testing.T) {
	each(t, func(t *testing.T, d design.Design) {
		if d.Name == product.Design.Name {
			t.Skip("package aplus has this test for the product, whose thenables are of another type")
		}
		synctest.Test(t, func(t *testing.T) {
			report, err := aplus.Run(context.Background(), func(loop *eventloop.Loop) aplus.Implementation {
				return implementation{d.New(loop)}
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range report.Failures {
				t.Errorf("%s\n\t%s", f.Test, f.Reason)
			}
			if report.Passed != aplus.Tests {
				t.Errorf("%d tests passed, want %d", report.Passed, aplus.Tests)
			}
		})
	})
}

// An implementation puts a design before the suite.
type implementation struct{ e design.Engine }

func (m implementation) Deferred() (p aplus.Promise, resolve, reject func(any)) {
	q, r := m.e.Pending()
	return driven{m.e, q}, func(v any) { r.Resolve(native(v)) }, func(v any) { r.Reject(thrown{v}) }
}

// A driven is a promise of a design, as the suite sees it.
type driven struct {
	e design.Engine
	p design.Promise
}

func (d driven) Then(fulfilled, rejected aplus.Handler) aplus.Promise {
	var onValue design.Handler
	var onReason design.ErrorHandler
	if fulfilled != nil {
		onValue = func(v any) (any, error) { return result(fulfilled(v)) }
	}
	if rejected != nil {
		onReason = func(err error) (any, error) {
			if t := (thrown{}); errors.As(err, &t) {
				return result(rejected(t.value))
			}
			return result(rejected(err))
		}
	}
	return driven{d.e, d.e.Then(d.p, onValue, onReason)}
}

// A thrown is a reason of any type as an error.
type thrown struct{ value any }

func (t thrown) Error() string { return fmt.Sprint("thrown: ", t.value) }

func result(v any, threw bool) (any, error) {
	if threw {
		return nil, thrown{v}
	}
	return native(v), nil
}

// native makes a value of the suite one that a design follows.
func native(v any) any {
	switch x := v.(type) {
	case driven:
		return x.p
	case aplus.Thenable:
		return thenable{x}
	default:
		return v
	}
}

type thenable struct{ t aplus.Thenable }

func (f thenable) Then(r design.Resolver) error {
	reason, threw := f.t.Call(func(v any) { r.Resolve(native(v)) }, func(v any) { r.Reject(thrown{v}) })
	if threw {
		return thrown{reason}
	}
	return nil
}
