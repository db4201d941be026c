package load

import (
	"time"

	"github.com/eventloop-go/eventloop/tournament/choose"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

// shares are the rates that the search tries, in percent of the capacity, from above. Halving would go astray: at a
// low rate the loop sleeps between tasks, and its latency may be higher than at a high one.
var shares = []int{95, 80, 65, 50, 35, 20, 10}

// attempts is how often a rate may be tried. A machine that takes a processor away for a moment spoils one.
const attempts = 2

// search finds the highest rates at which the 99th percentile stays within the limits. Every rate has t.N tasks.
func search(s Spec, t *workload.Trial, d *driver) error {
	capacity, err := d.capacity()
	if err != nil {
		return err
	}
	if err := d.warm(capacity / 2); err != nil {
		return err
	}
	limits := []struct {
		unit  string
		p99   time.Duration
		found float64
	}{{unit: choose.Limit1ms, p99: time.Millisecond}, {unit: choose.Limit100us, p99: 100 * time.Microsecond}}
	performed := 0
	t.Start()
	for _, share := range shares {
		rate := capacity * float64(share) / 100
		open := true
		for attempt := 0; attempt < attempts && open; attempt++ {
			o, err := d.offer(t.N, rate)
			if err != nil {
				return err
			}
			performed += t.N
			open = false
			for i := range limits {
				switch l := &limits[i]; {
				case l.found > 0 || s.Cost >= l.p99: // nobody ends a task within a limit that the task itself exceeds
				case o.sustained && o.p99() <= l.p99:
					l.found = rate
				default:
					open = true
				}
			}
		}
		if !open {
			break
		}
	}
	t.Stop()
	t.Performed(performed)
	t.Report(workload.NsPerOp, float64(time.Second)/capacity)
	t.Report(choose.Capacity, capacity)
	for _, l := range limits {
		t.Report(l.unit, l.found)
	}
	return nil
}
