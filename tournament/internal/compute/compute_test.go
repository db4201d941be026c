package compute_test

import (
	"sync/atomic"
	"testing"

	"github.com/eventloop-go/eventloop/internal/leakcheck"
	"github.com/eventloop-go/eventloop/tournament/internal/compute"
)

func TestMain(m *testing.M) { leakcheck.Main(m) }

func TestACrowdComputesUntilItIsStopped(t *testing.T) {
	c := compute.Beside(3, func() bool { return false })
	if n := c.Stop(); n != c.Stop() {
		t.Errorf("%d pieces, then %d: it went on after Stop", n, c.Stop())
	}
}

func TestACrowdEndsByItselfWhenItsTrialIsOver(t *testing.T) {
	var over atomic.Bool
	compute.Beside(2, over.Load)
	over.Store(true) // the leak check waits for the goroutines
}

func TestStepsDependOnEachOther(t *testing.T) {
	if compute.Steps(compute.Steps(7, 256), 256) != compute.Steps(7, 512) || compute.Steps(7, 0) != 7 || compute.Steps(7, 1) == compute.Steps(7, 2) {
		t.Error("the sum does not go on where it was")
	}
}
