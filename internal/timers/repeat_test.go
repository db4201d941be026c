package timers

import "testing"

func TestNextTickOfARepeatingTimer(t *testing.T) {
	for _, c := range []struct {
		missed            MissedTicks
		when, period, now int64
		want              int64
	}{
		{SkipMissed, 100, 10, 100, 110},
		{SkipMissed, 100, 0, 100, 101}, // a period of 0 must not be a divisor
		{CatchUpMissed, 100, 0, 100, 101},
		{SkipMissed, 100, 10, 109, 110},
		{SkipMissed, 100, 10, 110, 120}, // a tick that is due right now is missed: its callback is about to return
		{SkipMissed, 100, 10, 111, 120},
		{SkipMissed, 100, 10, 1_000_000_005, 1_000_000_010},
		{SkipMissed, 100, 1, 1_000_000, 1_000_001},
		{SkipMissed, Never - 5, 10, Never - 5, Never},
		{CatchUpMissed, 100, 10, 500, 110},
		{CatchUpMissed, Never - 5, 10, Never - 5, Never},
		{DelayMissed, 100, 10, 137, 147},
		{DelayMissed, 100, Never, 137, Never},
	} {
		if got := c.missed.Next(c.when, c.period, c.now); got != c.want {
			t.Errorf("policy %d, due at %d, period %d, now %d: next at %d, want %d", c.missed, c.when, c.period, c.now, got, c.want)
		}
	}
}

func TestCatchingUpIsBoundedAtTheEnd(t *testing.T) {
	for _, c := range []struct {
		missed         MissedTicks
		when, now, end int64
		want           int64
	}{
		{CatchUpMissed, 100, 50_000, 100, 110},
		{CatchUpMissed, 100, 50_000, 10_100, 110},
		{CatchUpMissed, 100, 50_000, 10_109, 110},
		{CatchUpMissed, 100, 50_000, 10_110, 120},
		{CatchUpMissed, 100, 1e12, 1e12, 1e12 - 10*CatchUpAtEnd + 10},
		{CatchUpMissed, 100, 1e12, -1, 110},
		{SkipMissed, 100, 50_001, 50_000, 50_010},
	} {
		got := c.missed.NextAtEnd(c.when, 10, c.now, c.end)
		if got != c.want {
			t.Errorf("policy %d, due at %d, now %d, end %d: next at %d, want %d", c.missed, c.when, c.now, c.end, got, c.want)
		}
	}
}
