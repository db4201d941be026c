package command

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/stats"
)

// writeFigures writes a Markdown table of Go benchmark output: the median of every unit of every row, with the range
// from the least to the greatest sample where there are several.
//
// Package report reads such output too, but for comparing times: it wants one in every row. Here the unit is the
// benchmark's own affair.
func writeFigures(w io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return misuse("%v; give a results.json, its directory, or the output of go test -bench", err)
	}
	defer f.Close()
	var names []string
	rows := make(map[string]map[string][]float64)
	var env benchfmt.Result
	reader := benchfmt.NewReader(f, path)
	for reader.Scan() {
		rec, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			continue // log lines
		}
		name := rec.Name.String()
		if rows[name] == nil {
			names = append(names, name)
			rows[name] = make(map[string][]float64)
		}
		for _, v := range rec.Values {
			value, unit := v.Value, v.Unit
			if v.OrigUnit != "" {
				value, unit = v.OrigValue, v.OrigUnit
			}
			rows[name][unit] = append(rows[name][unit], value)
		}
		env = *rec.Clone()
	}
	if err := reader.Err(); err != nil {
		return misuse("%v", err)
	}
	if len(names) == 0 {
		return misuse("%s has no benchmark results; give a results.json, its directory, or the output of go test -bench", path)
	}
	fmt.Fprintf(w, "%s/%s, %s. Medians, with the range of the samples.\n\n", env.GetConfig("goos"), env.GetConfig("goarch"), env.GetConfig("cpu"))
	fmt.Fprint(w, "| benchmark | time per operation | memory per operation | besides |\n|---|---|---|---|\n")
	for _, name := range names {
		fmt.Fprintln(w, figuresRow(name, rows[name]))
	}
	return nil
}

func figuresRow(name string, units map[string][]float64) string {
	var time, memory string
	var besides []string
	for _, unit := range slices.Sorted(maps.Keys(units)) {
		switch values := units[unit]; unit {
		case "ns/op":
			if stats.Summarize(values).Median > 0 {
				time = spread(values) + " ns"
			}
		case "B/op":
			memory = fmt.Sprintf("%s B, ", render.Thousands(stats.Summarize(values).Median, 0)) + memory
		case "allocs/op":
			memory += render.Thousands(stats.Summarize(values).Median, 0) + " allocs"
		default:
			besides = append(besides, spread(values)+" "+unit)
		}
	}
	return fmt.Sprintf("| %s | %s | %s | %s |", name, time, memory, strings.Join(besides, "; "))
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
		return render.Thousands(v, 0)
	}
	return fmt.Sprintf("%.3g", v)
}
