package check

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/eventloop-go/eventloop/tournament/internal/stopwatch"
)

// RaceWakeup submits while the loop goes to sleep.
var RaceWakeup = Suite{
	Name:  "RaceWakeup",
	About: "100 rounds in which a task is submitted the sooner or later after the last one has run, while the loop goes to sleep: none is stranded",
	Run: func(t *Trial) error {
		r, err := t.Start()
		if err != nil {
			return err
		}
		const rounds, steps = 100, 40
		for range rounds {
			for step := range steps {
				spin(time.Duration(step) * 500 * time.Nanosecond)
				if err := r.Round("a task submitted while the loop goes to sleep"); err != nil {
					return err
				}
			}
		}
		t.Note("%d tasks", rounds*steps)
		return r.End()
	},
}

// RaceWakeupAggressive does it from several goroutines, on new loops.
var RaceWakeupAggressive = Suite{
	Name:  "RaceWakeup_Aggressive",
	About: "100 rounds, every ten on a new loop, in which 4 goroutines each submit 40 tasks at random moments and wait for each: none is stranded",
	Run: func(t *Trial) error {
		const loops, rounds, producers, tasks = 10, 10, 4, 40
		for range loops {
			r, err := t.Start()
			if err != nil {
				return err
			}
			for round := range rounds {
				errs := make([]error, producers)
				var all sync.WaitGroup
				for p := range errs {
					all.Add(1)
					go func() {
						defer all.Done()
						for range tasks {
							spin(time.Duration(rand.IntN(20_000)))
							if errs[p] = r.Round("a task submitted while the loop goes to sleep"); errs[p] != nil {
								return
							}
						}
					}()
				}
				all.Wait()
				if err := errors.Join(errs...); err != nil {
					return fmt.Errorf("round %d: %w", round, err)
				}
			}
			if err := r.End(); err != nil {
				return err
			}
		}
		t.Note("%d tasks", loops*rounds*producers*tasks)
		return nil
	},
}

// spin waits for less time than a sleep can.
func spin(d time.Duration) {
	for began := stopwatch.Now(); stopwatch.Since(began) < d; {
	}
}
