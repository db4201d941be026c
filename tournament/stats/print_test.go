package stats

import "testing"

func TestFiguresArePrintedPlainly(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Duration(0.00004), "0.00004 ns"}, {Duration(0.3), "0.3 ns"}, {Duration(97.12), "97.1 ns"}, {Duration(1040), "1.04 µs"}, {Duration(999_700), "1 ms"},
		{Duration(16_049_000), "16 ms"}, {Duration(2.5e9), "2.5 s"}, {Duration(123_456e9), "123456 s"}, {Significant(0.000012345, 2), "0.000012"}, {Significant(97.16, 3), "97.2"},
		{Times(0.00001), "0.000010"}, {Times(0.0052), "0.0052"}, {Times(0.5), "0.50"}, {Times(1.001), "1.001"}, {Times(12.34), "12.3"}, {Times(1e-9), "under 0.00001"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}
