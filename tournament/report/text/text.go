// Package text writes figures and lists as reports show them: one way for each.
package text

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/stats"
)

// Thousands writes a figure with thousands separators and that many decimals.
func Thousands(v float64, decimals int) string {
	if math.IsInf(v, 0) || math.Abs(v) >= 1e12 {
		return fmt.Sprintf("%.4g", v)
	}
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	whole, frac, ok := strings.Cut(s, ".")
	var b strings.Builder
	b.WriteString(sign)
	for i, c := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	if ok {
		b.WriteString("." + frac)
	}
	return b.String()
}

// Digits writes a positive figure with three digits, or as a whole number if it has more.
func Digits(v float64) string {
	switch {
	case v >= 99.95:
		return Thousands(v, 0)
	case v >= 9.995:
		return Thousands(v, 1)
	}
	return Thousands(v, 2)
}

// Duration writes nanoseconds with three digits and the unit that fits.
func Duration(ns float64) string { return stats.Duration(ns) }

// Factor writes a ratio as a number of times.
func Factor(v float64) string { return stats.Times(v) + "×" }

// Percent writes a share.
func Percent(v float64) string { return fmt.Sprintf("%.1f%%", 100*v) }

// Count writes a number of things.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Thousands(float64(n), 0) + " " + many
}

// List puts names into a sentence: all of them if they are no more than most, or most is 0.
func List(names []string, most int) string {
	n := len(names)
	switch {
	case most > 0 && n > most:
		return fmt.Sprintf("%s and %s more", strings.Join(names[:most], ", "), Thousands(float64(n-most), 0))
	case n > 1:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// Shortened cuts a text that has more than so many characters.
func Shortened(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
