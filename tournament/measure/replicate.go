package measure

import (
	"context"
	"fmt"
	"time"

	"github.com/eventloop-go/eventloop/tournament/result"
)

// A Launch carries out one order of a plan in a process of its own: it measures every entry once.
type Launch func(ctx context.Context, o Order, watch func(Progress)) (*result.File, error)

// Replicate measures every entry p.Count times, each time in another process. What is drawn once for a process, such as
// the layout of its memory and the number of operations, is then drawn anew for every sample, so that the spread of the
// samples shows it.
//
// It returns as much as there is when ctx ends, and so it does, with the error, when a process ends before it is done.
func Replicate(ctx context.Context, p Plan, launch Launch, watch func(Progress)) (all *result.File, err error) {
	hints := make([]int, len(p.Entries))
	steps := 2 * len(p.Entries) // a calibration and a sample each
	began := time.Now()
	for process := 1; process <= p.Count && ctx.Err() == nil; process++ {
		f, err := launch(ctx, Order{Process: process, Hints: hints}, func(now Progress) {
			if watch == nil || now.Category == "" && process < p.Count {
				return
			}
			now.Process, now.Processes = process, p.Count
			now.Done, now.Total = now.Done+(process-1)*steps, p.Count*steps
			if now.Left += p.Benchtime * time.Duration(2*len(p.Entries)*(p.Count-process)); process > 1 {
				now.Left = time.Since(began) * time.Duration(now.Total-now.Done) / time.Duration(max(1, now.Done))
			}
			watch(now)
		})
		if err != nil {
			return all, fmt.Errorf("process %d of %d: %w", process, p.Count, err)
		}
		for i := range f.Rows {
			if n := len(f.Rows[i].Samples); n > 0 {
				hints[i] = f.Rows[i].Samples[n-1].N
			}
			for j := range f.Rows[i].Samples {
				f.Rows[i].Samples[j].Process = 1 // Join counts on
			}
		}
		if all == nil {
			all = f
		} else if err := all.Join(f); err != nil {
			return all, fmt.Errorf("process %d of %d %w", process, p.Count, err)
		}
	}
	if all == nil {
		all = &result.File{Schema: result.Schema}
	}
	all.Interrupted = all.Interrupted || ctx.Err() != nil
	all.Protocol.Count = p.Count
	return all, nil
}
