package command

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/eventloop-go/eventloop/tournament/measure"
)

var halfway = measure.Progress{
	Category: "MicroBatchBudget_ThroughputWithoutSleep/Burst=1024", Contestant: "AlternateThree",
	Round: 2, Rounds: 5, Done: 50, Total: 100, Left: 83 * time.Second,
}

func TestTheBarFitsIntoTheTerminalAndAlwaysShowsTheTimeLeft(t *testing.T) {
	for width := 1; width <= 200; width++ {
		line := bar(halfway, width)
		if n := utf8.RuneCountInString(line); n > width {
			t.Errorf("%d columns: %d used by %q", width, n, line)
		}
		if width >= 14 && !strings.Contains(line, "50% 83 s left") {
			t.Errorf("%d columns: %q", width, line)
		}
		if width >= 79 && !(strings.Contains(line, "[#") && strings.Contains(line, "-]") && strings.Contains(line, "round 2 of 5") && strings.Contains(line, "MicroBatch")) {
			t.Errorf("%d columns: %q", width, line)
		}
	}
}

func TestTheBarIsDrawnOverAndClearedAtTheEnd(t *testing.T) {
	var b bytes.Buffer
	m := newProgressMeter(&b)
	m.width = func() int { return 80 }
	m.show(halfway)
	shorter := halfway
	shorter.Category, shorter.Contestant = "PingPong", "Main"
	m.show(shorter)
	m.end()
	// The screen of a terminal: each carriage return starts over, and the rest of a longer line stays.
	var screen []rune
	for _, part := range strings.Split(b.String(), "\r") {
		for i, r := range []rune(part) {
			if i == len(screen) {
				screen = append(screen, r)
			}
			screen[i] = r
		}
		if strings.Contains(part, "PingPong") && strings.Contains(string(screen), "MicroBatch") {
			t.Errorf("the line before shows through: %q", string(screen))
		}
	}
	if strings.TrimSpace(string(screen)) != "" || strings.Contains(b.String(), "\n") {
		t.Errorf("left on the line: %q", string(screen))
	}
}

func TestWithoutATerminalProgressIsALinePerRoundOrTenSeconds(t *testing.T) {
	var b bytes.Buffer
	m := newProgressMeter(&b)
	now := time.Now()
	m.now = func() time.Time { return now }
	p := halfway
	for i := range 60 {
		p.Round = 1 + i/30
		m.show(p)
		now = now.Add(time.Second)
	}
	if n := strings.Count(b.String(), "\n"); n != 6 {
		t.Errorf("%d lines for 60 s in two rounds:\n%s", n, b.String())
	}
}

func TestWrapBreaksBetweenWords(t *testing.T) {
	if got, want := wrap("one two  three four", "  ", 11), "  one two\n  three\n  four\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
