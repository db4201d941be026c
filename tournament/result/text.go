package result

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"
)

// WriteText writes the samples in the Go benchmark format, one line each, rows in order. Rows without samples are
// left out: the format has no way to say why.
func (f *File) WriteText(w io.Writer) error {
	b := bufio.NewWriter(w) // keeps the first error for Flush
	e, p := &f.Environment, &f.Protocol
	fmt.Fprintf(b, "goos: %s\ngoarch: %s\ncpu: %s\ngo: %s\ngomaxprocs: %d\nexecution: %s\n",
		e.GOOS, e.GOARCH, e.CPU, e.GoVersion, e.GOMAXPROCS, e.Execution)
	if e.Emulator != "" {
		fmt.Fprintf(b, "emulator: %s\n", e.Emulator)
	}
	fmt.Fprintf(b, "date: %s\nbenchtime: %v\ncount: %d\norder: %s\n", e.Date.UTC().Format(time.RFC3339), p.Benchtime, p.Count, p.Order)
	if f.Interrupted {
		fmt.Fprint(b, "interrupted: true\n")
	}
	suffix := ""
	if e.GOMAXPROCS != 1 {
		suffix = "-" + strconv.Itoa(e.GOMAXPROCS)
	}
	for i := range f.Rows {
		row := &f.Rows[i]
		for j := range row.Samples {
			s := &row.Samples[j]
			fmt.Fprintf(b, "Benchmark%s/%s%s\t%d\t%s ns/op", row.Category, row.Contestant, suffix, s.N, decimal(s.NsPerOp))
			for _, unit := range slices.Sorted(maps.Keys(s.Metrics)) {
				fmt.Fprintf(b, "\t%s %s", decimal(s.Metrics[unit]), unit)
			}
			fmt.Fprintf(b, "\t%.0f B/op\t%.0f allocs/op\n", s.BytesPerOp, s.AllocsPerOp)
		}
	}
	return b.Flush()
}

// decimal writes four significant digits or more, as package testing does, and never an exponent.
func decimal(x float64) string {
	switch y := math.Abs(x); {
	case y == 0 || y >= 999.95:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case y >= 99.995:
		return strconv.FormatFloat(x, 'f', 1, 64)
	case y >= 9.9995:
		return strconv.FormatFloat(x, 'f', 2, 64)
	case y >= 0.99995:
		return strconv.FormatFloat(x, 'f', 3, 64)
	case y >= 0.099995:
		return strconv.FormatFloat(x, 'f', 4, 64)
	case y >= 0.0099995:
		return strconv.FormatFloat(x, 'f', 5, 64)
	case y >= 0.00099995:
		return strconv.FormatFloat(x, 'f', 6, 64)
	default:
		return strconv.FormatFloat(x, 'f', 7, 64)
	}
}
