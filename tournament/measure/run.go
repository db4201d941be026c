package measure

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/eventloop-go/eventloop/tournament/environment"
	"github.com/eventloop-go/eventloop/tournament/guard"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// Run measures the plan and returns what it has measured, all of it or, when ctx ends, as much as there is by then:
// the sample in progress is finished first. It calls the watch before every step.
//
// An entry that fails keeps its error instead of samples, and takes no further part.
func Run(ctx context.Context, p Plan, env result.Environment, watch func(Progress)) *result.File {
	r := &run{plan: &p, watch: watch, entries: make([]state, len(p.Entries))}
	f := &result.File{
		Schema:      result.Schema,
		Environment: env,
		Protocol: result.Protocol{
			Benchtime: p.Benchtime,
			Count:     p.Count,
			Order:     result.OrderInterleaved,
			Seed:      p.Seed,
			Name:      p.Name,
			Processes: 1,
		},
		About: about(p.Entries),
	}
	for i := range r.entries {
		r.entries[i] = state{Entry: &p.Entries[i], row: p.Entries[i].row()}
	}
	f.Interrupted = !r.measure(ctx)
	f.Environment.LoadAfter = environment.Load()
	for i := range r.entries {
		f.Rows = append(f.Rows, r.entries[i].row)
	}
	return f
}

// A run is a plan in progress.
type run struct {
	plan    *Plan
	watch   func(Progress)
	entries []state
	done    int
}

// A state is an entry and how far it has come.
type state struct {
	*Entry
	row result.Row
	n   int           // operations in a sample; 0 before the calibration
	out bool          // takes no further part
	lap time.Duration // what the last sample took, set-up included
}

// measure reports whether it came to the end.
func (r *run) measure(ctx context.Context) bool {
	for i := range r.entries {
		if ctx.Err() != nil {
			return false
		}
		e := &r.entries[i]
		r.report(e, 0)
		e.calibrate(r.plan, r.plan.hint(i))
		r.done++
	}
	order := rand.New(rand.NewPCG(r.plan.Seed, uint64(r.plan.process()-1)))
	for round := 1; round <= r.plan.Count; round++ {
		for _, category := range categories(r.entries) {
			order.Shuffle(len(category), func(i, j int) { category[i], category[j] = category[j], category[i] })
			for _, e := range category {
				if ctx.Err() != nil {
					return false
				}
				if !e.out {
					r.report(e, round)
					e.sample(r.plan, round)
				}
				r.done++
			}
		}
	}
	r.report(nil, r.plan.Count)
	return true
}

// categories groups neighbouring entries of one category.
func categories(entries []state) [][]*state {
	var groups [][]*state
	for i := range entries {
		if i == 0 || entries[i].Category != entries[i-1].Category {
			groups = append(groups, nil)
		}
		last := len(groups) - 1
		groups[last] = append(groups[last], &entries[i])
	}
	return groups
}

// sample takes one sample, after a garbage collection, so that no contestant sweeps up after another.
func (e *state) sample(p *Plan, round int) {
	runtime.GC()
	began := time.Now()
	s, err := e.guarded(e.n, p)
	e.lap = time.Since(began)
	if err != nil {
		e.fail(err)
		return
	}
	s.Process, s.Round = p.process(), round
	e.row.Samples = append(e.row.Samples, s)
}

// guarded takes a sample that the guard lets pass. Entries for loops have been guarded before, and better; this is for
// all others.
func (e *state) guarded(n int, p *Plan) (result.Sample, error) {
	s, err := e.Sample(n, p.patience())
	if err == nil {
		if err = guard.Sample(s, n); err != nil {
			err = fmt.Errorf("%s on %s: %w", e.Category, e.Contestant, err)
		}
	}
	return s, err
}

func (e *state) fail(err error) {
	e.out = true
	e.row.Error = err.Error()
	e.row.Samples = nil
}
