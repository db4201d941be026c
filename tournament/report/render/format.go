package render

import (
	"fmt"
	"math"
	"strings"
	"unicode"

	"github.com/eventloop-go/eventloop/tournament/report/text"
)

// none stands for a figure that does not exist. It is never shown as zero.
const none = "–"

// Number makes a cell of a figure with thousands separators and the given decimals.
func Number(v float64, decimals int) Cell {
	if math.IsNaN(v) {
		return Cell{Text: none, Value: v, Mark: Muted}
	}
	return Cell{Text: text.Thousands(v, decimals), Value: v}
}

// Int makes a cell of a count.
func Int(n int) Cell { return Number(float64(n), 0) }

// Percent makes a cell of a share, such as 0.021 for 2.1%.
func Percent(v float64) Cell {
	if math.IsNaN(v) {
		return Number(v, 0)
	}
	if math.Abs(v) > 1000 {
		return Cell{Text: fmt.Sprintf("%.3g%%", 100*v), Value: v}
	}
	return Cell{Text: text.Percent(v), Value: v}
}

// Ratio makes a cell of a ratio.
func Ratio(v float64) Cell {
	switch {
	case math.IsNaN(v):
		return Number(v, 0)
	case math.IsInf(v, 1):
		return Cell{Text: "∞", Value: v}
	}
	return Cell{Text: text.Thousands(v, 2) + "×", Value: v}
}

// PValue makes a cell of a p-value.
func PValue(p float64) Cell {
	switch {
	case math.IsNaN(p):
		return Number(p, 0)
	case p == 0 || p >= 0.0001:
		return Cell{Text: fmt.Sprintf("%.4f", p), Value: p}
	}
	return Cell{Text: fmt.Sprintf("%.1e", p), Value: p}
}

// clean takes from a text what could do more than be read: control characters, which a terminal obeys, and the marks
// that reverse the direction of writing.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == '\u2028', r == '\u2029':
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
