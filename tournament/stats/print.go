package stats

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Significant prints a figure with so many significant digits, and never with an exponent.
func Significant(v float64, digits int) string {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', max(0, digits-1-int(math.Floor(math.Log10(math.Abs(v))))), 64)
}

// Duration prints nanoseconds with three digits at most, and the unit that fits.
func Duration(ns float64) string {
	v, unit := ns, "ns"
	for _, u := range []struct {
		size float64
		name string
	}{{1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}} {
		if ns >= 0.9995*u.size {
			v, unit = ns/u.size, u.name
		}
	}
	s := Significant(v, 3)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s + " " + unit
}

// String gives the interval the way all reports do: the ratio and its ends.
func (v Interval) String() string {
	if math.IsNaN(v.Lo) {
		return Times(v.Ratio)
	}
	return fmt.Sprintf("%s (%s–%s)", Times(v.Ratio), Times(v.Lo), Times(v.Hi))
}

// Times prints a ratio with as many digits as tell something. An interval of few processes may span dozens of powers of ten: its
// ends are cut at a factor of 100,000.
func Times(ratio float64) string {
	switch {
	case math.IsNaN(ratio):
		return "–"
	case ratio > 100_000:
		return "over 100,000"
	case ratio < 0.00001:
		return "under 0.00001"
	case ratio >= 99.5:
		return fmt.Sprintf("%.0f", ratio)
	case ratio >= 9.95:
		return fmt.Sprintf("%.1f", ratio)
	case ratio != 1 && ratio > 0.995 && ratio < 1.005:
		return fmt.Sprintf("%.3f", ratio) // which side of 1 it is on decides
	case ratio >= 0.0995:
		return fmt.Sprintf("%.2f", ratio)
	}
	return Significant(ratio, 2)
}
