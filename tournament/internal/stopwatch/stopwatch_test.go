package stopwatch_test

import (
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/internal/stopwatch"
)

func TestReadingsGrowByStepsShorterThanATick(t *testing.T) {
	const tick = 500 * time.Microsecond // the shortest of Windows
	shortest := time.Hour
	for range 1000 {
		began := stopwatch.Now()
		passed := stopwatch.Since(began)
		for passed == 0 {
			passed = stopwatch.Since(began)
		}
		if passed < 0 {
			t.Fatalf("the clock went back by %v", -passed)
		}
		shortest = min(shortest, passed)
	}
	if shortest >= tick {
		t.Errorf("the shortest step of a thousand is %v", shortest)
	}
}

// The clock agrees with package time on the length of a second. A busy machine may delay either reading, so the test
// takes one reading between two of the other clock.
func TestReadingsAreInNanoseconds(t *testing.T) {
	const wait, tick = 100 * time.Millisecond, 20 * time.Millisecond // of package time's clock, at worst
	outer := time.Now()
	began := stopwatch.Now()
	inner := time.Now()
	<-time.After(wait)
	least := time.Since(inner)
	passed := stopwatch.Since(began)
	most := time.Since(outer)
	if passed < least-tick || passed > most+tick {
		t.Errorf("%v by this clock, between %v and %v by package time", passed, least, most)
	}
}

func TestReadingAllocatesNothing(t *testing.T) {
	if n := testing.AllocsPerRun(1000, func() { stopwatch.Now() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
