package check_test

import (
	"testing"

	"github.com/eventloop-go/eventloop/tournament/check"
	"github.com/eventloop-go/eventloop/tournament/contestants"
	"github.com/eventloop-go/eventloop/tournament/result"
)

func TestEveryContestantPassesEverySuiteOrSaysWhyNot(t *testing.T) {
	for _, s := range check.Suites() {
		t.Run(s.Name, func(t *testing.T) {
			if s.Long {
				t.Skip("takes minutes: tournament check -long")
			}
			for _, c := range contestants.All() {
				t.Run(c.Name, func(t *testing.T) {
					got := s.Check(t.Context(), c, check.Options{})
					switch got.Status {
					case result.Fail:
						t.Error(got.Detail)
					case result.Skip, result.NA:
						t.Skip(got.Detail)
					default:
						t.Log(got.Detail)
					}
				})
			}
		})
	}
}
