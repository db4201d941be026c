package gojavm

import (
	"math"
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// layout is the layout of inspectlayout.js.
func (p *plainInspector) layout(obj *goja.Object, output []string, base, open, end string, array bool, level int) string {
	before := ""
	if base != "" {
		before = base + " "
	}
	count := len(output)
	if array && count > 6 {
		output = p.columns(obj, output)
	}
	if p.current-level < inspectCompact && count == len(output) {
		total, broken := 2*len(output)+p.indent+len(open)+len(base)+10, false
		fits := total+len(output) <= inspectWidth
		for _, s := range output {
			total += len(s)
			broken = broken || strings.Contains(s, "\n")
		}
		if fits && total <= inspectWidth && !broken {
			return before + open + " " + strings.Join(output, ", ") + " " + end
		}
	}
	indent := "\n" + strings.Repeat(" ", p.indent)
	return before + open + indent + "  " + strings.Join(output, ","+indent+"  ") + indent + end
}

// columns sets the entries of an array of more than six in columns, if they are short and of similar width.
func (p *plainInspector) columns(obj *goja.Object, output []string) []string {
	total, longest, length := 0, 0, len(output)
	if length > inspectElements {
		length-- // the line that counts the rest
	}
	for _, s := range output[:length] {
		total += len(s) + 2
		longest = max(longest, len(s))
	}
	cell := longest + 2
	if cell*3+p.indent >= inspectWidth || float64(total)/float64(cell) <= 5 && longest > 6 {
		return output
	}
	biased := math.Max(float64(cell-3)-math.Sqrt(float64(cell)-float64(total)/float64(len(output))), 1)
	n := min(int(math.Floor(math.Sqrt(2.5*biased*float64(length))/biased+0.5)), (inspectWidth-p.indent)/cell, inspectCompact*4, inspectColumns)
	if n <= 1 {
		return output
	}
	right := true
	for i := 0; right && i < len(output); i++ {
		v := obj.Get(strconv.Itoa(i))
		right = goja.IsNumber(v) || isBigInt(v)
	}
	sizes := make([]int, n)
	for i, s := range output[:length] {
		sizes[i%n] = max(sizes[i%n], len(s)+2)
	}
	var lines []string
	for i := 0; i < length; i += n {
		var line strings.Builder
		last := min(i+n, length) - 1
		for j := i; j < last; j++ {
			pad(&line, output[j]+", ", sizes[j-i], right)
		}
		if right {
			pad(&line, output[last], sizes[last-i]-2, true)
		} else {
			line.WriteString(output[last])
		}
		lines = append(lines, line.String())
	}
	return append(lines, output[length:]...)
}

func pad(b *strings.Builder, s string, width int, right bool) {
	spaces := strings.Repeat(" ", max(0, width-len(s)))
	if right {
		b.WriteString(spaces + s)
	} else {
		b.WriteString(s + spaces)
	}
}
