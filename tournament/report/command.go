package report

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// The exit codes of the commands.
const (
	exitOK     = 0
	exitFailed = 1 // what -fail-on names was found, or the report cannot be written
	exitUsage  = 2 // wrong arguments or unreadable input
)

// A command has the flags that both commands share.
type command struct {
	*flag.FlagSet
	stdout, stderr      io.Writer
	help                string
	format, out, failOn string
	options             Options
}

func newCommand(name, help string, stdout, stderr io.Writer) *command {
	c := &command{FlagSet: flag.NewFlagSet(name, flag.ContinueOnError), stdout: stdout, stderr: stderr, help: help}
	c.SetOutput(io.Discard)
	c.Usage = func() {}
	return c
}

func (c *command) register() {
	c.StringVar(&c.format, "format", "", "write `md, html, json or text` (default: by the ending of -o, text without one)")
	c.StringVar(&c.out, "o", "", "write to `file` instead of standard output")
	c.StringVar(&c.failOn, "fail-on", "", "exit with 1 on `regression=5%`: a row slower by more than that, by the interval of the change")
	c.Float64Var(&c.options.Level, "level", stats.DefaultLevel, "times within this `share` of each other are level")
}

// arguments parses flags wherever they stand among the other arguments, and checks those that both commands have.
func (c *command) arguments(args []string) (rest []string, err error) {
	for {
		if err := c.Parse(args); err != nil {
			return nil, err
		}
		if c.NArg() == 0 {
			return rest, c.check()
		}
		// A lone "--" ends the flags; the flag package has removed it.
		if n := len(args) - c.NArg(); n > 0 && args[n-1] == "--" {
			return append(rest, c.Args()...), c.check()
		}
		rest, args = append(rest, c.Arg(0)), c.Args()[1:]
	}
}

func (c *command) check() error {
	endings := map[string]render.Format{".md": render.Markdown, ".html": render.HTML, ".htm": render.HTML, ".json": render.JSON, ".txt": render.Text, "": render.Text}
	ending := filepath.Ext(c.out)
	switch {
	case c.format != "" && !slices.Contains(render.Formats, render.Format(c.format)):
		return fmt.Errorf("-format %s: want md, html, json or text", c.format)
	case c.format == "" && endings[strings.ToLower(ending)] == "":
		return fmt.Errorf("-o %s: there is no format for files in %s; the endings are .md, .html, .htm, .json and .txt, or give one with -format", c.out, ending)
	case c.format == "":
		c.format = string(endings[strings.ToLower(ending)])
	}
	if !(c.options.Level > 0 && c.options.Level < 1) {
		return fmt.Errorf("-level %v: want a share between 0 and 1, such as 0.1 for ten percent", c.options.Level)
	}
	if c.failOn == "" {
		return nil
	}
	what, share, ok := strings.Cut(c.failOn, "=")
	v, err := strconv.ParseFloat(strings.TrimSuffix(share, "%"), 64)
	if !ok || what != "regression" || !strings.HasSuffix(share, "%") || err != nil || !(v > 0 && v < 1e6) {
		return fmt.Errorf("-fail-on %s: want regression=N%%, such as regression=5%%", c.failOn)
	}
	c.options.Threshold = v / 100
	return nil
}

// misuse prints help, if that was the request, or an error in the arguments.
func (c *command) misuse(err error) int {
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(c.stdout, "usage: tournament %s\n\n", c.help)
		c.SetOutput(c.stdout)
		c.PrintDefaults()
		return exitOK
	}
	fmt.Fprintf(c.stderr, "%s: %v; see tournament help %s\n", c.Name(), err, c.Name())
	return exitUsage
}

func (c *command) failed(code int, err error) int {
	fmt.Fprintf(c.stderr, "%s: %v\n", c.Name(), err)
	return code
}

// open opens every input before it gives up, so that all that is wrong is said at once. Something has to have run in as many as are needed.
func (c *command) open(what string, names []string, need int) ([]*parse.Input, bool) {
	var out []*parse.Input
	var compiled []string
	ok := true
	for _, n := range names {
		in, err := parse.Open(n)
		if err != nil {
			fmt.Fprintln(c.stderr, err)
			ok = false
			continue
		}
		out = append(out, in)
		if compiledOnly(in) {
			compiled = append(compiled, n)
		}
	}
	if ran := len(out) - len(compiled); ok && ran < need {
		fmt.Fprintf(c.stderr, "%s: needs %s where something ran, has %d; %s says that it was compiled only\n", what, text.Count(need, "input", "inputs"), ran, text.List(compiled, 0))
		return nil, false
	}
	return out, ok
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

// CompareCommand compares the inputs named in args, two or more, and returns the exit code: 0 if all went well, 1 if
// -fail-on found something or the report cannot be written, 2 if the arguments or the inputs are of no use.
func CompareCommand(args []string, stdout, stderr io.Writer) int {
	c := newCommand("compare", "compare [flags] A B [C...]\n\nCompares benchmark results row by row. Each argument is a results.json, a go test -bench log,\na published data file or the directory of a run. With -fail-on, A is the earlier run.", stdout, stderr)
	c.register()
	names, err := c.arguments(args)
	if err == nil && len(names) < 2 {
		err = fmt.Errorf("want two inputs or more to compare, have %d", len(names))
	}
	if err != nil {
		return c.misuse(err)
	}
	inputs, ok := c.open("compare", names, 2)
	if !ok {
		return exitUsage
	}
	c.options.Earlier = c.failOn != ""
	report, analysis := Compare(inputs, c.options)
	if err := write(report, render.Format(c.format), c.out, stdout); err != nil {
		return c.failed(exitFailed, err)
	}
	if c.failOn == "" {
		return exitOK
	}
	analysis.Pairs = analysis.Pairs[:len(analysis.Inputs)-1] // the first against each other
	return c.gate([]*findings.Analysis{analysis})
}

// ReportCommand reports on the tournament results named in args, one platform or several, and returns the exit code as
// [CompareCommand] does.
func ReportCommand(args []string, stdout, stderr io.Writer) int {
	c := newCommand("report", "report [flags] DIR...\n\nReports on a tournament: one platform in detail, or several side by side. Each argument is the\ndirectory of a run, a results.json or a go test -bench log.", stdout, stderr)
	c.register()
	var earlierRuns []string
	c.Func("baseline", "the earlier run in `DIR` to show the change against, and for -fail-on; once for each platform", func(dir string) error {
		earlierRuns = append(earlierRuns, dir)
		return nil
	})
	narrative := c.Bool("narrative", false, "tell the findings in prose instead of tables")
	names, err := c.arguments(args)
	switch {
	case err != nil:
	case len(names) == 0:
		err = errors.New("want the directory of a run, or several")
	case c.failOn != "" && len(earlierRuns) == 0:
		err = errors.New("-fail-on needs -baseline DIR, the run to compare with")
	}
	if err != nil {
		return c.misuse(err)
	}
	inputs, ok := c.open("report", names, 1)
	then, opened := c.open("report -baseline", earlierRuns, min(1, len(earlierRuns)))
	if !ok || !opened {
		return exitUsage
	}
	o := ReportOptions{Options: c.options, Narrative: *narrative, Digest: render.Format(c.format) == render.Markdown}
	if len(then) > 0 {
		if o.Baselines, err = matchBaselines(inputs, then); err != nil {
			return c.failed(exitUsage, err)
		}
		for i, then := range o.Baselines {
			if then == nil && c.failOn != "" && !compiledOnly(inputs[i]) {
				return c.failed(exitUsage, fmt.Errorf("-fail-on cannot judge %s, which has no -baseline; give it one, or leave it out", names[i]))
			}
		}
	}
	report, changes := Report(inputs, o)
	if err := write(report, render.Format(c.format), c.out, stdout); err != nil {
		return c.failed(exitFailed, err)
	}
	if c.failOn == "" {
		return exitOK
	}
	return c.gate(changes)
}
