// Package contestanttest tests an event loop for the tournament, in the loop's own repository.
//
//	func TestMain(m *testing.M) {
//		check.Child(mine) // suites that may take the process down get one of their own
//		os.Exit(m.Run())
//	}
//
//	func TestMineIsALoop(t *testing.T) { contestanttest.Run(t, mine) }
package contestanttest

import (
	"testing"

	"github.com/eventloop-go/eventloop/tournament/check"
	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// Run runs every correctness suite on the contestant, as "tournament check" does, each as a subtest. A suite is
// skipped, with a reason, if the loop lacks a capability that it needs, or if it meets a limit that the contestant
// states. Suites that take minutes are left out.
func Run(t *testing.T, c contestant.Contestant) {
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, s := range check.Suites() {
		t.Run(s.Name, func(t *testing.T) {
			if s.Long {
				t.Skip("takes minutes: tournament check -long")
			}
			switch got := s.Check(t.Context(), c, check.Options{}); got.Status {
			case result.Fail:
				t.Errorf("%s: %s", s.About, got.Detail)
			case result.Skip, result.NA:
				t.Skip(got.Detail)
			default:
				t.Log(got.Detail)
			}
		})
	}
}
