package parse

import (
	"fmt"
	"os"

	"golang.org/x/perf/benchfmt"
)

// A Log is the output of go test -bench with all units. Other readers of this package want a time
// in every row; here the unit is the benchmark's own affair.
type Log struct {
	GOOS, GOARCH, CPU string
	Names             []string                        // in order of first appearance, with the suffix of GOMAXPROCS
	Units             map[string]map[string][]float64 // samples by name and unit
}

// ReadLog reads a file.
func ReadLog(path string) (*Log, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w; give a results.json, its directory, or the output of go test -bench", err)
	}
	defer f.Close()
	l := &Log{Units: make(map[string]map[string][]float64)}
	reader := benchfmt.NewReader(f, path)
	for reader.Scan() {
		rec, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			continue // log lines
		}
		name := rec.Name.String()
		if l.Units[name] == nil {
			l.Names = append(l.Names, name)
			l.Units[name] = make(map[string][]float64)
		}
		for _, v := range rec.Values {
			value, unit := v.Value, v.Unit
			if v.OrigUnit != "" {
				value, unit = v.OrigValue, v.OrigUnit
			}
			l.Units[name][unit] = append(l.Units[name][unit], value)
		}
		l.GOOS, l.GOARCH, l.CPU = rec.GetConfig("goos"), rec.GetConfig("goarch"), rec.GetConfig("cpu")
	}
	if err := reader.Err(); err != nil {
		return nil, err
	}
	if len(l.Names) == 0 {
		return nil, fmt.Errorf("%s has no benchmark results; give a results.json, its directory, or the output of go test -bench", path)
	}
	return l, nil
}
