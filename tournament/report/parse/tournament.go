package parse

import (
	"github.com/eventloop-go/eventloop/tournament/result"
)

// readTournament reads results.json row by row, so that a faulty row is named by its line.
func readTournament(d *document) (*Input, error) {
	in := &Input{Path: d.name, Format: FormatTournament}
	schema, line := "", d.find("schema")
	if err := d.take("schema", &schema); err != nil {
		return nil, err
	}
	if !result.Readable(schema) {
		return nil, d.fail(line, "the schema is %s, this program reads %q; use the program that wrote the file", quote(schema), result.Schema)
	}
	for key, v := range map[string]any{"environment": &in.Env, "protocol": &in.Protocol, "about": &in.About, "interrupted": &in.Interrupted} {
		if err := d.take(key, v); err != nil {
			return nil, err
		}
	}
	byName := make(map[string]*Row)
	if err := takeAll(d, "rows", func(r *result.Row, line int) error { return in.addTournament(d, byName, r, line) }); err != nil {
		return nil, err
	}
	checks := make(map[checkKey]bool)
	if err := takeAll(d, "checks", func(c *result.Check, line int) error { return in.addCheck(d, checks, *c, line) }); err != nil {
		return nil, err
	}
	if len(in.Rows) == 0 && len(in.Loads) == 0 && len(in.Checks) == 0 && in.Env.Execution != result.ExecutionCompiled {
		return nil, d.fail(0, "holds neither rows nor checks; run the tournament again")
	}
	if in.Interrupted {
		in.Add(Truncated, 0, "the run was interrupted; some rows have fewer samples or none")
	}
	return in, nil
}

// From makes an input of a result that is not in a file.
func From(f *result.File) (*Input, error) {
	in := &Input{Path: "result", Format: FormatTournament, Env: f.Environment, Protocol: f.Protocol, About: f.About, Interrupted: f.Interrupted, Checks: f.Checks}
	d := &document{name: in.Path}
	byName := make(map[string]*Row)
	for i := range f.Rows {
		if err := in.addTournament(d, byName, &f.Rows[i], 0); err != nil {
			return nil, err
		}
	}
	in.finish()
	return in, nil
}

// Name is the name under which a row of the tournament is matched. The component suite measures the product alone, so
// that its rows carry the published names without a contestant.
func Name(kind result.Kind, category, contestant string) string {
	if contestant == "" || kind == result.KindComponent && contestant == "Main" {
		return "Benchmark" + category
	}
	return "Benchmark" + category + "/" + contestant
}

func (in *Input) addTournament(d *document, byName map[string]*Row, r *result.Row, line int) error {
	if r.Category == "" {
		return d.fail(line, "the row that starts here has no category")
	}
	if first, ok := result.ReplicaOf(r.Contestant); ok && r.Contestant != first+result.ReplicaSuffix { // an earlier name
		renamed := *r
		renamed.Contestant = first + result.ReplicaSuffix
		r = &renamed
	}
	name := Name(r.Kind, r.Category, r.Contestant)
	if len(in.Rows)+len(in.Loads) == MaxRows {
		return d.fail(line, "more than %d different rows; split the file", MaxRows)
	}
	if r.Kind == result.KindLoad {
		kept := *r
		kept.Samples = in.possible(r, name, line)
		in.Loads = append(in.Loads, kept)
		return nil
	}
	row := byName[name]
	if row != nil {
		in.Add(Duplicate, line, "%s already stands at line %d; its samples were added to that row", name, row.Line)
	} else {
		row = &Row{
			Name: name, Procs: in.Env.GOMAXPROCS, Line: line, Category: r.Category, Contestant: r.Contestant, Kind: r.Kind, TwinOf: r.TwinOf, Family: r.Family, Excluded: r.Excluded, Cost: r.Cost,
			Error: r.Error, NotApplicable: r.NotApplicable,
		}
		byName[name] = row
		in.Rows = append(in.Rows, row)
	}
	if len(r.Samples) == 0 && r.Error == "" && r.NotApplicable == "" {
		in.Add(Unparsable, line, "%s has neither samples nor a reason for having none", name)
	}
	for i, s := range in.possible(r, name, line) {
		if s.Process == 0 { // the first schema: one process took a sample of every row in each round
			s.Process, s.Round = 1, i+1
		}
		row.Samples = append(row.Samples, Sample{N: s.N, Ns: s.NsPerOp, Bytes: s.BytesPerOp, Allocs: s.AllocsPerOp, Line: line, HasMem: true, Process: s.Process, Round: s.Round})
		for unit, v := range s.Metrics {
			if row.Metrics == nil {
				row.Metrics = make(map[string][]float64)
			}
			row.Metrics[unit] = append(row.Metrics[unit], v)
		}
	}
	return nil
}

// possible returns the samples of a row but those that cannot be, and notes these and the row's failure.
func (in *Input) possible(r *result.Row, name string, line int) (samples []result.Sample) {
	if r.Error != "" {
		in.Add(Failed, line, "%s: %s", name, quote(r.Error))
	}
	for i, s := range r.Samples {
		if fault := s.Fault(); fault != "" {
			in.Add(Unparsable, line, "%s: sample %d holds an impossible figure: %s", name, i+1, fault)
			continue
		}
		samples = append(samples, s)
	}
	return samples
}

type checkKey struct {
	suite, contestant string
	race              bool
}

func (in *Input) addCheck(d *document, seen map[checkKey]bool, c result.Check, line int) error {
	if c.Suite == "" || c.Contestant == "" {
		return d.fail(line, "the check that starts here lacks its suite or contestant")
	}
	switch c.Status {
	case result.Pass, result.Fail, result.Skip, result.NA:
	default:
		return d.fail(line, "the check that starts here has status %s; want pass, fail, skip or n/a", quote(string(c.Status)))
	}
	key := checkKey{c.Suite, c.Contestant, c.Race}
	if seen[key] {
		in.Add(Duplicate, line, "check %s of %s appears more than once; the worst outcome counts", c.Suite, c.Contestant)
	}
	seen[key] = true
	in.Checks = append(in.Checks, c)
	return nil
}
