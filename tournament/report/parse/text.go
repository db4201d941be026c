package parse

import (
	"bufio"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/eventloop-go/eventloop/tournament/result"
)

// rowKey tells the rows of a log apart. Two packages may have a benchmark of the same name, and -cpu runs one
// benchmark with several suffixes.
type rowKey struct {
	pkg  string
	full string // the name with its -N suffix
}

func readText(name string, r *bufio.Reader) (*Input, error) {
	in := &Input{Path: name, Format: FormatText}
	repair := &repairer{in: in, br: r}
	br := benchfmt.NewReader(repair, name)
	rows := make(map[rowKey]*Row)
	pkg := ""
	for br.Scan() {
		switch rec := br.Result().(type) {
		case *benchfmt.SyntaxError:
			in.Add(Unparsable, rec.Line, "%s", rec.Msg)
		case *benchfmt.Result:
			if p := rec.GetConfig("pkg"); p != pkg {
				pkg = strings.Clone(p)
			}
			// The conversion inside the index expression does not allocate.
			row := rows[rowKey{pkg, string(rec.Name)}]
			if row == nil {
				if len(rows) == MaxRows {
					_, line := rec.Pos()
					return nil, &Error{File: name, Line: line, Msg: fmt.Sprintf("more than %d different benchmarks; no report can show them, split the file", MaxRows)}
				}
				full := string(rec.Name)
				row = newTextRow(rec, full, pkg)
				rows[rowKey{pkg, full}] = row
				in.Rows = append(in.Rows, row)
			}
			in.sample(row, rec)
		}
		if len(in.Rows) == 1 && in.Env.GOOS == "" {
			if rec, ok := br.Result().(*benchfmt.Result); ok {
				in.Env = environment(rec)
			}
		}
	}
	if err := br.Err(); err != nil {
		return nil, &Error{File: name, Line: repair.line, Msg: err.Error(), Err: err}
	}
	in.Lines = repair.line
	in.Rows = slices.DeleteFunc(in.Rows, func(r *Row) bool { return len(r.Samples) == 0 })
	if len(in.Rows) == 0 {
		return nil, noRows(in)
	}
	in.qualify()
	in.repeated()
	in.finish()
	return in, nil
}

func newTextRow(rec *benchfmt.Result, full, pkg string) *Row {
	_, line := rec.Pos()
	base, procs := splitProcs(full)
	return &Row{Name: "Benchmark" + base, Package: pkg, Procs: procs, Line: line}
}

// sample adds the figures of one result line to its row.
func (in *Input) sample(row *Row, rec *benchfmt.Result) {
	_, line := rec.Pos()
	s := Sample{N: rec.Iters, Ns: math.NaN(), Line: line}
	for _, v := range rec.Values {
		value, unit := v.Value, v.Unit
		if v.OrigUnit != "" {
			// benchfmt converts to seconds; we print what the log said.
			value, unit = v.OrigValue, v.OrigUnit
		}
		if !believable(value) {
			in.Add(Unparsable, line, "%s: %v %s is no measurement", row.Name, value, unit)
			return
		}
		switch unit {
		case "ns/op":
			s.Ns = value
		case "B/op":
			s.Bytes, s.HasMem = value, true
		case "allocs/op":
			s.Allocs, s.HasMem = value, true
		default:
			if row.Metrics == nil {
				row.Metrics = make(map[string][]float64)
			}
			row.Metrics[unit] = append(row.Metrics[unit], value)
		}
	}
	if math.IsNaN(s.Ns) {
		in.Add(Unparsable, line, "%s has no ns/op figure", row.Name)
		return
	}
	if rec.Iters <= 0 {
		in.Add(Doubtful, line, "%s reports %d iterations", row.Name, rec.Iters)
	}
	row.Samples = append(row.Samples, s)
}

func believable(v float64) bool { return v >= 0 && v <= MaxFigure }

func environment(rec *benchfmt.Result) result.Environment {
	procs, _ := strconv.Atoi(rec.GetConfig("gomaxprocs"))
	return result.Environment{
		GOOS: rec.GetConfig("goos"), GOARCH: rec.GetConfig("goarch"), CPU: rec.GetConfig("cpu"),
		GoVersion: rec.GetConfig("go"), GOMAXPROCS: procs, Date: parseDate(rec.GetConfig("date")),
		Execution: result.Execution(rec.GetConfig("execution")), Emulator: rec.GetConfig("emulator"),
	}
}

func noRows(in *Input) error {
	msg := "holds no benchmark result; run go test -bench=. -benchmem -count=5 and keep its output"
	line := 0
	for _, i := range in.Issues {
		if i.Kind != Noise {
			line = i.Line
			msg = fmt.Sprintf("holds no usable benchmark result in %d lines; the first problem: %s", in.Lines, i.Text)
			break
		}
	}
	return &Error{File: in.Path, Line: line, Msg: msg}
}

// qualify gives rows of the same name, from several packages or -cpu values, names of their own.
func (in *Input) qualify() {
	type seen struct {
		packages, procs bool
		first           *Row
	}
	names := make(map[string]*seen, len(in.Rows))
	for _, r := range in.Rows {
		s := names[r.Name]
		if s == nil {
			names[r.Name] = &seen{first: r}
			continue
		}
		s.packages = s.packages || s.first.Package != r.Package
		s.procs = s.procs || s.first.Procs != r.Procs
	}
	for _, r := range in.Rows {
		s := names[r.Name]
		if s.procs {
			r.Name = fmt.Sprintf("%s-%d", r.Name, max(r.Procs, 1))
		}
		if s.packages {
			in.Add(Duplicate, r.Line, "%s stands in several packages; kept apart as %s.%s", r.Name, r.Package, r.Name)
			r.Name = r.Package + "." + r.Name
		}
	}
}

// repeated reports samples that agree in every figure, iteration count included: the same log, read twice.
func (in *Input) repeated() {
	for _, r := range in.Rows {
		if len(r.Samples) < 2 {
			continue
		}
		order := slices.Clone(r.Samples)
		slices.SortFunc(order, func(a, b Sample) int {
			return cmp.Or(cmp.Compare(a.N, b.N), cmp.Compare(a.Ns, b.Ns), cmp.Compare(a.Bytes, b.Bytes), cmp.Compare(a.Allocs, b.Allocs), cmp.Compare(a.Line, b.Line))
		})
		if order[0].N == order[len(order)-1].N {
			continue // a fixed count, or the most the testing package runs: agreement means nothing
		}
		for i := 1; i < len(order); i++ {
			a, b := order[i-1], order[i]
			if a.N == b.N && a.Ns == b.Ns && a.Bytes == b.Bytes && a.Allocs == b.Allocs && a.N < 1e9 {
				in.Add(Duplicate, b.Line, "%s repeats the sample of line %d in every figure; kept", r.Name, a.Line)
			}
		}
	}
}

// finish derives the rest from the rows.
func (in *Input) finish() {
	procs := -1
	for _, r := range in.Rows {
		switch {
		case procs == -1:
			procs = r.Procs
		case procs != r.Procs:
			procs = 0
		}
	}
	if in.Env.GOMAXPROCS == 0 && procs > 0 {
		in.Env.GOMAXPROCS = procs
	}
	if in.Label == "" {
		in.Label = stem(in.Path)
		if in.Env.GOOS != "" {
			in.Label = in.Env.GOOS + "/" + in.Env.GOARCH
			if in.Env.Execution == result.ExecutionEmulated {
				in.Label += " emulated"
			}
		}
	}
	in.counts()
}

// counts reports rows with another number of samples than most of their input.
func (in *Input) counts() {
	freq := make(map[int]int)
	for _, r := range in.Rows {
		if len(r.Samples) > 0 {
			freq[len(r.Samples)]++
		}
	}
	usual := 0
	for n, f := range freq {
		if f > freq[usual] || f == freq[usual] && n > usual {
			usual = n
		}
	}
	for _, r := range in.Rows {
		if n := len(r.Samples); n > 0 && n != usual {
			in.Add(Uneven, r.Line, "%s has %d samples, most rows have %d", r.Name, n, usual)
		}
	}
}
