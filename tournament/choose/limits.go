package choose

import (
	"time"

	"github.com/eventloop-go/eventloop/tournament/result"
)

// A Limited has the highest rates at which the latency of a contestant stays within limits, in tasks a second. They
// are medians of the samples, 0 if there is no such rate.
type Limited struct {
	Category, Contestant             string
	Cost                             time.Duration // of a task
	Within100us, Within1ms, Capacity float64
}

// Limits reads the results of the categories that search for a rate, in the order of the rows.
func Limits(rows []result.Row) []Limited {
	var all []Limited
	for i := range rows {
		row := &rows[i]
		spec, ok := Parse(row.Category)
		if row.Kind != result.KindLoad || !ok || !spec.Limit || len(row.Samples) == 0 {
			continue
		}
		all = append(all, Limited{row.Category, row.Contestant, spec.Cost,
			middle(row.Samples, Limit100us), middle(row.Samples, Limit1ms), middle(row.Samples, Capacity)})
	}
	return all
}
