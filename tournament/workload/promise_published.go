package workload

import (
	"fmt"

	"github.com/eventloop-go/eventloop/tournament/promises/design"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// lapPromises is about how many promises a lap of a published category makes.
const lapPromises = 8192

// same is the handler of the published categories. It counts its calls; the published categories never call it.
func (t *PromiseTrial) same() design.Handler {
	return func(value any) (any, error) {
		t.ran++
		return value, nil
	}
}

// PromiseTournament is a promise with two handlers, and settling it.
var PromiseTournament = Promise{
	Name:     "Tournament",
	Excluded: "no handler is called; corrected: Tournament_Drained",
	Kind:     result.KindPromise,
	About:    "create a promise, attach two handlers in a chain, resolve it with an int; the loop never runs, so no handler is called",
	Run: func(t *PromiseTrial) error {
		same := t.same()
		return t.idle(lapPromises/4, func(e design.Engine, n int) {
			for i := range n {
				p, r := e.Pending()
				e.Then(e.Then(p, same, nil), same, nil)
				r.Resolve(i)
			}
		})
	},
}

// ChainDepth10 and ChainDepth100 are chains, settled at the root.
var (
	ChainDepth10  = chainDepth(10)
	ChainDepth100 = chainDepth(100)
)

func chainDepth(depth int) Promise {
	return Promise{
		Name:     fmt.Sprintf("ChainDepth/%d", depth),
		Excluded: fmt.Sprintf("no handler is called; corrected: ChainDepth_Drained/%d", depth),
		Kind:     result.KindPromise,
		About:    fmt.Sprintf("a chain of %d handlers on a pending promise, then resolve that; the loop never runs, so no handler is called", depth),
		Run: func(t *PromiseTrial) error {
			same := t.same()
			return t.idle(lapPromises/depth, func(e design.Engine, n int) {
				for i := range n {
					root, r := e.Pending()
					chain(e, root, same, depth)
					r.Resolve(i)
				}
			})
		},
	}
}

// chain attaches handlers one below the other.
func chain(e design.Engine, p design.Promise, handler design.Handler, depth int) {
	for range depth {
		p = e.Then(p, handler, nil)
	}
}

// ChainCreation is a chain that is never settled.
var ChainCreation = Promise{
	Name:     "ChainCreation_Depth100",
	Excluded: "no handler is called; corrected: ChainCreation_Depth100_Drained",
	Kind:     result.KindPromise,
	About:    "a chain of 100 handlers on a pending promise, dropped",
	Run: func(t *PromiseTrial) error {
		same := t.same()
		return t.idle(lapPromises/100, func(e design.Engine, n int) {
			for range n {
				root, _ := e.Pending()
				chain(e, root, same, 100)
			}
		})
	},
}

// CheckResolved is the cost of attaching to a settled promise.
var CheckResolved = Promise{
	Name:     "CheckResolved_Overhead",
	Excluded: "no handler is called; corrected: CheckResolved_Overhead_Drained",
	Kind:     result.KindPromise,
	About:    "attach a handler to a promise that is resolved, always the same; the loop never runs, so no handler is called",
	Run: func(t *PromiseTrial) error {
		same := t.same()
		return t.idle(lapPromises, func(e design.Engine, n int) {
			p := e.Resolved(1)
			for range n {
				e.Then(p, same, nil)
			}
		})
	},
}

// FanOut is many handlers on one promise.
var FanOut = Promise{
	Name:     "FanOut_100",
	Excluded: "no handler is called; corrected: FanOut_100_Drained",
	Kind:     result.KindPromise,
	About:    "attach 100 handlers to a pending promise, always the same, so that its list grows until a new lap begins",
	Run: func(t *PromiseTrial) error {
		same := t.same()
		return t.idle(lapPromises/100, func(e design.Engine, n int) {
			p, _ := e.Pending()
			for range n {
				for range 100 {
					e.Then(p, same, nil)
				}
			}
		})
	},
}

// Race100 is a race without a winner.
var Race100 = Promise{
	Name:     "Race_100",
	Excluded: "no handler is called; corrected: Race_100_Drained",
	Kind:     result.KindPromise,
	About:    "create 100 pending promises and race them; none settles, all are dropped",
	Needs:    []design.Capability{design.HasRace},
	Run: func(t *PromiseTrial) error {
		promises := make([]design.Promise, 100)
		return t.idle(lapPromises/100, func(e design.Engine, n int) {
			racer := e.(design.Racer)
			for range n {
				for i := range promises {
					promises[i], _ = e.Pending()
				}
				racer.Race(promises)
			}
		})
	},
}

// PublishedPromises returns the 7 published promise categories, in the published order.
func PublishedPromises() []Promise {
	return []Promise{PromiseTournament, ChainDepth10, ChainDepth100, ChainCreation, CheckResolved, FanOut, Race100}
}

// AllPromises returns every promise category.
func AllPromises() []Promise { return append(PublishedPromises(), PromiseTwins()...) }
