package render

import (
	"bufio"
	"fmt"
	"io"
	"math"
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
	case *HeatMap:
		b.table(x.table())
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
func (b *textWriter) table(t *Table) {
	if t.Title != "" {
		b.paragraph("", t.Title)
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
		if !c.Numeric || widths[i] > b.width/2 {
			widths[i] = min(widths[i], b.width/2)
		}
	}
	b.shrink(widths, t.Columns)
	for part := 0; part < len(widths); {
		cols, next := b.chunk(widths, key, part)
		if part > 0 {
			fmt.Fprintln(b)
		}
		b.part(t, widths, cols, cell)
		part = next
	}
	if t.Note != "" {
		fmt.Fprintln(b)
		b.paragraph("", t.Note)
	}
}

// shrink narrows columns of text until the table fits, if that is enough.
func (b *textWriter) shrink(widths []int, columns []Column) {
	for {
		total, widest := len(gap)*(len(widths)-1), -1
		for i, w := range widths {
			total += w
			if !columns[i].Numeric && w > minText && (widest < 0 || w > widths[widest]) {
				widest = i
			}
		}
		if total <= b.width || widest < 0 {
			return
		}
		widths[widest] = max(minText, widths[widest]-(total-b.width))
	}
}

// chunk returns the columns from part on that fit beside the key column, and where the next chunk begins.
func (b *textWriter) chunk(widths []int, key, part int) (cols []int, next int) {
	total := 0
	if part > key {
		cols, total = []int{key}, widths[key]
	}
	for next = part; next < len(widths); next++ {
		total += widths[next]
		if len(cols) > 0 {
			total += len(gap)
		}
		if total > b.width && next > part {
			return cols, next
		}
		cols = append(cols, next)
	}
	return cols, next
}

func (b *textWriter) part(t *Table, widths, cols []int, cell func([]Cell, int) string) {
	head := make([][]string, len(cols))
	for i, c := range cols {
		head[i] = fold(clean(t.Columns[c].Name), widths[c])
	}
	b.row(t, widths, cols, head, true)
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
		b.row(t, widths, cols, cells, false)
	}
}

func (b *textWriter) row(t *Table, widths, cols []int, cells [][]string, bottom bool) {
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

// textDots draws a dot chart with characters: the figure as o, its interval as a line, and | at 1 in a chart of ratios.
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
