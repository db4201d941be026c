package command

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/eventloop-go/eventloop/tournament/report/stats"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/summary"
)

// writeWinners prints who won each category. Width is that of the terminal, or 0; if the table is wider than that,
// every category gets lines of its own.
func writeWinners(w io.Writer, categories []summary.Category, width int) {
	about := "ns/op, geometric mean ± half the distance between the quartiles. Bars: the taller, the slower, half as much again a step."
	if width > 0 {
		about = wrap(about, "", width)
	}
	fmt.Fprintf(w, "\n%s\n", strings.TrimRight(about, "\n"))
	for i, group := range summary.Groups(categories) {
		if i > 0 {
			fmt.Fprintln(w)
		}
		writeGroup(w, group, width)
	}
	writeTally(w, categories)
}

// writeGroup prints categories with the same contestants, in one table.
func writeGroup(w io.Writer, categories []summary.Category, width int) {
	table := grid(categories)
	columns := make([]int, len(table[0]))
	total := 0
	for _, row := range table {
		for i, cell := range row {
			columns[i] = max(columns[i], utf8.RuneCountInString(cell))
		}
	}
	for _, n := range columns {
		total += n + 2
	}
	kind := result.Kind("")
	for i, row := range table {
		if i > 0 && categories[i-1].Kind != kind {
			kind = categories[i-1].Kind
			fmt.Fprintf(w, "\n%s\n", kindTitle(kind))
		}
		switch {
		case width == 0 || total <= width:
			writeRow(w, row, columns)
		case i > 0:
			writeStacked(w, table[0], row, width)
		}
	}
}

// grid makes the cells, with a header.
func grid(categories []summary.Category) [][]string {
	header := []string{"category", "ahead", "ratio", "bars"}
	for _, s := range categories[0].Standings {
		header = append(header, s.Contestant)
	}
	table := [][]string{header}
	for i := range categories {
		c := &categories[i]
		winner, margin := verdict(c)
		row := []string{c.Name, winner, margin, c.Spark()}
		for _, s := range c.Standings {
			row = append(row, figure(s))
		}
		table = append(table, row)
	}
	return table
}

// verdict names who is ahead, or says why nobody is, and how much longer the second takes than the first.
func verdict(c *summary.Category) (winner, ratio string) {
	if c.First == "" {
		return "–", ""
	}
	ratio = fmt.Sprintf("%.2f×", c.Ratio)
	switch {
	case c.Void != "":
		return "no win", ratio
	case c.Winner() != "":
		return c.Winner(), ratio
	case c.Replicates < 2:
		return c.First + "?", ratio
	}
	return c.Outcome.String(), ratio
}

func percentage(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) }

func figure(s summary.Standing) string {
	switch {
	case s.Failed != "":
		return "failed"
	case s.NotApplicable != "":
		return "n/a"
	case s.Samples == 0:
		return "–"
	case s.Samples == 1:
		return summary.Figure(s.Figure)
	default:
		return summary.Figure(s.Figure) + " ±" + percentage(s.Spread)
	}
}

// writeRow writes a line of the table: the category to the left, figures to the right.
func writeRow(w io.Writer, row []string, columns []int) {
	var b strings.Builder
	for i, cell := range row {
		pad := strings.Repeat(" ", columns[i]-utf8.RuneCountInString(cell))
		if i < 2 || i == 3 {
			b.WriteString(cell + pad + "  ")
		} else {
			b.WriteString(pad + cell + "  ")
		}
	}
	fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
}

// writeStacked writes a category over several lines.
func writeStacked(w io.Writer, header, row []string, width int) {
	fmt.Fprintln(w, clip(row[0], width))
	words := []string{row[1] + " " + row[2] + " " + row[3]}
	for i := 4; i < len(row); i++ {
		words = append(words, header[i]+" "+row[i])
	}
	line := " "
	for _, word := range words {
		if line != " " && utf8.RuneCountInString(line)+2+utf8.RuneCountInString(word) > width {
			fmt.Fprintln(w, line)
			line = " "
		}
		line += " " + word + " "
	}
	fmt.Fprintln(w, strings.TrimRight(line, " "))
}

// writeTally sums up the corrected categories, says why published ones give no win, and what the noise is.
func writeTally(w io.Writer, categories []summary.Category) {
	wins, other, decided := make(map[string]int), make(map[stats.Outcome]int), 0
	var order, void []string
	unsure := false
	for i := range categories {
		c := &categories[i]
		unsure = unsure || c.First != "" && c.Replicates < 2
		if c.Void != "" {
			void = append(void, fmt.Sprintf("  %s: %s", c.Name, c.Void))
		}
		if c.Kind != result.KindTwin || c.First == "" {
			continue
		}
		decided++
		name := c.Winner()
		if name == "" {
			other[c.Outcome]++
			continue
		}
		if wins[name] == 0 {
			order = append(order, name)
		}
		wins[name]++
	}
	if len(void) > 0 {
		fmt.Fprintf(w, "\nno win:\n%s\n", strings.Join(void, "\n"))
	}
	if decided > 0 {
		var parts []string
		for _, name := range order {
			parts = append(parts, fmt.Sprintf("%s %d", name, wins[name]))
		}
		for _, o := range []stats.Outcome{stats.Equivalent, stats.Undecided} {
			if other[o] > 0 {
				parts = append(parts, fmt.Sprintf("%s %d", o, other[o]))
			}
		}
		fmt.Fprintf(w, "\nof %d corrected: %s\n", decided, strings.Join(parts, ", "))
	}
	if unsure {
		fmt.Fprint(w, "a question mark: one sample tells no noise, take 3 or more with -count\n")
	}
}

func kindTitle(k result.Kind) string {
	switch k {
	case result.KindLoop:
		return "published categories"
	case result.KindTwin:
		return "corrected twins"
	case result.KindPromise:
		return "published promise categories"
	case result.KindDescriptor:
		return "descriptors"
	default:
		return string(k)
	}
}
