package command

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/eventloop-go/eventloop/tournament/measure"
)

// A progressMeter shows how far a run has come: one line that is drawn over on a terminal, else a line now and then.
type progressMeter struct {
	w     io.Writer
	width func() int // 0: no terminal
	now   func() time.Time

	drawn int       // columns on the line
	said  time.Time // when the last plain line was written
	round int       // of the last plain line
}

// plainEvery is the time between plain lines.
const plainEvery = 10 * time.Second

func newProgressMeter(w io.Writer) *progressMeter {
	return &progressMeter{w: w, width: func() int { return widthOf(w) }, now: time.Now, round: -1}
}

// begin describes the plan.
func (m *progressMeter) begin(p *measure.Plan) {
	switch {
	case p.Budget > 0:
		fmt.Fprintf(m.w, "%s, %s at most; Ctrl-C keeps what was measured\n", count(len(p.Entries), "row"), span(p.Budget))
	case p.Name == measure.NameSlices:
		fmt.Fprintf(m.w, "%s, slices of %s; Ctrl-C keeps what was measured\n", count(len(p.Entries), "row"), processes(p.Count))
	default:
		fmt.Fprintf(m.w, "%s, %s of %v each, about %s; Ctrl-C keeps what was measured\n",
			count(len(p.Entries), "row"), count(p.Count, "sample"), p.Benchtime.Round(time.Millisecond), span(p.Takes()))
	}
}

// show is called before every step.
func (m *progressMeter) show(p measure.Progress) {
	width := m.width()
	if width == 0 {
		m.plain(p)
		return
	}
	line := bar(p, width-1) // the last column would wrap on some terminals
	n := utf8.RuneCountInString(line)
	fmt.Fprint(m.w, "\r", line, strings.Repeat(" ", max(0, min(m.drawn, width-1)-n)))
	m.drawn = n
}

// plain writes a line for a new round, and one every ten seconds.
func (m *progressMeter) plain(p measure.Progress) {
	now := m.now()
	round := max(p.Round, p.Process)
	if p.Category == "" || round == m.round && now.Sub(m.said) < plainEvery {
		return
	}
	m.round, m.said = round, now
	fmt.Fprintf(m.w, "%3d%%  %s  %s left  %s %s\n", percent(p), stage(p), span(p.Left), p.Category, p.Contestant)
}

// end clears the line.
func (m *progressMeter) end() {
	if m.drawn > 0 {
		fmt.Fprint(m.w, "\r", strings.Repeat(" ", min(m.drawn, max(0, m.width()-1))), "\r")
	}
}

// bar draws the progress in at most width columns: always percentage and time left, and more if there is room.
func bar(p measure.Progress, width int) string {
	left := fmt.Sprintf("%3d%% %s left", percent(p), span(p.Left))
	const shortest, longest = 10, 30
	room := width - utf8.RuneCountInString(left) - 3 // brackets and a space
	if room < shortest {
		return clip(left, width)
	}
	text := left
	for _, more := range []string{stage(p), p.Category, p.Contestant} {
		space := room - shortest - 2
		if space < 8 || more == "" {
			break
		}
		more = clip(more, space)
		text += "  " + more
		room -= utf8.RuneCountInString(more) + 2
	}
	cells := min(room, longest)
	full := cells * p.Done / max(1, p.Total)
	return "[" + strings.Repeat("#", full) + strings.Repeat("-", cells-full) + "] " + text
}

func percent(p measure.Progress) int { return 100 * p.Done / max(1, p.Total) }

func stage(p measure.Progress) string {
	if p.Categories > 0 {
		return fmt.Sprintf("process %d, %d of %d decided", p.Process, p.Decided, p.Categories)
	}
	if p.Processes > 0 {
		return fmt.Sprintf("round %d of %d", p.Process, p.Processes)
	}
	if p.Round == 0 {
		return "calibrating"
	}
	return fmt.Sprintf("round %d of %d", p.Round, p.Rounds)
}

// span writes a duration for people.
func span(d time.Duration) string {
	d = d.Round(time.Second)
	if d < 2*time.Minute {
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
	return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
}

func processes(n int) string {
	if n == 1 {
		return "1 process"
	}
	return fmt.Sprintf("%d processes", n)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
