package contracts_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// Timers of any delay, by a clock that jumps by anything, fire once each, or not after they were stopped.
func FuzzTimersByAFaultyClock(f *testing.F) {
	f.Add([]byte{1, 2, 3, 60, 61, 62, 200, 9}, int64(-1))
	f.Add([]byte{0, 0, 0, 0, 129, 130}, int64(24*time.Hour))
	f.Fuzz(func(t *testing.T, program []byte, jump int64) {
		program = program[:min(len(program), 300)]
		c := &faultyClock{
			random: rand.New(rand.NewPCG(uint64(jump), uint64(len(program)))),
			fault:  func(r *rand.Rand) time.Duration { return time.Duration(jump % int64(1000*time.Hour)) },
		}
		l := eventloop.New(eventloop.WithAutoExit(), inside.WithClock(c).(eventloop.Option))
		fired := make([]int, len(program))
		stopped := make([]bool, len(program))
		handles := make([]eventloop.Timer, len(program))
		for i, b := range program {
			var err error
			handles[i], err = l.ScheduleTimer(time.Duration(1)<<(b%60)-1, func() {
				fired[i]++
				if j := i + int(b)/60; b >= 60 && j < len(program) && j != i {
					stopped[j] = stopped[j] || handles[j].Stop()
				}
			})
			testkit.Must(t, err)
		}
		testkit.Must(t, l.Run(testkit.Bounded(t)))
		for i, n := range fired {
			if want := 1; stopped[i] && n != 0 || !stopped[i] && n != want {
				t.Fatalf("timer %d fired %d times; stopped: %v", i, n, stopped[i])
			}
		}
	})
}
