package claims

import (
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// A cell is one figure of one table.
type cell struct {
	table string
	row   *group.Row
	unit  string // "" is ns/op
	value float64
}

// name is how texts refer to the cell.
func (c *cell) name() string {
	n := c.row.Category + "/" + c.row.Contestant
	if c.unit != "" {
		n += " (" + c.unit + ")"
	}
	return n + " in " + c.table
}

// readings are the figures that a text may give for the cell: the value, or one of two under one name.
func (c *cell) readings() []float64 {
	if c.unit == "" {
		return append(c.row.Cells[0].Ns(), c.value)
	}
	return []float64{c.value}
}

// value is the figure of a row: the median of its samples. It is NaN if the row lacks that unit.
func value(r *group.Row, unit string) float64 {
	c := r.Cells[0]
	var values []float64
	switch unit {
	case "":
		values = c.Ns()
	case "B/op":
		values = c.Bytes()
	case "allocs/op":
		values = c.Allocs()
	default:
		if c != nil {
			values = c.Metrics[unit]
		}
	}
	if len(values) == 0 {
		return math.NaN()
	}
	return stats.Median(values)
}

// cells finds what references mean, in the order of the references and tables.
func (d *Document) cells(references string) []cell {
	var out []cell
	for _, reference := range strings.Fields(references) {
		tables, name, ok := strings.Cut(reference, ":")
		if !ok {
			continue
		}
		unit := ""
		if i := strings.IndexByte(name, '['); i >= 0 && strings.HasSuffix(name, "]") {
			name, unit = name[:i], name[i+1:len(name)-1]
		}
		for _, table := range strings.Split(tables, ",") {
			t := d.rows[table]
			if t == nil {
				continue
			}
			for _, r := range t.Rows {
				_, replica := result.ReplicaOf(r.Contestant)
				if r.Contestant == "" || replica && strings.Contains(name, "*") || !matches(name, r.Category+"/"+r.Contestant) {
					continue
				}
				if v := value(r, unit); !math.IsNaN(v) {
					out = append(out, cell{table, r, unit, v})
				}
			}
		}
	}
	return out
}

// one finds what a reference to a single figure means.
func (d *Document) one(reference string) (cell, bool) {
	cs := d.cells(reference)
	if len(cs) != 1 {
		return cell{}, false
	}
	return cs[0], true
}

// matches reports whether a name fits a pattern, in which an asterisk stands for any characters but a slash.
func matches(pattern, name string) bool {
	if !strings.Contains(pattern, "*") {
		return pattern == name
	}
	if before, ok := strings.CutPrefix(pattern, "*/"); ok { // any category, which may have slashes
		i := strings.LastIndexByte(name, '/')
		return before == name[i+1:]
	}
	if before, ok := strings.CutSuffix(pattern, "_*"); ok {
		return strings.HasPrefix(name, before+"_")
	}
	fits, err := path.Match(pattern, name)
	return err == nil && fits
}

// categories finds the categories that a reference without contestant means in a table: those that have rows there, or the
// category itself if it is named in full.
func (d *Document) categories(table, pattern string) []string {
	if !strings.Contains(pattern, "*") {
		return []string{pattern}
	}
	var out []string
	for _, r := range d.rows[table].Rows {
		if r.Contestant != "" && matches(pattern, r.Category) && !slices.Contains(out, r.Category) {
			out = append(out, r.Category)
		}
	}
	return out
}

// A printed number is a number as it stands in a text.
type printed struct {
	value   float64
	unit    float64 // of its last digit
	percent bool
	about   bool // the text says "about"
}

func readPrinted(text string) (p printed, ok bool) {
	s := strings.ReplaceAll(text, ",", "")
	s, p.about = strings.CutPrefix(s, "~")
	s, p.percent = strings.CutSuffix(s, "%")
	v, err := strconv.ParseFloat(strings.TrimPrefix(s, "+"), 64)
	if err != nil {
		return p, false
	}
	p.value, p.unit = v, 1
	if i := strings.IndexByte(s, '.'); i >= 0 {
		p.unit = math.Pow(10, -float64(len(s)-i-1))
	}
	return p, true
}

// near reports whether a value may be printed like this: rounded or cut off in its last digit, or within a tenth if the text
// says "about".
func (p printed) near(v float64) bool {
	apart := math.Abs(v - p.value)
	return apart <= p.unit*1.0001 || p.about && apart <= 0.1*math.Abs(v)
}
