package choose

import "testing"

func TestRatesAreReadAsTheyAreWritten(t *testing.T) {
	for text, want := range map[string]float64{"800": 800, "50k": 50_000, "1.2M": 1_200_000, "0.5k": 500} {
		if got, err := ParseRate(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "0", "-5", "k", "fast", "1e30", "NaN", "Inf"} {
		if got, err := ParseRate(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
	for rate, want := range map[float64]string{800: "800", 50_000: "50k", 999_900: "1M", 1_234_000: "1.23M"} {
		if got := FormatRate(rate); got != want {
			t.Errorf("%v: %s", rate, got)
		}
	}
}
