package report

import (
	"fmt"

	"github.com/eventloop-go/eventloop/tournament/report/text"
)

// Bounds on what a report shows, whatever the format, so that a log of a quarter of a million rows gives a page that a
// browser can open. Findings, counts and the gate of -fail-on cover every row.
const (
	tableRows     = 5000
	chartBars     = 60
	findingsShown = 1000
	sectionsShown = 200
)

// first returns the rows that a table may show, and a note that says what is left out, empty if nothing is.
func first[T any](rows []T, most int) (shown []T, note string) {
	if len(rows) <= most {
		return rows, ""
	}
	return rows[:most], fmt.Sprintf("The first %s of %s; the rest is counted, and left out here.", text.Thousands(float64(most), 0), text.Thousands(float64(len(rows)), 0))
}
