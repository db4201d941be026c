package check

import (
	"errors"
	"fmt"

	"github.com/eventloop-go/eventloop/tournament/contestant"
)

// PanicIsolation is one task that panics.
var PanicIsolation = Suite{
	Name:     "PanicIsolation",
	About:    "one of 10 tasks panics: the others run, and the loop goes on and ends in good order",
	Limit:    LimitPanic,
	Isolated: true,
	Run: func(t *Trial) error {
		return t.survives(10, contestant.Loop.Submit, func(i int) {
			if i == 4 {
				panic("deliberate")
			}
		})
	},
}

// PanicIsolationMultiple is many tasks that panic.
var PanicIsolationMultiple = Suite{
	Name:     "PanicIsolation_Multiple",
	About:    "50 of 100 tasks panic with strings, errors, nil and nil pointers: the others run, and the loop goes on and ends in good order",
	Limit:    LimitPanic,
	Isolated: true,
	Run: func(t *Trial) error {
		return t.survives(100, contestant.Loop.Submit, func(i int) {
			switch i % 8 {
			case 1:
				panic("deliberate")
			case 3:
				panic(errors.New("deliberate"))
			case 5:
				panic(any(nil))
			case 7:
				var p *int
				*p = i
			}
		})
	},
}

// PanicIsolationInternal is a panic in the priority lane.
var PanicIsolationInternal = Suite{
	Name:     "PanicIsolation_Internal",
	About:    "one of 10 tasks of the priority lane panics: the others run, and the loop goes on and ends in good order",
	Needs:    []contestant.Capability{contestant.HasPriorityLane},
	Limit:    LimitPanic,
	Isolated: true,
	Run: func(t *Trial) error {
		submit := func(l contestant.Loop, task func()) error {
			return l.(*Running).Loop.(contestant.PriorityLane).SubmitInternal(task)
		}
		return t.survives(10, submit, func(i int) {
			if i == 4 {
				panic("deliberate")
			}
		})
	},
}

// survives runs tasks, some of which panic, behind a task that holds the loop until all are queued. It checks which
// of them still ran.
func (t *Trial) survives(tasks int, submit func(contestant.Loop, func()) error, task func(i int)) error {
	r, err := t.Start()
	if err != nil {
		return err
	}
	release := make(chan struct{})
	if err := r.Submit(func() { <-release }); err != nil {
		return err
	}
	var ran int64
	for i := range tasks {
		if err := submit(r, func() { ran++; task(i) }); err != nil {
			return err
		}
	}
	close(release)
	if err := r.Round("a task behind those that panic"); err != nil {
		return died(err, &ran, tasks)
	}
	if err := r.Round("a task of a loop that has survived"); err != nil {
		return died(err, &ran, tasks)
	}
	if err := r.End(); err != nil {
		return err
	}
	t.Note("%d tasks ran", ran)
	return conserved(int64(tasks), ran)
}

// died adds the count to the error of a loop that has ended.
func died(err error, ran *int64, tasks int) error {
	var end *EndError
	if errors.As(err, &end) {
		return &EndError{fmt.Sprintf("%s (%d of %d tasks had run)", end.Cause, *ran, tasks)}
	}
	return err
}
