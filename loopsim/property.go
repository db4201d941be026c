package loopsim

import (
	"fmt"
	"time"

	"github.com/eventloop-go/eventloop/internal/inside"
)

// A failure is why a world has failed.
type failure struct {
	class string // failures of one fault of a program usually have the same
	text  string
	at    int64
	event int
}

// fail notes the first failure.
func (w *World) fail(class, text string) {
	if w.failure != nil || w.over {
		return
	}
	host, at := -1, w.now
	if h := w.running.Load(); h != nil {
		host, at = h.machine.id, h.local()
	}
	w.failure = &failure{class, text, at, w.events}
	w.note(kindProperty, host, at, hashString(class), 0)
	w.record(entry{at: at, kind: kindProperty, host: host, peer: -1}, "%s: %s", class, text)
}

// A property is something that must hold.
type property struct {
	name  string
	check func() error
}

// A goal is something that must come true.
type goal struct {
	property
	within time.Duration
	last   error
}

// Always has check called after every event of the world. The world fails if it returns an error.
func (w *World) Always(name string, check func() error) {
	w.always = append(w.always, property{name, check})
}

// Eventually has check called after every event, once the faults are over: when [Config.Duration] has passed, all are healed and all
// hosts run. It must return nil once within the time. The world ends when all such properties have come true.
func (w *World) Eventually(within time.Duration, name string, check func() error) {
	w.eventually = append(w.eventually, &goal{property: property{name, check}, within: within})
}

// Finally has check called at the end of the world.
func (w *World) Finally(name string, check func() error) {
	w.finally = append(w.finally, property{name, check})
}

func (w *World) checkAlways() {
	for i := range w.always {
		p := &w.always[i]
		if err := p.check(); err != nil {
			w.fail("always "+p.name, err.Error())
			return
		}
	}
	if w.healed && len(w.goals) > 0 {
		w.checkGoals()
	}
}

// checkGoals forgets the goals that are reached. With the last one the world may end.
func (w *World) checkGoals() {
	open := w.goals[:0]
	for _, g := range w.goals {
		if g.last = g.check(); g.last != nil {
			open = append(open, g)
		}
	}
	if w.goals = open; len(open) == 0 {
		w.end = w.now
	}
}

// converge gives the programs time after the faults.
func (w *World) converge() {
	w.heal()
	w.settle()
	w.goals = append([]*goal(nil), w.eventually...)
	w.checkGoals() // nothing may happen any more that has them checked
	for len(w.goals) > 0 && w.failure == nil && !w.stopped {
		first := w.goals[0]
		for _, g := range w.goals {
			if g.within < first.within {
				first = g
			}
		}
		deadline := int64(w.cfg.Duration + first.within)
		if w.run(deadline); w.failure != nil || w.stopped || len(w.goals) == 0 {
			return
		}
		for _, g := range w.goals {
			if g == first {
				w.fail("eventually "+g.name, fmt.Sprintf("not within %v after the faults: %v", g.within, g.last))
				return
			}
		}
	}
}

// endPrograms ends the programs that can be ended, and looks for their leftovers.
func (w *World) endPrograms() {
	var stopping []*Host
	for _, m := range w.machines {
		if h := m.host; h != nil && len(h.onStop) > 0 {
			stopping = append(stopping, h)
			for _, fn := range h.onStop {
				_ = h.loop.Submit(fn) // refused by a loop that is ending
			}
		}
	}
	if len(stopping) == 0 {
		return
	}
	w.settle()
	w.run(w.now + int64(w.cfg.Settle))
	for _, h := range stopping {
		if h.dead || w.failure != nil {
			continue
		}
		for _, r := range h.view.(inside.Diagnosis).Resources() {
			w.fail("left alive", fmt.Sprintf("%s has left %d of kind %s, %v old%s", h.Name(), r.Count, r.Kind, r.Age, madeAt(r.Made)))
			break
		}
	}
}

func (w *World) checkFinally() {
	for _, p := range w.finally {
		if w.failure == nil {
			if err := p.check(); err != nil {
				w.fail("finally "+p.name, err.Error())
			}
		}
	}
}
