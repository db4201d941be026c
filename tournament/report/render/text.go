package render

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	textWidth = 80
	gap       = "  "
	// minText is how far a column of names is narrowed, by folding, before a table is split instead.
	minText = 26
)

func writeText(w io.Writer, r *Report) error {
	b := bufio.NewWriter(w)
	paragraph(b, "", r.Title)
	fmt.Fprintln(b, strings.Repeat("=", min(textWidth, utf8.RuneCountInString(clean(r.Title)))))
	if r.Subtitle != "" {
		fmt.Fprintln(b)
		paragraph(b, "", r.Subtitle)
	}
	for _, s := range r.Sections {
		fmt.Fprintln(b)
		if s.Level <= 2 {
			fmt.Fprintln(b)
		}
		paragraph(b, "", s.Title)
		rule := "-"
		if s.Level > 2 {
			rule = "."
		}
		fmt.Fprintln(b, strings.Repeat(rule, min(textWidth, utf8.RuneCountInString(clean(s.Title)))))
		for _, block := range s.Blocks {
			fmt.Fprintln(b)
			textBlock(b, block)
		}
	}
	return b.Flush()
}

func textBlock(b *bufio.Writer, block Block) {
	switch x := block.(type) {
	case Paragraph:
		paragraph(b, "", string(x))
	case List:
		for _, item := range x {
			paragraph(b, "- ", item)
		}
	case *Table:
		textTable(b, x)
	case *HeatMap:
		textTable(b, x.table())
	case *DotChart:
		textBars(b, x)
	case Folded:
		paragraph(b, "", x.Summary)
		for _, inner := range x.Blocks {
			fmt.Fprintln(b)
			textBlock(b, inner)
		}
	case FindingList:
		for _, f := range x {
			paragraph(b, "* ", fmt.Sprintf("[%s, %s] %s", f.Severity, f.Kind, f.Text))
		}
	}
}

// paragraph writes text folded to the width; lead stands before the first line and indents the others.
func paragraph(b *bufio.Writer, lead, s string) {
	for i, line := range fold(clean(s), textWidth-utf8.RuneCountInString(lead)) {
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

// breakAt says where to break a word so that at most width runes stay: behind a slash rather than behind another mark or
// before a capital.
func breakAt(word []rune, width int) int {
	for i := width - 1; i >= width/2; i-- {
		if word[i] == '/' {
			return i + 1
		}
	}
	for i := width - 1; i >= width/2; i-- {
		switch {
		case strings.ContainsRune("_-.=", word[i]):
			return i + 1
		case i > 0 && unicode.IsUpper(word[i]) && unicode.IsLower(word[i-1]):
			return i
		}
	}
	return width
}

// textTable fits a table into the width: it folds the names first, then splits off columns, repeating the names.
func textTable(b *bufio.Writer, t *Table) {
	if t.Title != "" {
		paragraph(b, "", t.Title)
	}
	if len(t.Columns) == 0 {
		return
	}
	key := keyColumn(t)
	cell := func(row []Cell, i int) string {
		s := clean(row[i].Text)
		if t.Columns[i].Name == "Benchmark" {
			// The head says it; the room is needed for the rest.
			s = strings.TrimPrefix(s, "Benchmark")
		}
		return s
	}
	widths := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		for _, word := range strings.Fields(clean(c.Name)) {
			widths[i] = max(widths[i], utf8.RuneCountInString(word))
		}
		for _, row := range t.Rows {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell(row, i)))
		}
		if !c.Numeric || widths[i] > textWidth/2 {
			widths[i] = min(widths[i], textWidth/2)
		}
	}
	shrink(widths, t.Columns)
	for part := 0; part < len(widths); {
		cols, next := chunk(widths, key, part)
		if part > 0 {
			fmt.Fprintln(b)
		}
		textPart(b, t, widths, cols, cell)
		part = next
	}
	if t.Note != "" {
		fmt.Fprintln(b)
		paragraph(b, "", t.Note)
	}
}

// shrink narrows columns of text until the table fits, if that is enough.
func shrink(widths []int, columns []Column) {
	for {
		total, widest := len(gap)*(len(widths)-1), -1
		for i, w := range widths {
			total += w
			if !columns[i].Numeric && w > minText && (widest < 0 || w > widths[widest]) {
				widest = i
			}
		}
		if total <= textWidth || widest < 0 {
			return
		}
		widths[widest] = max(minText, widths[widest]-(total-textWidth))
	}
}

// chunk returns the columns from part on that fit beside the key column, and where the next chunk begins.
func chunk(widths []int, key, part int) (cols []int, next int) {
	total := 0
	if part > key {
		cols, total = []int{key}, widths[key]
	}
	for next = part; next < len(widths); next++ {
		total += widths[next]
		if len(cols) > 0 {
			total += len(gap)
		}
		if total > textWidth && next > part {
			return cols, next
		}
		cols = append(cols, next)
	}
	return cols, next
}

func textPart(b *bufio.Writer, t *Table, widths, cols []int, cell func([]Cell, int) string) {
	head := make([][]string, len(cols))
	for i, c := range cols {
		head[i] = fold(clean(t.Columns[c].Name), widths[c])
	}
	textRow(b, t, widths, cols, head, true)
	for i, c := range cols {
		if i > 0 {
			b.WriteString(gap)
		}
		b.WriteString(strings.Repeat("─", widths[c]))
	}
	b.WriteByte('\n')
	for _, row := range t.Rows {
		cells := make([][]string, len(cols))
		for i, c := range cols {
			cells[i] = fold(cell(row, c), widths[c])
		}
		textRow(b, t, widths, cols, cells, false)
	}
}

func textRow(b *bufio.Writer, t *Table, widths, cols []int, cells [][]string, bottom bool) {
	height := 0
	for _, c := range cells {
		height = max(height, len(c))
	}
	for y := range height {
		var line strings.Builder
		for i, c := range cols {
			if i > 0 {
				line.WriteString(gap)
			}
			at := y
			if bottom {
				at = y - (height - len(cells[i]))
			}
			s := ""
			if at >= 0 && at < len(cells[i]) {
				s = cells[i][at]
			}
			pad := strings.Repeat(" ", max(0, widths[c]-utf8.RuneCountInString(s)))
			if t.Columns[c].Numeric {
				line.WriteString(pad + s)
			} else {
				line.WriteString(s + pad)
			}
		}
		fmt.Fprintln(b, strings.TrimRight(line.String(), " "))
	}
}

// textBars draws a bar chart with characters.
func textBars(b *bufio.Writer, c *DotChart) {
	paragraph(b, "", c.Title)
	name, most := 0, 0.0
	for _, bar := range c.Bars {
		name = max(name, min(24, utf8.RuneCountInString(clean(bar.Name))))
		most = max(most, bar.Value)
	}
	const figure = 14
	room := textWidth - name - figure - 2*len(gap)
	for _, bar := range c.Bars {
		lines := fold(clean(bar.Name), max(name, 1))
		n := 0
		if most > 0 {
			n = int(bar.Value / most * float64(room))
		}
		fmt.Fprintf(b, "%s%s%s%s%*s\n", lines[0], strings.Repeat(" ", max(0, name-utf8.RuneCountInString(lines[0]))), gap,
			strings.Repeat("█", n)+strings.Repeat(" ", room-n), figure, Thousands(bar.Value, 2))
		for _, l := range lines[1:] {
			fmt.Fprintln(b, l)
		}
	}
}
