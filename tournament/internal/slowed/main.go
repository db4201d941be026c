// Command slowed is the tournament with a Main that is slower in one path: every submission costs as many rounds of
// arithmetic more as SLOWED_ROUNDS says. It shows whether a gate finds what it should.
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

// A loop has the tasks of another, and none of what else it can do.
type loop struct {
	contestant.Loop
	rounds int
}

// Submit does what the other loop's does, and some arithmetic that depends on itself before it.
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
