package result

import (
	"fmt"
	"maps"
	"slices"
)

// MaxFigure is the largest credible figure, in any unit: 10^18 ns is thirty years.
const MaxFigure = 1e18

// Fault describes an impossible value of a sample, or is "".
func (s *Sample) Fault() string {
	if s.N < 0 || s.Process < 0 || s.Round < 0 {
		return fmt.Sprintf("%d operations in process %d, round %d", s.N, s.Process, s.Round)
	}
	figures := []float64{s.NsPerOp, s.BytesPerOp, s.AllocsPerOp, float64(s.Elapsed)}
	for i, unit := range []string{"ns/op", "B/op", "allocs/op", "ns elapsed"} {
		if v := figures[i]; !(v >= 0 && v <= MaxFigure) { // false for NaN, too
			return fmt.Sprintf("%v %s", v, unit)
		}
	}
	for _, unit := range slices.Sorted(maps.Keys(s.Metrics)) {
		if v := s.Metrics[unit]; !(v >= -MaxFigure && v <= MaxFigure) {
			return fmt.Sprintf("%v %s", v, unit)
		}
	}
	return ""
}

// check returns the fault of a file that was read.
func (f *File) check() error {
	type key struct{ category, contestant string }
	seen := make(map[key]bool)
	for i := range f.Rows {
		r := &f.Rows[i]
		k := key{r.Category, r.Contestant}
		switch {
		case r.Category == "":
			return fmt.Errorf("row %d has no category", i+1)
		case seen[k]:
			return fmt.Errorf("%s of %s stands there twice", r.Category, r.Contestant)
		}
		seen[k] = true
		for j := range r.Samples {
			s := &r.Samples[j]
			if fault := s.Fault(); fault != "" {
				return fmt.Errorf("%s of %s: sample %d says %s, which nothing can have measured", r.Category, r.Contestant, j+1, fault)
			}
			if s.NsPerOp == 0 {
				return fmt.Errorf("%s of %s: sample %d took no time", r.Category, r.Contestant, j+1)
			}
		}
	}
	return nil
}
