package workload

import (
	"fmt"
	"time"

	"github.com/eventloop-go/eventloop/tournament/internal/stopwatch"
	"github.com/eventloop-go/eventloop/tournament/promises/design"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// promiseBurst is how many of the short operations one task performs, so that the task itself does not count.
const promiseBurst = 64

// addOne is the handler of the corrected versions. Its values stay below 256, for which Go has boxes ready: it
// allocates nothing.
func (t *PromiseTrial) addOne() design.Handler {
	return func(value any) (any, error) {
		t.ran++
		return value.(int) + 1, nil
	}
}

// expect is a handler that checks its value.
func (t *PromiseTrial) expect(want int) design.Handler {
	return func(value any) (any, error) {
		t.ran++
		if value.(int) != want {
			t.wrong++
		}
		return value, nil
	}
}

// PromiseTournamentDrained calls the handlers.
var PromiseTournamentDrained = Promise{
	Name:   "Tournament_Drained",
	Kind:   result.KindTwin,
	TwinOf: "Tournament",
	About:  "create a promise, attach two handlers in a chain, resolve it with an int, run the handlers; 64 in each task of a loop",
	Burst:  promiseBurst,
	Run: func(t *PromiseTrial) error {
		first, last := t.addOne(), t.expect(2)
		return t.onLoop(promiseBurst, 2, func(e design.Engine) {
			p, r := e.Pending()
			e.Then(e.Then(p, first, nil), last, nil)
			r.Resolve(1)
		})
	},
}

// ChainDepth10Drained and ChainDepth100Drained call the handlers.
var (
	ChainDepth10Drained  = chainDepthDrained(10)
	ChainDepth100Drained = chainDepthDrained(100)
)

func chainDepthDrained(depth int) Promise {
	return Promise{
		Name:   fmt.Sprintf("ChainDepth_Drained/%d", depth),
		Kind:   result.KindTwin,
		TwinOf: fmt.Sprintf("ChainDepth/%d", depth),
		About:  fmt.Sprintf("a chain of %d handlers on a pending promise, resolve that, run the handlers", depth),
		Run: func(t *PromiseTrial) error {
			addOne, last := t.addOne(), t.expect(depth)
			return t.onLoop(1, depth, func(e design.Engine) {
				p, r := e.Pending()
				for range depth - 1 {
					p = e.Then(p, addOne, nil)
				}
				e.Then(p, last, nil)
				r.Resolve(1)
			})
		},
	}
}

// ChainCreationDrained times the creation alone, and yet drops nothing.
var ChainCreationDrained = Promise{
	Name:   "ChainCreation_Depth100_Drained",
	Kind:   result.KindTwin,
	TwinOf: "ChainCreation_Depth100",
	About:  "a chain of 100 handlers on a pending promise; that is resolved and the handlers run, but not in the time",
	Run: func(t *PromiseTrial) error {
		addOne, last := t.addOne(), t.expect(100)
		var total time.Duration
		err := t.onLoop(1, 100, func(e design.Engine) {
			began := stopwatch.Now()
			p, r := e.Pending()
			for range 99 {
				p = e.Then(p, addOne, nil)
			}
			e.Then(p, last, nil)
			total += stopwatch.Since(began)
			r.Resolve(1)
		})
		t.report(NsPerOp, float64(total.Nanoseconds())/float64(t.N))
		return err
	},
}

// CheckResolvedDrained calls the handler, and makes a promise for each.
var CheckResolvedDrained = Promise{
	Name:   "CheckResolved_Overhead_Drained",
	Kind:   result.KindTwin,
	TwinOf: "CheckResolved_Overhead",
	About:  "make a resolved promise, attach a handler, run it; 64 in each task of a loop",
	Burst:  promiseBurst,
	Run: func(t *PromiseTrial) error {
		handler := t.expect(1)
		return t.onLoop(promiseBurst, 1, func(e design.Engine) {
			e.Then(e.Resolved(1), handler, nil)
		})
	},
}

// FanOutDrained calls the handlers, and makes a promise for each hundred.
var FanOutDrained = Promise{
	Name:   "FanOut_100_Drained",
	Kind:   result.KindTwin,
	TwinOf: "FanOut_100",
	About:  "attach 100 handlers to a new promise, resolve it, run them in order",
	Run: func(t *PromiseTrial) error {
		next := 0
		handlers := make([]design.Handler, 100)
		for i := range handlers {
			handlers[i] = func(value any) (any, error) {
				t.ran++
				if i != next || value.(int) != 1 {
					t.wrong++
				}
				next++
				return value, nil
			}
		}
		return t.onLoop(1, len(handlers), func(e design.Engine) {
			next = 0
			p, r := e.Pending()
			for _, h := range handlers {
				e.Then(p, h, nil)
			}
			r.Resolve(1)
		})
	},
}

// Race100Drained has a winner.
var Race100Drained = Promise{
	Name:   "Race_100_Drained",
	Kind:   result.KindTwin,
	TwinOf: "Race_100",
	About:  "create 100 pending promises, race them, attach a handler to the race, resolve one promise and then another, run the handler with the value of the first",
	Needs:  []design.Capability{design.HasRace},
	Run: func(t *PromiseTrial) error {
		promises, resolvers := make([]design.Promise, 100), make([]design.Resolver, 100)
		winner := 0
		handler := func(value any) (any, error) {
			t.ran++
			if value.(int) != winner {
				t.wrong++
			}
			return nil, nil
		}
		return t.onLoop(1, 1, func(e design.Engine) {
			for i := range promises {
				promises[i], resolvers[i] = e.Pending()
			}
			e.Then(e.(design.Racer).Race(promises), handler, nil)
			winner = (winner + 1) % len(promises)
			resolvers[winner].Resolve(winner)
			resolvers[(winner+1)%len(promises)].Resolve(-1)
		})
	},
}

// PromiseTwins returns the corrected versions of the promise categories, in the order of their originals.
func PromiseTwins() []Promise {
	return []Promise{
		PromiseTournamentDrained, ChainDepth10Drained, ChainDepth100Drained, ChainCreationDrained,
		CheckResolvedDrained, FanOutDrained, Race100Drained,
	}
}
