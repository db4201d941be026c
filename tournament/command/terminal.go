package command

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// widthOf returns the columns of the terminal w, or 0 if w is not a terminal.
func widthOf(w io.Writer) int {
	if o, ok := w.(*output); ok {
		w = o.Writer
	}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 1 {
		return 80 // it is one, and does not say
	}
	return width
}

// clip cuts s to a number of columns and marks the cut.
func clip(s string, columns int) string {
	if utf8.RuneCountInString(s) <= columns {
		return s
	}
	if columns < 1 {
		return ""
	}
	return string([]rune(s)[:columns-1]) + "…"
}

// wrap breaks text into lines of at most width columns, or 100 if width is 0, each after the indent.
func wrap(text, indent string, width int) string {
	if width == 0 {
		width = 100
	}
	var b strings.Builder
	column := 0
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case column == 0:
			b.WriteString(indent)
			column = len(indent)
		case column+1+n > width:
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	if column > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}
