package load

import (
	"sync"
	"time"

	"github.com/eventloop-go/eventloop/tournament/internal/compute"
	"github.com/eventloop-go/eventloop/tournament/internal/stopwatch"
)

// stepTime is the duration of a step in nanoseconds: the least of many attempts, because disturbances only add time.
var stepTime = sync.OnceValue(func() float64 {
	const steps, attempts = 20_000, 50
	least, sum := time.Hour, uint64(1)
	for range attempts {
		began := stopwatch.Now()
		sum = compute.Steps(sum, steps)
		if took := stopwatch.Since(began); took > 0 {
			least = min(least, took)
		}
	}
	if sum == 0 {
		return 1 // never: it makes the compiler keep the work
	}
	return float64(least) / steps
})

// stepsIn is the number of steps that take as long as cost.
func stepsIn(cost time.Duration) int {
	if cost <= 0 {
		return 0
	}
	return max(1, int(float64(cost)/stepTime()))
}
