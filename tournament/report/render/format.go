package render

import (
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

// Missing is the cell of a figure that does not exist.
func Missing() Cell { return Number(math.NaN(), 0) }

// Percent makes a cell of a share, such as 0.021 for 2.1%.
func Percent(v float64) Cell {
	if math.IsNaN(v) {
		return Missing()
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
