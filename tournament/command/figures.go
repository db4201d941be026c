package command

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	reading "github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/stats"
)

// writeFigures writes a Markdown table of Go benchmark output: the median of every unit of every row, with the range
// from the least to the greatest sample where there are several.
func writeFigures(w io.Writer, path string) error {
	in, err := reading.Open(path)
	if err != nil {
		return misuse("%v; give a results.json, its directory, or the output of go test -bench", err)
	}
	env := in.Env
	fmt.Fprintf(w, "%s/%s, %s, GOMAXPROCS %d. Medians, with the range of the samples.\n\n", env.GOOS, env.GOARCH, env.CPU, in.Rows[0].Procs)
	fmt.Fprint(w, "| benchmark | time per operation | memory per operation | besides |\n|---|---|---|---|\n")
	for _, row := range in.Rows {
		memory := ""
		if b, a := row.Bytes(), row.Allocs(); len(b) > 0 {
			memory = fmt.Sprintf("%.0f B, %.0f allocs", stats.Summarize(b).Median, stats.Summarize(a).Median)
		}
		var besides []string
		for _, unit := range slices.Sorted(maps.Keys(row.Metrics)) {
			besides = append(besides, spread(row.Metrics[unit])+" "+unit)
		}
		time := ""
		if ns := row.Ns(); stats.Summarize(ns).Median > 0 {
			time = spread(ns) + " ns"
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", strings.TrimPrefix(row.Name, "Benchmark"), time, memory, strings.Join(besides, "; "))
	}
	return nil
}

// spread is the median and the range of samples.
func spread(samples []float64) string {
	s := stats.Summarize(samples)
	if s.N < 2 || s.Min == s.Max {
		return digits(s.Median)
	}
	return fmt.Sprintf("%s (%s … %s)", digits(s.Median), digits(s.Min), digits(s.Max))
}

// digits gives three significant digits to small numbers, and whole large ones.
func digits(v float64) string {
	if v >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}
