package load

import (
	"bytes"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/eventloop-go/eventloop/tournament/result"
)

// WriteFigures writes what the open-loop categories among the rows have measured, for a terminal. It writes nothing if there
// are none.
func WriteFigures(w io.Writer, rows []result.Row) error {
	var b bytes.Buffer
	choices := Choices(rows)
	if len(choices) > 0 {
		b.WriteString("\nopen loop: latency from the intended start to the end, medians of the samples\n")
	}
	for i := range choices {
		c := &choices[i]
		fmt.Fprintf(&b, "\n%s", c.Category)
		if c.Shared {
			b.WriteString(" (generators and loop share processors)")
		}
		if c.disturbed() {
			b.WriteString(" (disturbed: the control shows that the machine was busy with something else)")
		}
		if c.Oversubscribed {
			b.WriteString(" (oversubscribed: GOMAXPROCS is above the number of processors)")
		}
		b.WriteString("\n")
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprint(t, "  contestant\tp50\tp90\tp99\tp99.9\tmax\tgenerator late, p99\tprocessor/task\theap\ttasks/s\t\n")
		figures := append(append([]Figure{}, c.Take...), c.Others...)
		for _, f := range []*Figure{c.Again, c.Control} {
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
			case c.Again != nil && f.Contestant == c.Again.Contestant:
				note = "the same again: the difference is noise"
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
	_, err := w.Write(b.Bytes())
	return err
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
