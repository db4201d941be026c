package choose

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTheFiguresFitIntoTheTerminal(t *testing.T) {
	all := rows("Load/cost=10us/rate=50k", map[string][]float64{
		"Main": {10, 11, 12}, "Main-Again": {10, 12, 13}, "AlternateThree-Coalesced": {-9000, -9000, -9000}, "Direct": {9, 9, 9},
	})
	write := func(width int) string {
		var b strings.Builder
		if err := WriteFigures(&b, all, width); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for line := range strings.Lines(write(80)) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, " \n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if got := write(80); !strings.Contains(got, "p99.9") || !strings.Contains(got, "A wider terminal shows") || !strings.Contains(got, "not sustained") {
		t.Error(got)
	}
	for _, width := range []int{0, 150} {
		if got := write(width); !strings.Contains(got, "p90") || strings.Contains(got, "A wider terminal") {
			t.Errorf("%d columns: %s", width, got)
		}
	}
}
