package render

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// A Plots keeps the plots of a Markdown report as files, and returns where the report finds one.
type Plots func(name string, svg []byte) (link string, err error)

// WriteMarkdown writes a report whose plots are files beside it. Each plot stands beside a table with the same figures, so
// that without files nothing is lost.
func WriteMarkdown(w io.Writer, r *Report, plots Plots) error {
	m := &markdown{Writer: bufio.NewWriter(w), plots: plots}
	fmt.Fprintf(m, "# %s\n", md(r.Title))
	if r.Subtitle != "" {
		fmt.Fprintf(m, "\n%s\n", md(r.Subtitle))
	}
	for _, s := range r.Sections {
		fmt.Fprintf(m, "\n%s %s\n", strings.Repeat("#", s.Level), md(s.Title))
		for _, block := range s.Blocks {
			if err := m.block(block); err != nil {
				return err
			}
		}
	}
	return m.Flush()
}

// WriteBlocks writes blocks as a part of a Markdown page, without plots.
func WriteBlocks(w io.Writer, blocks ...Block) error {
	m := &markdown{Writer: bufio.NewWriter(w)}
	for _, block := range blocks {
		if err := m.block(block); err != nil {
			return err
		}
	}
	return m.Flush()
}

type markdown struct {
	*bufio.Writer
	plots Plots
	drawn int
}

func (m *markdown) block(block Block) error {
	switch x := block.(type) {
	case Paragraph:
		fmt.Fprintf(m, "\n%s\n", md(string(x)))
	case List:
		m.WriteByte('\n')
		for _, item := range x {
			fmt.Fprintf(m, "- %s\n", md(item))
		}
	case *Table:
		mdTable(m.Writer, x)
	case *DotChart:
		return m.plot(drawDots(x, false))
	case *LineChart:
		return m.plot(drawLines(x, false))
	case Folded:
		fmt.Fprintf(m, "\n<details><summary>%s</summary>\n", md(x.Summary))
		for _, inner := range x.Blocks {
			if err := m.block(inner); err != nil {
				return err
			}
		}
		m.WriteString("\n</details>\n")
	case FindingList:
		m.WriteByte('\n')
		for _, f := range x {
			fmt.Fprintf(m, "- **%s** (%s): %s\n", md(string(f.Kind)), f.Severity, md(f.Text))
		}
	}
	return nil
}

func (m *markdown) plot(d *drawing) error {
	if m.plots == nil {
		return nil
	}
	m.drawn++
	link, err := m.plots(fmt.Sprintf("%02d-%s.svg", m.drawn, slug(d.Title)), d.svg())
	if err == nil {
		fmt.Fprintf(m, "\n![%s](%s)\n", md(d.Summary), link)
	}
	return err
}

// slug makes a file name of a title.
func slug(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9') {
			return r
		}
		return '-'
	}, s)
	return strings.ToLower(strings.Trim(s[:min(len(s), 60)], "-"))
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
