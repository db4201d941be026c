// Command slowed is the tournament with a Main that is slower in one path: every submission costs SLOWED_ROUNDS extra
// rounds of arithmetic. It tests whether a gate finds a known regression.
package main

import (
	"os"
	"strconv"

	"github.com/eventloop-go/eventloop/tournament/command"
	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/contestants"
)

func main() {
	rounds, _ := strconv.Atoi(os.Getenv("SLOWED_ROUNDS"))
	all := contestants.All()
	for i := range all {
		if all[i].Name == "Main" {
			all[i].New = slower(all[i].New, rounds)
		}
	}
	command.Run(all...)
}

func slower(make func() (contestant.Loop, error), rounds int) func() (contestant.Loop, error) {
	return func() (contestant.Loop, error) {
		l, err := make()
		return &loop{Loop: l, rounds: rounds}, err
	}
}

// A loop has the tasks of another, but no further abilities.
type loop struct {
	contestant.Loop
	rounds int
}

// Submit is the other loop's Submit, after some arithmetic whose steps depend on each other.
func (l *loop) Submit(task func()) error {
	x := uint64(1)
	for range l.rounds {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	if x == 0 {
		return nil // never; keeps the compiler from leaving the arithmetic out
	}
	return l.Loop.Submit(task)
}
