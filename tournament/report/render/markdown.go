package render

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"
)

// Charts have no Markdown form: each stands beside a table with the same figures.
func writeMarkdown(w io.Writer, r *Report) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "# %s\n", md(r.Title))
	if r.Subtitle != "" {
		fmt.Fprintf(b, "\n%s\n", md(r.Subtitle))
	}
	for _, s := range r.Sections {
		fmt.Fprintf(b, "\n%s %s\n", strings.Repeat("#", s.Level), md(s.Title))
		for _, block := range s.Blocks {
			switch x := block.(type) {
			case Paragraph:
				fmt.Fprintf(b, "\n%s\n", md(string(x)))
			case List:
				b.WriteByte('\n')
				for _, item := range x {
					fmt.Fprintf(b, "- %s\n", md(item))
				}
			case *Table:
				mdTable(b, x)
			case *HeatMap:
				mdTable(b, x.table())
			case FindingList:
				b.WriteByte('\n')
				for _, f := range x {
					fmt.Fprintf(b, "- **%s** (%s): %s\n", md(string(f.Kind)), f.Severity, md(f.Text))
				}
			}
		}
	}
	return b.Flush()
}

func mdTable(b *bufio.Writer, t *Table) {
	if t.Title != "" {
		fmt.Fprintf(b, "\n**%s**\n", md(t.Title))
	}
	b.WriteString("\n|")
	for _, c := range t.Columns {
		fmt.Fprintf(b, " %s |", md(c.Name))
	}
	b.WriteString("\n|")
	for _, c := range t.Columns {
		if c.Numeric {
			b.WriteString("---:|")
		} else {
			b.WriteString("---|")
		}
	}
	b.WriteByte('\n')
	for _, row := range t.Rows {
		b.WriteByte('|')
		for _, c := range row {
			text := md(c.Text)
			if c.Mark == Best && text != "" {
				text = "**" + text + "**"
			}
			fmt.Fprintf(b, " %s |", text)
		}
		b.WriteByte('\n')
	}
	if t.Note != "" {
		fmt.Fprintf(b, "\n%s\n", md(t.Note))
	}
}

var mdEscaper = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "*", `\*`, "`", "\\`", "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "#", `\#`, "~", `\~`,
)

// md escapes a text so that Markdown shows it as it is. Underscores inside words need no escape, and names have many.
func md(s string) string {
	s = mdEscaper.Replace(clean(s))
	if strings.HasPrefix(s, "_") || strings.Contains(s, " _") {
		s = strings.ReplaceAll(s, "_", `\_`)
	}
	return s
}

// table gives the heat map as a table of figures.
func (h *HeatMap) table() *Table {
	t := &Table{Title: h.Title, Columns: append(Words(h.Corner), Numbers(h.Columns...)...), Note: h.Note}
	for _, r := range h.Rows {
		row := []Cell{T(r.Name)}
		for _, v := range r.Values {
			c := Ratio(v)
			if v == 1 {
				c.Mark = Best
			}
			if math.IsNaN(v) {
				c.Mark = Muted
			}
			row = append(row, c)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
