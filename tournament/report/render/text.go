package render

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

const (
	textWidth = 80
	gap       = "  "
	// minText is how far a column of names is narrowed, by folding, before a table is split instead.
	minText = 26
)

// A textWriter writes for a terminal of that many columns.
type textWriter struct {
	*bufio.Writer
	width int
}

// WriteText writes blocks as plain text for a terminal of that many columns, or for none if width is 0.
func WriteText(w io.Writer, width int, blocks ...Block) error {
	if width == 0 {
		width = 1 << 20
	}
	b := &textWriter{bufio.NewWriter(w), width}
	for _, block := range blocks {
		fmt.Fprintln(b)
		b.block(block)
	}
	return b.Flush()
}

func writeText(w io.Writer, r *Report) error {
	b := &textWriter{bufio.NewWriter(w), textWidth}
	b.heading(r.Title, "=")
	if r.Subtitle != "" {
		fmt.Fprintln(b)
		b.paragraph("", r.Subtitle)
	}
	for _, s := range r.Sections {
		fmt.Fprintln(b)
		if s.Level <= 2 {
			fmt.Fprintln(b)
		}
		b.heading(s.Title, map[bool]string{true: "-", false: "."}[s.Level <= 2])
		for _, block := range s.Blocks {
			fmt.Fprintln(b)
			b.block(block)
		}
	}
	return b.Flush()
}

func (b *textWriter) heading(title, rule string) {
	b.paragraph("", title)
	fmt.Fprintln(b, strings.Repeat(rule, min(b.width, utf8.RuneCountInString(clean(title)))))
}

func (b *textWriter) block(block Block) {
	switch x := block.(type) {
	case Paragraph:
		b.paragraph("", string(x))
	case List:
		for _, item := range x {
			b.paragraph("- ", item)
		}
	case *Table:
		b.table(x)
	case *DotChart:
		b.dots(x)
	case Folded:
		b.paragraph("", x.Summary)
		for _, inner := range x.Blocks {
			fmt.Fprintln(b)
			b.block(inner)
		}
	case FindingList:
		for _, f := range x {
			b.paragraph("* ", fmt.Sprintf("[%s, %s] %s", f.Severity, f.Kind, f.Text))
		}
	}
}

// paragraph writes text folded to the width; lead stands before the first line and indents the others.
func (b *textWriter) paragraph(lead, s string) {
	for i, line := range fold(clean(s), b.width-utf8.RuneCountInString(lead)) {
		if i > 0 {
			lead = strings.Repeat(" ", utf8.RuneCountInString(lead))
		}
		fmt.Fprintln(b, lead+line)
	}
}

// fold breaks a text at spaces, and words too long for a line behind one of the marks that names are made of.
func fold(s string, width int) []string {
	var lines []string
	line := ""
	n := 0
	for _, word := range strings.Fields(s) {
		size := utf8.RuneCountInString(word)
		if n > 0 && n+1+size <= width {
			line, n = line+" "+word, n+1+size
			continue
		}
		if n > 0 {
			lines = append(lines, line)
		}
		for size > width {
			runes := []rune(word)
			cut := breakAt(runes, width)
			lines = append(lines, string(runes[:cut]))
			word, size = string(runes[cut:]), size-cut
		}
		line, n = word, size
	}
	if n > 0 || len(lines) == 0 {
		lines = append(lines, line)
	}
	return lines
}

// breakAt says where to break a word so that at most width runes stay: behind a mark that names are made of, or at the width.
func breakAt(word []rune, width int) int {
	for i := width - 1; i >= width/2; i-- {
		if strings.ContainsRune("/_-.=", word[i]) {
			return i + 1
		}
	}
	return width
}

// table fits a table into the width: it folds text first, then splits off columns, repeating the names.
func (b *textWriter) table(t *Table) {
	if t.Title != "" {
		b.paragraph("", t.Title)
	}
	if len(t.Columns) == 0 {
		return
	}
	key := keyColumn(t)
	cell := func(row []Cell, i int) string { return label(row[i].Text) } // the head says that it is a benchmark
	widths := make([]int, len(t.Columns))
	total := len(gap) * (len(widths) - 1)
	for i, c := range t.Columns {
		for _, word := range strings.Fields(clean(c.Name)) {
			widths[i] = max(widths[i], utf8.RuneCountInString(word))
		}
		for _, row := range t.Rows {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell(row, i)))
		}
		total += widths[i]
	}
	for i, c := range t.Columns {
		if most := min(b.width/2, max(minText, widths[i]-(total-b.width))); !c.Numeric && widths[i] > most || widths[i] > b.width/2 {
			total -= widths[i] - most
			widths[i] = most
		}
	}
	for from := 0; from < len(widths); {
		if from > 0 {
			fmt.Fprintln(b)
		}
		cols, width := []int{from}, widths[from]
		if from > key {
			cols, width = []int{key, from}, widths[key]+len(gap)+widths[from]
		}
		for from++; from < len(widths) && width+len(gap)+widths[from] <= b.width; from++ {
			cols, width = append(cols, from), width+len(gap)+widths[from]
		}
		b.row(t, widths, cols, func(c int) string { return clean(t.Columns[c].Name) })
		var rules []string
		for _, c := range cols {
			rules = append(rules, strings.Repeat("─", widths[c]))
		}
		fmt.Fprintln(b, strings.Join(rules, gap))
		for _, row := range t.Rows {
			b.row(t, widths, cols, func(c int) string { return cell(row, c) })
		}
	}
	if t.Note != "" {
		fmt.Fprintln(b)
		b.paragraph("", t.Note)
	}
}

// row writes some columns of one row, as many lines as the longest cell takes when it is folded.
func (b *textWriter) row(t *Table, widths, cols []int, text func(c int) string) {
	cells, height := make([][]string, len(cols)), 0
	for i, c := range cols {
		cells[i] = fold(text(c), widths[c])
		height = max(height, len(cells[i]))
	}
	for y := range height {
		var line []string
		for i, c := range cols {
			s := ""
			if y < len(cells[i]) {
				s = cells[i][y]
			}
			pad := strings.Repeat(" ", max(0, widths[c]-utf8.RuneCountInString(s)))
			if t.Columns[c].Numeric {
				s = pad + s
			} else {
				s += pad
			}
			line = append(line, s)
		}
		fmt.Fprintln(b, strings.TrimRight(strings.Join(line, gap), " "))
	}
}

// dots draws a dot chart with characters: the figure as o, its interval as a line, and | at 1 in a chart of ratios.
func (b *textWriter) dots(c *DotChart) {
	b.paragraph("", c.Title+" ("+c.unit()+")")
	name := 0
	for _, bar := range c.Bars {
		name = max(name, min(34, utf8.RuneCountInString(label(bar.Name))))
	}
	const figure = 12
	room := max(8, min(b.width, 100)-name-figure-2*len(gap))
	least, most, _ := c.extent()
	at := func(v float64) int {
		return int(math.Min(1, math.Max(0, math.Log(v/least)/math.Log(most/least)))*float64(room-1) + 0.5)
	}
	group := ""
	for _, bar := range c.Bars {
		if bar.Group != group {
			group = bar.Group
			b.paragraph("", group)
		}
		track, value := []rune(strings.Repeat(" ", room)), "no figure"
		if bar.Value > 0 && !math.IsInf(bar.Value, 0) {
			value = c.figure(bar.Value)
			if c.Left != "" {
				track[at(1)] = '|'
			}
			if bar.Lo > 0 && bar.Lo < bar.Hi {
				for i := at(bar.Lo); i <= at(bar.Hi); i++ {
					track[i] = '─'
				}
			}
			track[at(bar.Value)] = 'o'
		}
		short := shortened(bar.Name, float64(name)*perRune)
		fmt.Fprintf(b, "%s%s%s%s%s%*s\n", short, strings.Repeat(" ", max(0, name-utf8.RuneCountInString(short))), gap, string(track), gap, figure, value)
	}
}
