package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/eventloop-go/eventloop/tournament/check"
	"github.com/eventloop-go/eventloop/tournament/environment"
	"github.com/eventloop-go/eventloop/tournament/result"
)

const checkSynopsis = `[-suites REGEXP] [-contestants LIST] [-long] [-o DIR]

Runs the correctness suites on every contestant, prints the matrix of outcomes,
and writes them into results.json. In DIR, if that has the results of a run on
this machine, the outcomes are added to them. The exit code is 1 if one failed.`

const execUsage = "start processes of its own under `COMMAND`, as go test -exec does; for an emulator that the system does not start by itself"

// checkOptions is the command line of check.
type checkOptions struct {
	suites      string
	contestants string
	long        bool
	dir         string
	emulator    string
	exec        string
}

// check is "tournament check".
func (t *Tournament) check(ctx context.Context, io streams, args []string) error {
	var o checkOptions
	flags := flag.NewFlagSet("check", flag.ContinueOnError)
	flags.StringVar(&o.suites, "suites", "", "only the suites whose name matches `REGEXP`")
	flags.StringVar(&o.contestants, "contestants", "", "only those of the comma-separated `LIST`")
	flags.BoolVar(&o.long, "long", false, "with the suites that take minutes")
	flags.StringVar(&o.dir, "o", "", "write into `DIR` (default tournament-results/DATE-TIME)")
	flags.StringVar(&o.emulator, "emulator", "", "record that the program runs under the emulator `NAME`")
	flags.StringVar(&o.exec, "exec", "", execUsage)
	rest, err := parse(flags, io, checkSynopsis, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return misuse("check takes no argument %q; to choose suites use -suites %s", rest[0], rest[0])
	}
	suites, err := matchingSuites(&o)
	if err != nil {
		return err
	}
	chosen, _, err := t.choose(o.contestants)
	if err != nil {
		return err
	}
	if len(chosen) == 0 {
		return misuse("-contestants %s: the suites are for loops; promise designs have tests of their own", o.contestants)
	}
	if o.dir == "" {
		o.dir = filepath.Join("tournament-results", time.Now().Format("20060102-150405"))
	}
	file, err := resultsIn(o.dir, environment.Here(o.emulator))
	if err != nil {
		return err
	}

	total := len(suites) * len(chosen)
	fmt.Fprintf(io.err, "%s on %s; Ctrl-C keeps what was checked\n", count(len(suites), "suite"), count(len(chosen), "contestant"))
	done := 0
	all := check.Run(ctx, suites, chosen, check.Options{Exec: strings.Fields(o.exec)}, func(c result.Check) {
		done++
		if c.Status == result.Fail {
			fmt.Fprintf(io.err, "failed: %s on %s: %s\n", c.Suite, c.Contestant, c.Detail)
		}
		if done%len(chosen) == 0 {
			fmt.Fprintf(io.err, "%3d%%  %s\n", 100*done/total, c.Suite)
		}
	})
	return t.keep(ctx, io, file, all, o.dir)
}

// keep prints the matrix, saves it, and says how it went.
func (t *Tournament) keep(ctx context.Context, io streams, file *result.File, all []result.Check, dir string) error {
	if len(all) == 0 {
		return &exit{ExitInterrupted, "interrupted before the first outcome: nothing to keep"}
	}
	width := widthOf(io.out)
	if width == 0 {
		width = 80
	}
	writeMatrix(io.out, all, width)
	file.Checks = merge(file.Checks, all)
	paths, err := file.Save(dir)
	if err != nil {
		return failure("%v; free space or choose another directory with -o DIR; the outcomes are printed above", err)
	}
	fmt.Fprintf(io.out, "\nwritten: %s\n", strings.Join(paths, ", "))
	failed := 0
	for _, c := range all {
		if c.Status == result.Fail {
			failed++
		}
	}
	switch {
	case ctx.Err() != nil:
		return &exit{ExitInterrupted, "interrupted: the outcomes so far are kept"}
	case failed > 0:
		return failure("%d of %s failed, see above", failed, count(len(all), "check"))
	}
	return nil
}

// matchingSuites picks the suites whose name matches, and leaves out long ones unless they are asked for.
func matchingSuites(o *checkOptions) ([]check.Suite, error) {
	pattern, err := regexp.Compile(o.suites)
	if err != nil {
		return nil, misuse("-suites: %v; give a regular expression such as -suites 'Goja|Panic'", err)
	}
	var chosen []check.Suite
	var known, long []string
	for _, s := range check.Suites() {
		known = append(known, s.Name)
		switch {
		case !pattern.MatchString(s.Name):
		case s.Long && !o.long:
			long = append(long, s.Name)
		default:
			chosen = append(chosen, s)
		}
	}
	switch {
	case chosen == nil && long != nil:
		return nil, misuse("%s takes minutes; add -long", strings.Join(long, ", "))
	case chosen == nil:
		return nil, misuse("no suite matches -suites %s; the suites are\n  %s", o.suites, strings.Join(known, "\n  "))
	}
	return chosen, nil
}

// resultsIn loads the results that a directory has, or makes new ones.
func resultsIn(dir string, env result.Environment) (*result.File, error) {
	if err := result.Prepare(dir); err != nil {
		return nil, failure("cannot write into %s: %v; choose a directory that you may write to with -o DIR", dir, err)
	}
	file, err := result.Load(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return &result.File{Schema: result.Schema, Environment: env}, nil
	}
	if err != nil {
		return nil, misuse("%v; choose another directory with -o DIR", err)
	}
	if !file.Environment.SameMachine(env) {
		return nil, misuse("%s has results of another environment; choose another directory with -o DIR", dir)
	}
	return file, nil
}

// merge replaces the results of suites that were checked again, and adds the rest.
func merge(old, fresh []result.Check) []result.Check {
	same := func(a, b result.Check) bool {
		return a.Suite == b.Suite && a.Contestant == b.Contestant && a.Race == b.Race
	}
	merged := slices.DeleteFunc(slices.Clone(old), func(o result.Check) bool {
		return slices.ContainsFunc(fresh, func(f result.Check) bool { return same(o, f) })
	})
	return append(merged, fresh...)
}
