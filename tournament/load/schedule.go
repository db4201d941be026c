package load

import (
	"math/rand/v2"
	"time"

	"github.com/eventloop-go/eventloop/tournament/choose"
)

// seed makes every run draw the same arrivals, for all contestants.
const seed = 0x10ad

// A schedule draws the times at which tasks should start, counted from the beginning.
type schedule struct {
	rng    *rand.Rand
	gap    float64 // mean time between tasks, in nanoseconds; 0: all at once
	bursts bool
}

func newSchedule(rate float64, bursts bool, number uint64) *schedule {
	s := &schedule{rng: rand.New(rand.NewPCG(seed, number)), bursts: bursts}
	if rate > 0 {
		s.gap = float64(time.Second) / rate
	}
	return s
}

// fill draws the next times, ascending, from 0 on.
func (s *schedule) fill(due []int64) {
	at := 0.0
	for i := range due {
		switch {
		case !s.bursts:
			at += s.rng.ExpFloat64() * s.gap
		case i%choose.BurstSize == 0:
			at += s.rng.ExpFloat64() * s.gap * choose.BurstSize
		}
		due[i] = int64(at)
	}
}
