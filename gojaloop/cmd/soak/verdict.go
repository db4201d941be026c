package main

import (
	"fmt"
	"math"
)

// allowance is how much of each may be gained in the second half of a run beyond its spread. Goroutines and
// descriptors may differ by one or two while a runtime is replaced. Memory includes caches, histograms and queues,
// which grow to a bound.
var allowance = struct{ memory, goroutines, descriptors float64 }{1 << 20, 2, 2}

// A Trend is how a quantity went in the second half of the run, by a straight line through its rows.
//
// It is flat unless its growth is above allowance by more than its spread: twice the standard error.
type Trend struct {
	What                            string
	Rows                            int // of the second half
	Mean, Growth, Spread, Allowance float64
	Last, Limit                     float64 // the last row, and where a line from the same beginning would have to end to refute Flat
	Flat                            bool
}

// trend judges the second half of rows.
func trend(what string, rows []float64, allowance float64) Trend {
	rows = rows[len(rows)/2:]
	t := Trend{What: what, Allowance: allowance, Rows: len(rows)}
	t.Growth, t.Spread, t.Mean = line(rows)
	t.Flat = t.Growth-t.Spread <= allowance
	if len(rows) > 0 {
		t.Last = rows[len(rows)-1]
		t.Limit = t.Mean - t.Growth/2 + allowance + t.Spread
	}
	return t
}

// line fits a straight line by least squares. It returns the growth of the line from the first row to the last, and
// twice the standard error of that growth.
func line(rows []float64) (growth, spread, mean float64) {
	n := float64(len(rows))
	for _, row := range rows {
		mean += row / n
	}
	if n < 3 {
		return 0, 0, mean
	}
	var xx, xy, left float64
	for i, row := range rows {
		x := float64(i) - (n-1)/2
		xx += x * x
		xy += x * (row - mean)
	}
	for i, row := range rows {
		d := row - mean - xy/xx*(float64(i)-(n-1)/2)
		left += d * d
	}
	return xy / xx * (n - 1), 2 * math.Sqrt(left/(n-2)/xx) * (n - 1), mean
}

func (t Trend) String() string {
	unit, format := 1.0, "%.0f"
	if t.What == "memory" {
		unit, format = 1<<20, "%.2f MiB"
	}
	f := func(v float64) string { return fmt.Sprintf(format, v/unit) }
	verdict := "flat"
	switch {
	case t.Rows < 3:
		return fmt.Sprintf("%s: not judged, for there are %d rows", t.What, t.Rows)
	case !t.Flat:
		verdict = "GROWS"
	}
	return fmt.Sprintf("%s: %s. Mean %s in the second half (%d rows), which gains %s with a spread of %s; a line that ends above %s would refute it, the last row is %s",
		t.What, verdict, f(t.Mean), t.Rows, f(t.Growth), f(t.Spread), f(t.Limit), f(t.Last))
}
