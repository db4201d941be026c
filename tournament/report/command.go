package report

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/text"
)

// The exit codes of the commands.
const (
	exitOK     = 0
	exitFailed = 1 // what -fail-on names was found, or the report cannot be written
	exitUsage  = 2 // wrong arguments or unreadable input
)

// CompareCommand compares the inputs named in args, two or more, and returns the exit code: 0 if all went well, 1 if
// -fail-on found something or the report cannot be written, 2 if the arguments or the inputs are of no use.
func CompareCommand(args []string, stdout, stderr io.Writer) int {
	var s settings
	fs := flag.NewFlagSet("compare", flag.ContinueOnError)
	help := usage(fs, "compare [flags] A B [C...]", "Compares benchmark results row by row. Each argument is a results.json, a go test -bench log,\na published data file or the directory of a run. With -fail-on, A is the earlier run.")
	s.register(fs)
	names, err := interleaved(fs, args)
	if err != nil {
		return flagExit(stdout, stderr, fs, help, err)
	}
	p, err := s.parse()
	if err != nil {
		return misuse(stderr, fs, err)
	}
	if len(names) < 2 {
		return misuse(stderr, fs, fmt.Errorf("want two inputs or more to compare, have %d", len(names)))
	}
	inputs, ok := openAll(stderr, names)
	if !ok {
		return exitUsage
	}
	if !enough(stderr, "compare", inputs, 2) {
		return exitUsage
	}
	p.options.Earlier = p.threshold > 0
	report, analysis := Compare(inputs, p.options)
	if err := write(report, p.format, s.out, stdout); err != nil {
		fmt.Fprintf(stderr, "compare: %v\n", err)
		return exitFailed
	}
	if p.threshold > 0 {
		analysis.Pairs = analysis.Pairs[:len(analysis.Inputs)-1] // the first against each other
		return gate("compare", []*findings.Analysis{analysis}, stderr)
	}
	return exitOK
}

// usage returns what writes the help of a command, and keeps package flag from doing so on its own.
func usage(fs *flag.FlagSet, line, about string) (help func(io.Writer)) {
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	return func(w io.Writer) {
		fmt.Fprintf(w, "usage: tournament %s\n\n%s\n\n", line, about)
		fs.SetOutput(w)
		fs.PrintDefaults()
	}
}

// flagExit is for what came of parsing flags: help that was asked for, or an error.
func flagExit(stdout, stderr io.Writer, fs *flag.FlagSet, help func(io.Writer), err error) int {
	if errors.Is(err, flag.ErrHelp) {
		help(stdout)
		return exitOK
	}
	return misuse(stderr, fs, err)
}

func misuse(stderr io.Writer, fs *flag.FlagSet, err error) int {
	fmt.Fprintf(stderr, "%s: %v; see tournament help %s\n", fs.Name(), err, fs.Name())
	return exitUsage
}

// openAll opens every input before it gives up, so that all that is wrong is said at once.
func openAll(stderr io.Writer, names []string) ([]*parse.Input, bool) {
	var out []*parse.Input
	ok := true
	for _, n := range names {
		in, err := parse.Open(n)
		if err != nil {
			fmt.Fprintln(stderr, err)
			ok = false
			continue
		}
		out = append(out, in)
	}
	return out, ok
}

// enough says so unless something ran in as many inputs as are needed.
func enough(stderr io.Writer, name string, inputs []*parse.Input, need int) bool {
	var compiled []string
	for _, in := range inputs {
		if compiledOnly(in) {
			compiled = append(compiled, in.Path)
		}
	}
	ran := len(inputs) - len(compiled)
	if ran < need {
		fmt.Fprintf(stderr, "%s: needs %s where something ran, has %d; %s says that it was compiled only\n",
			name, text.Count(need, "input", "inputs"), ran, text.List(compiled, 0))
	}
	return ran >= need
}

// write renders the whole report before it touches the file, so that a failure leaves an earlier report alone.
func write(r *render.Report, f render.Format, file string, stdout io.Writer) error {
	if f == render.Markdown && file != "" {
		return writeMarkdown(r, file)
	}
	var b bytes.Buffer
	if err := render.Write(&b, r, f); err != nil {
		return err
	}
	if file == "" {
		_, err := stdout.Write(b.Bytes())
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}

// gate reports the regressions of all pairs and returns the exit code. A gate that cannot see is an error: rows without
// repeated samples could hide any regression.
func gate(name string, as []*findings.Analysis, stderr io.Writer) int {
	found, threshold := 0, 0.0
	for _, a := range as {
		threshold = a.Threshold
		for _, p := range a.Pairs {
			sig := a.Significance(p)
			switch {
			case p.Incomparable != "":
				fmt.Fprintf(stderr, "%s: cannot look for regressions between %s: %s\n", name, a.Name(p), p.Incomparable)
				return exitUsage
			case len(p.Rows) == 0:
				fmt.Fprintf(stderr, "%s: %s have no row in common, so that there is nothing to look for regressions in; give runs of the same benchmarks\n", name, a.Name(p))
				return exitUsage
			case sig.Tested == 0:
				fmt.Fprintf(stderr, "%s: no row of %s has two samples on both sides, so that no regression could be told from noise; run the benchmarks with -count=5 or more\n", name, a.Name(p))
				return exitUsage
			}
			if untested := len(p.Rows) - sig.Tested; untested > 0 {
				fmt.Fprintf(stderr, "%s: %s of %s could not be tested for want of samples\n", name, text.Count(untested, "row", "rows"), a.Name(p))
			}
			if onlyA, onlyB := oneSided(a, p); onlyA+onlyB > 0 {
				fmt.Fprintf(stderr, "%s: %s only in %s and %s only in %s could not be compared\n", name,
					text.Count(onlyA, "row", "rows"), a.Inputs[p.A].Label, text.Count(onlyB, "row", "rows"), a.Inputs[p.B].Label)
			}
			blind := 0
			for _, r := range p.Rows {
				if r.Change.Hi > r.Change.Ratio*(1+2*a.Threshold) {
					blind++
				}
			}
			if blind > 0 {
				fmt.Fprintf(stderr, "%s: %s of %d vary so much that twice the limit would hardly show; take more samples\n", name, text.Count(blind, "row", "rows"), len(p.Rows))
			}
			for _, r := range a.Regressions(p) {
				found++
				against := ""
				if r.Change.Controls > 0 {
					against = fmt.Sprintf(", against %s that changed by %+.1f%%", text.Count(r.Change.Controls, "other contestant", "other contestants"), 100*(r.Change.Drift-1))
				}
				fmt.Fprintf(stderr, "regression: %s is %.1f%% slower in %s%s: %s ns/op, was %s (ratio %s)\n", r.Row.Label, 100*(r.Change.Ratio-1), a.Inputs[p.B].Label, against,
					text.Thousands(a.Figure(r.Row, p.B), 2), text.Thousands(a.Figure(r.Row, p.A), 2), r.Change.Interval)
			}
		}
	}
	if found > 0 {
		fmt.Fprintf(stderr, "%s: %s of more than %.4g%%\n", name, text.Count(found, "regression", "regressions"), 100*threshold)
		return exitFailed
	}
	return exitOK
}

// ReportCommand reports on the tournament results named in args, one platform or several, and returns the exit code as
// [CompareCommand] does.
func ReportCommand(args []string, stdout, stderr io.Writer) int {
	var s settings
	var earlierRuns []string
	var narrative bool
	fs := flag.NewFlagSet("report", flag.ContinueOnError)
	help := usage(fs, "report [flags] DIR...", "Reports on a tournament: one platform in detail, or several side by side. Each argument is the\ndirectory of a run, a results.json or a go test -bench log.")
	s.register(fs)
	fs.Func("baseline", "the earlier run in `DIR` to show the change against, and for -fail-on; once for each platform", func(dir string) error {
		earlierRuns = append(earlierRuns, dir)
		return nil
	})
	fs.BoolVar(&narrative, "narrative", false, "tell the findings in prose instead of tables")
	names, err := interleaved(fs, args)
	if err != nil {
		return flagExit(stdout, stderr, fs, help, err)
	}
	p, err := s.parse()
	switch {
	case err != nil:
		return misuse(stderr, fs, err)
	case len(names) == 0:
		return misuse(stderr, fs, errors.New("want the directory of a run, or several"))
	case p.threshold > 0 && len(earlierRuns) == 0:
		return misuse(stderr, fs, errors.New("-fail-on needs -baseline DIR, the run to compare with"))
	}
	inputs, ok := openAll(stderr, names)
	o := ReportOptions{Options: p.options, Narrative: narrative, Digest: p.format == render.Markdown}
	then, opened := openAll(stderr, earlierRuns)
	if !ok || !opened || !enough(stderr, "report", inputs, 1) || len(then) > 0 && !enough(stderr, "report -baseline", then, 1) {
		return exitUsage
	}
	if len(then) > 0 {
		if o.Baselines, err = matchBaselines(inputs, then); err != nil {
			fmt.Fprintf(stderr, "report: %v\n", err)
			return exitUsage
		}
		for i, then := range o.Baselines {
			if then == nil && p.threshold > 0 && !compiledOnly(inputs[i]) {
				fmt.Fprintf(stderr, "report: -fail-on cannot judge %s, which has no -baseline; give it one, or leave it out\n", names[i])
				return exitUsage
			}
		}
	}
	report, changes := Report(inputs, o)
	if err := write(report, p.format, s.out, stdout); err != nil {
		fmt.Fprintf(stderr, "report: %v\n", err)
		return exitFailed
	}
	if p.threshold > 0 {
		return gate("report", changes, stderr)
	}
	return exitOK
}
