package check_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop/tournament/check"
	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// A silent loop accepts tasks and does nothing, or does not even accept them.
type silent struct {
	release chan struct{}
	full    bool
}

func (l silent) Run(context.Context) error { <-l.release; return nil }

func (l silent) Submit(func()) error {
	if l.full {
		<-l.release
	}
	return nil
}

func (l silent) Shutdown(ctx context.Context) error { return nil }

func TestALoopThatRunsNothingFailsEverySuiteLongBeforeAMinute(t *testing.T) {
	for _, full := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			release := make(chan struct{})
			defer close(release)
			c := contestant.Contestant{Name: "Silent", New: func() (contestant.Loop, error) { return silent{release, full}, nil }}
			began := time.Now()
			got := check.RaceWakeup.Check(t.Context(), c, check.Options{})
			if took := time.Since(began); got.Status != result.Fail || !strings.Contains(got.Detail, "the first ") || took > 20*time.Second {
				t.Errorf("after %v: %s, %s", took, got.Status, got.Detail)
			}
		})
	}
}
