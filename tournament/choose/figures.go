package choose

import (
	"bytes"
	"fmt"
	"io"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/eventloop-go/eventloop/tournament/result"
)

// WriteFigures writes the measurements of the open-loop categories among the rows, for a terminal of that many
// columns, or for no terminal if width is 0. It writes nothing for rows without them. Tables that are too wide for
// the terminal leave columns out, and say so.
func WriteFigures(w io.Writer, rows []result.Row, width int) error {
	b := figures(rows, wide)
	for line := range bytes.Lines(b) {
		if width > 0 && utf8.RuneCount(bytes.TrimRight(line, " \n")) > width {
			b = figures(rows, narrow)
			break
		}
	}
	_, err := w.Write(b)
	return err
}

// A layout is how wide tables are.
type layout bool

const (
	wide   layout = false
	narrow layout = true
)

func figures(rows []result.Row, as layout) []byte {
	var b bytes.Buffer
	choices := Choices(rows)
	if len(choices) > 0 {
		b.WriteString("\nopen loop: latency from the intended start to the end, medians of the samples\n")
		if as == narrow {
			b.WriteString("A wider terminal shows p90, max, processor time, heap and rates.\n")
		}
	}
	for i := range choices {
		c := &choices[i]
		before := map[layout]string{wide: " ", narrow: "\n  "}[as]
		fmt.Fprintf(&b, "\n%s", c.Category)
		if c.Shared {
			b.WriteString(before + "(generators and loop share processors)")
		}
		if c.disturbed(0) {
			b.WriteString(before + "(disturbed: the control shows that the machine was busy with something else)")
		}
		if c.Differs {
			b.WriteString(before + "(no answer: the replica differs from its original)")
		}
		if c.Oversubscribed {
			b.WriteString(before + "(oversubscribed: GOMAXPROCS is above the number of processors)")
		}
		b.WriteString("\n")
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		if as == wide {
			fmt.Fprint(t, "  contestant\tp50\tp90\tp99\tp99.9\tmax\tgenerator late, p99\tprocessor/task\theap\ttasks/s\t\n")
		} else {
			fmt.Fprint(t, "  contestant\tp50\tp99\tp99.9\tlate, p99\t\n")
		}
		figures := append(append([]Figure{}, c.Take...), c.Others...)
		for _, f := range []*Figure{c.Replica, c.Control} {
			if f != nil {
				figures = append(figures, *f)
			}
		}
		for _, f := range figures {
			note := ""
			switch {
			case !f.Sustained:
				note = "not sustained"
			case c.Control != nil && f.Contestant == c.Control.Contestant:
				note = "control"
			case c.Replica != nil && f.Contestant == c.Replica.Contestant:
				note = map[layout]string{wide: "replica: the difference is noise", narrow: "replica"}[as]
			}
			if as == narrow {
				fmt.Fprintf(t, "  %s\t%v\t%v\t%v\t%v\t%s\n", f.Contestant, round(f.P50), round(f.P99), round(f.P999), round(f.Late), note)
				continue
			}
			processor := "–"
			if f.Processor > 0 {
				processor = fmt.Sprint(round(f.Processor))
			}
			fmt.Fprintf(t, "  %s\t%v\t%v\t%v\t%v\t%v\t%v\t%s\t%.1f MB\t%s\t%s\n", f.Contestant, round(f.P50), round(f.P90), round(f.P99), round(f.P999), round(f.Max),
				round(f.Late), processor, f.Heap/1e6, FormatRate(f.Offered), note)
		}
		_ = t.Flush() // into memory
	}
	writeLimits(&b, rows)
	return b.Bytes()
}

// writeLimits writes the rates that the search has found.
func writeLimits(b *bytes.Buffer, rows []result.Row) {
	category := ""
	for _, l := range Limits(rows) {
		if l.Category != category {
			category = l.Category
			fmt.Fprintf(b, "\n%s: tasks a second with 99 %% of the latencies within a limit\n", category)
		}
		rate := func(v float64) string {
			if v == 0 {
				return "none"
			}
			return FormatRate(v)
		}
		fmt.Fprintf(b, "  %-18s %8s within %v  %8s within %v  %8s at most\n", l.Contestant,
			rate(l.Within100us), 100*time.Microsecond, rate(l.Within1ms), time.Millisecond, rate(l.Capacity))
	}
}
