package load

import (
	"slices"
	"time"

	"github.com/eventloop-go/eventloop/tournament/choose"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

// brief are the categories that a quick run has.
var brief = []Spec{
	{Cost: 0, Rate: 100_000},
	{Cost: 10 * time.Microsecond, Rate: 50_000},
	{Cost: 10 * time.Microsecond, Share: 90},
}

// axes are the other categories: each varies one thing.
func axes() []Spec {
	const us = time.Microsecond
	var all []Spec
	// The cost of a task, at shares of the capacity and at rates that are the same for all.
	for _, share := range []int{10, 50, 95} {
		all = append(all, Spec{Cost: 10 * us, Share: share})
	}
	for _, cost := range []time.Duration{0, us, 100 * us} {
		all = append(all, Spec{Cost: cost, Share: 90})
	}
	for _, r := range []struct {
		cost  time.Duration
		rates []int
	}{
		{0, []int{10_000, 500_000}},
		{us, []int{10_000, 100_000, 300_000}},
		{10 * us, []int{10_000, 30_000, 70_000}},
		{100 * us, []int{1_000, 5_000, 8_000}},
	} {
		for _, rate := range r.rates {
			all = append(all, Spec{Cost: r.cost, Rate: rate})
		}
	}
	// Arrivals, producers, processors, mixes.
	all = append(all,
		Spec{Cost: us, Rate: 100_000, Bursts: true},
		Spec{Cost: 10 * us, Rate: 30_000, Bursts: true},
		Spec{Cost: us, Rate: 100_000, Producers: 8},
		Spec{Cost: 10 * us, Rate: 30_000, Producers: 8},
	)
	for _, procs := range []int{1, 4} {
		all = append(all, Spec{Cost: 10 * us, Rate: 30_000, Procs: procs})
	}
	for _, mix := range []choose.Mix{choose.Timers, choose.Microtasks, choose.Promises} {
		all = append(all, Spec{Cost: us, Rate: 50_000, Mix: mix})
	}
	for _, cost := range []time.Duration{0, us, 10 * us} {
		all = append(all, Spec{Cost: cost, Limit: true})
	}
	// A busy machine. At 100k a second the idle category is among the brief ones.
	all = append(all, Spec{Rate: 1_000})
	for _, rate := range []int{1_000, 100_000} {
		all = append(all, Spec{Rate: rate, Computing: result.Crowded}, Spec{Rate: rate, Computing: result.Overloaded})
	}
	return all
}

// All returns every open-loop category, first the categories of a quick run. The others are marked as points of a
// sweep.
func All() []workload.Workload {
	var all []workload.Workload
	for i, s := range slices.Concat(brief, axes()) {
		w := Workload(s)
		w.Sweep = i >= len(brief)
		all = append(all, w)
	}
	return all
}
