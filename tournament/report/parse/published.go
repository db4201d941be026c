package parse

import (
	"math"
	"strconv"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/stats"
)

// A publishedRow is one entry of the published data files. The figures are pointers so that an absent one is not
// taken for zero.
type publishedRow struct {
	Name string `json:"name"`
	Runs []struct {
		Ns     *float64 `json:"ns_op"`
		Bytes  *float64 `json:"b_op"`
		Allocs *float64 `json:"allocs_op"`
	} `json:"runs"`
	Statistics map[string]struct {
		Mean *float64 `json:"mean"`
	} `json:"statistics"`
}

func readPublished(d *document) (*Input, error) {
	in := &Input{Path: d.name, Format: FormatPublished}
	var stamp string
	for key, v := range map[string]any{"platform": &in.Label, "goos": &in.Env.GOOS, "goarch": &in.Env.GOARCH, "timestamp": &stamp} {
		if err := d.take(key, v); err != nil {
			return nil, err
		}
	}
	in.Env.Date = parseDate(stamp)
	byName := make(map[string]*Row)
	if err := takeAll(d, "benchmarks", func(p *publishedRow, line int) error { return in.addPublished(d, byName, p, line) }); err != nil {
		return nil, err
	}
	if len(in.Rows) == 0 {
		return nil, d.fail(0, "holds no benchmark; \"benchmarks\" is empty")
	}
	return in, nil
}

func (in *Input) addPublished(d *document, byName map[string]*Row, p *publishedRow, line int) error {
	if strings.TrimSpace(p.Name) == "" {
		return d.fail(line, "the entry that starts here has no name")
	}
	name, procs := splitProcs(p.Name)
	row := byName[p.Name]
	if row != nil {
		in.Add(Duplicate, line, "%s already stands at line %d; its samples were added to that row", p.Name, row.Line)
	} else {
		if len(in.Rows) == MaxRows {
			return d.fail(line, "more than %d different benchmarks; split the file", MaxRows)
		}
		row = &Row{Name: name, Procs: procs, Line: line}
		byName[p.Name] = row
		in.Rows = append(in.Rows, row)
	}
	if len(p.Runs) == 0 {
		in.Add(Unparsable, line, "%s has no runs", p.Name)
		row.Error = "no runs in the file"
		return nil
	}
	for i, r := range p.Runs {
		if r.Ns == nil || !believable(*r.Ns) {
			in.Add(Unparsable, line, "%s: run %d has no usable ns_op", p.Name, i+1)
			continue
		}
		s := Sample{Ns: *r.Ns, Line: line}
		if r.Bytes != nil && r.Allocs != nil {
			if !believable(*r.Bytes) || !believable(*r.Allocs) {
				in.Add(Unparsable, line, "%s: run %d has impossible b_op or allocs_op", p.Name, i+1)
				continue
			}
			s.Bytes, s.Allocs, s.HasMem = *r.Bytes, *r.Allocs, true
		}
		row.Samples = append(row.Samples, s)
	}
	if st, ok := p.Statistics["ns_op"]; ok && st.Mean != nil && len(row.Samples) == len(p.Runs) {
		if mean := stats.Summarize(row.Ns()).Mean; math.Abs(mean-*st.Mean) > 1e-9*math.Max(mean, 1) {
			in.Add(Doubtful, line, "%s states a mean of %g, its runs give %g, which is used", row.Name, *st.Mean, mean)
		}
	}
	return nil
}

// splitProcs separates the -N suffix from a name.
func splitProcs(full string) (name string, procs int) {
	i := strings.LastIndexByte(full, '-')
	if i <= 0 || !isDigits([]byte(full[i+1:])) {
		return full, 0
	}
	n, err := strconv.Atoi(full[i+1:])
	if err != nil || n == 0 {
		return full, 0
	}
	return full[:i], n
}
