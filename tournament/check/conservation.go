package check

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// ShutdownConservation is a shutdown while producers are at work.
var ShutdownConservation = Suite{
	Name:  "ShutdownConservation",
	About: "4 producers share 10,000 tasks, Shutdown after 10 ms: accepted is executed",
	Limit: LimitLoses,
	Run: func(t *Trial) error {
		var c conservation
		if err := c.round(t, 4, 10_000/4, func(*atomic.Int64) { time.Sleep(10 * time.Millisecond) }); err != nil {
			return err
		}
		return c.outcome(t)
	},
}

// ShutdownConservationStress moves the shutdown into the midst of the submissions.
var ShutdownConservationStress = Suite{
	Name:  "ShutdownConservation_Stress",
	About: "ten rounds of 4 producers and 10,000 tasks, Shutdown when a tenth more of them was accepted in each: accepted is executed",
	Limit: LimitLoses,
	Run: func(t *Trial) error {
		var c conservation
		const rounds, tasks = 10, 10_000
		for round := range rounds {
			if err := c.round(t, 4, tasks/4, t.after(int64(tasks*round/rounds))); err != nil {
				return err
			}
		}
		return c.outcome(t)
	},
}

// ShutdownConservationLong is the stress form, for minutes.
var ShutdownConservationLong = Suite{
	Name:  "ShutdownConservation_Long",
	About: "1,000 rounds of 8 producers with 10,000 tasks each, Shutdown at another point in each: accepted is executed",
	Limit: LimitLoses,
	Long:  true,
	Run: func(t *Trial) error {
		var c conservation
		const rounds, producers, tasks = 1000, 8, 10_000
		for round := range rounds {
			if err := c.round(t, producers, tasks, t.after(int64(producers*tasks*round/rounds))); err != nil {
				return err
			}
		}
		return c.outcome(t)
	},
}

// after returns when so many tasks were accepted. It polls without a pause, so that it returns in their midst.
func (t *Trial) after(tasks int64) func(*atomic.Int64) {
	return func(accepted *atomic.Int64) {
		for accepted.Load() < tasks && t.Context.Err() == nil {
			time.Sleep(time.Microsecond)
		}
	}
}

// A conservation adds up the accepted tasks and those that ran.
type conservation struct {
	rounds                 int
	accepted, ran, refused int64
}

// round runs one loop whose shutdown begins when until returns.
func (c *conservation) round(t *Trial, producers, tasks int, until func(accepted *atomic.Int64)) error {
	r, err := t.Start()
	if err != nil {
		return fmt.Errorf("round %d: %w", c.rounds, err)
	}
	var accepted, refused, ran atomic.Int64
	var all sync.WaitGroup
	for range producers {
		all.Add(1)
		go func() {
			defer all.Done()
			for range tasks {
				if r.Submit(func() { ran.Add(1) }) == nil {
					accepted.Add(1)
				} else {
					refused.Add(1)
				}
			}
		}()
	}
	until(&accepted)
	if err := r.End(); err != nil {
		return fmt.Errorf("round %d: %w", c.rounds, err)
	}
	if err := t.wait(all.Wait, "the producers"); err != nil {
		return fmt.Errorf("round %d: %w", c.rounds, err)
	}
	c.rounds++
	c.accepted += accepted.Load()
	c.refused += refused.Load()
	c.ran += ran.Load()
	if t.Contestant.Loses != "" && ran.Load() <= accepted.Load() {
		return nil // the measurement is how much it loses
	}
	return conserved(accepted.Load(), ran.Load())
}

func (c *conservation) outcome(t *Trial) error {
	t.Note("%d accepted and executed, %d refused", c.accepted, c.refused)
	return conserved(c.accepted, c.ran)
}
