package choose

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/result"
)

// A When is one line of the table "choose X when".
type When struct {
	Situation string   // "50k tasks a second of 10µs of work"
	Take      []string // the recommended ones; several if the first is not ahead of the others, none if all fall behind
	Latency   string   // the 99th percentile of the recommended ones
	Next      string   // the first that is slower, with its figure
	Behind    []string // those that fall behind
	Cheapest  string   // who takes the least processor time for a task, with the figure
	Evidence  string   // the category

	// NoAnswer is why the samples give none: the control was disturbed, or the replica differs from its original.
	NoAnswer string
}

// ChooseWhen makes the table from the rows of results. It is empty if they have no open-loop categories.
func ChooseWhen(rows []result.Row) []When {
	var lines []When
	for _, c := range Choices(rows) {
		line := When{Situation: c.situation(), Take: names(c.Take), Evidence: c.Category}
		if len(c.Take) > 0 {
			line.Latency = fmt.Sprint(round(c.Take[0].P99))
			if most := slowest(c.Take); round(most) != round(c.Take[0].P99) {
				line.Latency += fmt.Sprint(" … ", round(most))
			}
		}
		if c.disturbed(0) {
			line.NoAnswer = "even the control was disturbed"
		} else if c.Differs {
			line.NoAnswer = "the replica differs from its original"
		}
		if line.NoAnswer != "" {
			line.Take, line.Latency = nil, ""
		}
		if c.Shared {
			line.Situation += " (processors shared with the generator)"
		}
		for _, f := range c.Others {
			if !f.Sustained {
				line.Behind = append(line.Behind, f.Contestant)
			} else if line.Next == "" {
				line.Next = fmt.Sprintf("%s %v", f.Contestant, round(f.P99))
			}
		}
		if f := c.cheapest(); f != nil {
			line.Cheapest = fmt.Sprintf("%s %v", f.Contestant, round(f.Processor))
		}
		lines = append(lines, line)
	}
	return lines
}

// Columns are the headings of the table, for [When.Cells].
func Columns() []string {
	return []string{"When there are", "Take", "p99 latency", "Next", "Not sustained by", "Least processor time a task", "Evidence"}
}

// Cells are the line as text. "–" stands for a missing value.
func (w *When) Cells() []string {
	take := list(w.Take, "or")
	switch {
	case w.NoAnswer != "":
		take = "no answer: " + w.NoAnswer
	case len(w.Take) == 0:
		take = "nobody: it is too much for all"
	case len(w.Take) > 1:
		take += " (level or undecided)"
	}
	cells := []string{w.Situation, take, w.Latency, w.Next, strings.Join(w.Behind, ", "), w.Cheapest, w.Evidence}
	for i := range cells {
		cells[i] = cmp.Or(cells[i], "–")
	}
	return cells
}

// WriteChooseWhen writes the table in Markdown.
func WriteChooseWhen(w io.Writer, rows []result.Row) error {
	lines := []string{strings.Join(Columns(), " | "), strings.Join(slices.Repeat([]string{"---"}, len(Columns())), "|")}
	for _, line := range ChooseWhen(rows) {
		lines = append(lines, strings.Join(line.Cells(), " | "))
	}
	for _, line := range lines {
		if _, err := fmt.Fprintf(w, "| %s |\n", line); err != nil {
			return err
		}
	}
	return nil
}
