package command

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	parselog "github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// writeFigures writes a Markdown table of Go benchmark output: the median of every unit of every row, with the range
// from the least to the greatest sample where there are several.
func writeFigures(w io.Writer, path string) error {
	l, err := parselog.ReadLog(path)
	if err != nil {
		return misuse("%v", err)
	}
	fmt.Fprintf(w, "%s/%s, %s. Medians, with the range of the samples.\n\n", l.GOOS, l.GOARCH, l.CPU)
	fmt.Fprint(w, "| benchmark | time per operation | memory per operation | besides |\n|---|---|---|---|\n")
	for _, name := range l.Names {
		fmt.Fprintln(w, figuresRow(name, l.Units[name]))
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
			memory = fmt.Sprintf("%s B, ", text.Thousands(stats.Summarize(values).Median, 0)) + memory
		case "allocs/op":
			memory += text.Thousands(stats.Summarize(values).Median, 0) + " allocs"
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
		return text.Thousands(v, 0)
	}
	return fmt.Sprintf("%.3g", v)
}
