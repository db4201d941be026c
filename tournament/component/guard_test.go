package component

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/guard"
)

func TestTheGuardCoversComponentRows(t *testing.T) {
	rest()
	defer rest()
	if err := guarded(100_000, time.Millisecond); err != nil {
		t.Errorf("a row that is as it should be: %v", err)
	}
	for _, elapsed := range []time.Duration{0, time.Microsecond} {
		if guarded(100_000, elapsed) == nil {
			t.Errorf("100,000 operations in %v pass", elapsed)
		}
	}
	kept := make([]*[64]byte, 100_000)
	for i := range kept {
		kept[i] = new([64]byte)
	}
	var growth *guard.GrowthError
	if err := guarded(100_000, time.Millisecond); !errors.As(err, &growth) {
		t.Errorf("an object for each operation: %v", err)
	}
	runtime.KeepAlive(kept)
}
