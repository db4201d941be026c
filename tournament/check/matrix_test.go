package check_test

import (
	"testing"

	"github.com/eventloop-go/eventloop/tournament/contestants"
	"github.com/eventloop-go/eventloop/tournament/contestanttest"
)

func TestEveryContestantPassesEverySuiteOrSaysWhyNot(t *testing.T) {
	for _, c := range contestants.All() {
		t.Run(c.Name, func(t *testing.T) { contestanttest.Run(t, c) })
	}
}
