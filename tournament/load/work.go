package load

import (
	"sync"
	"time"

	"github.com/eventloop-go/eventloop/tournament/internal/stopwatch"
)

// checksum is the work of a task: so many steps of FNV-1a, each of which needs the result of the one before. A number of
// steps is work; a time on the clock would count as work also the time for which the task was stopped.
func checksum(sum uint64, steps int) uint64 {
	for i := range steps {
		sum = (sum ^ uint64(i&0xff)) * 1099511628211
	}
	return sum
}

// stepTime is what a step takes, in nanoseconds: the least of many attempts, for whatever disturbs makes it longer.
var stepTime = sync.OnceValue(func() float64 {
	const steps, attempts = 20_000, 50
	least, sum := time.Hour, uint64(1)
	for range attempts {
		began := stopwatch.Now()
		sum = checksum(sum, steps)
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
