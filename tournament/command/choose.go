package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/eventloop-go/eventloop/tournament/choose"
	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/load"
	"github.com/eventloop-go/eventloop/tournament/measure"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

const chooseSynopsis = `[-cost T] [-rate N] [-p99 T] [-producers N] [-measure [-o DIR]] [-table] [RESULT...]

Says which event loop to take for a load, and names the rows that show it: from the
RESULTs, each a results.json or the directory that holds one, or from the newest run
under tournament-results, or measured now.`

// chooseOptions is the command line of choose.
type chooseOptions struct {
	choose.Question
	rate        string
	measure     bool
	table       bool
	dir         string
	contestants string
	budget      time.Duration
}

// loadSlice is the length of a slice under load: a percentile needs more operations than a mean does.
const loadSlice = 40 * time.Millisecond

// The limit of -cost.
const longestCost = time.Second

// advise is "tournament choose".
func (t *Tournament) advise(ctx context.Context, io streams, args []string) error {
	var o chooseOptions
	flags := flag.NewFlagSet("choose", flag.ContinueOnError)
	flags.DurationVar(&o.Cost, "cost", 10*time.Microsecond, "a task works for `T` on a processor")
	flags.StringVar(&o.rate, "rate", "50k", "`N` tasks arrive in a second, such as 800, 50k or 1.2M")
	flags.DurationVar(&o.P99, "p99", time.Millisecond, "99 of 100 tasks should end within `T` of when they should have started")
	flags.IntVar(&o.Producers, "producers", 1, "`N` goroutines submit")
	flags.BoolVar(&o.measure, "measure", false, "measure exactly that now")
	flags.DurationVar(&o.budget, "budget", time.Minute, "with -measure, decide within `T`")
	flags.BoolVar(&o.table, "table", false, "print all that the results say as a Markdown table: choose X when")
	flags.StringVar(&o.dir, "o", "", "with -measure, keep the figures in `DIR` (default tournament-results/DATE-TIME-choose)")
	flags.StringVar(&o.contestants, "contestants", "", "with -measure, only those of the comma-separated `LIST`")
	paths, err := parse(flags, io, chooseSynopsis, args)
	if err != nil {
		return err
	}
	if err := o.check(paths); err != nil {
		return err
	}
	var rows []result.Row
	var source string
	if o.measure {
		rows, source, err = t.measureLoad(ctx, io, args, &o)
	} else {
		rows, source, err = loadRows(paths)
	}
	if err != nil {
		return err
	}
	if rows == nil {
		return nil // this process has only measured
	}
	if o.table {
		if len(choose.Choices(rows)) == 0 {
			return misuse("%s has no open-loop categories; measure one: tournament choose -measure", source)
		}
		return choose.WriteChooseWhen(io.out, rows)
	}
	choice, ok := choose.Nearest(choose.Choices(rows), o.Question)
	if !ok {
		return misuse("%s has no open-loop category with a rate; measure one: tournament choose -measure", source)
	}
	fmt.Fprint(io.out, wrap(choice.Answer(o.Question), "", widthOf(io.out)))
	fmt.Fprintf(io.out, "\nevidence: %s in %s\n", choice.Category, source)
	for _, f := range append(slices.Clone(choice.Take), choice.Others...) {
		fmt.Fprintf(io.out, "  %s\n", f.String())
	}
	if choice.Replica != nil {
		fmt.Fprintf(io.out, "  %s (replica)\n", choice.Replica.String())
	}
	if choice.Control != nil {
		fmt.Fprintf(io.out, "  %s (control)\n", choice.Control.String())
	}
	return nil
}

// check returns the fault of the options.
func (o *chooseOptions) check(paths []string) error {
	rate, err := choose.ParseRate(o.rate)
	switch {
	case err != nil:
		return misuse("-rate: %v", err)
	case o.Cost < 0 || o.Cost > longestCost || o.Cost%time.Microsecond != 0:
		return misuse("-cost %v: give whole microseconds up to %v, such as 10us", o.Cost, longestCost)
	case o.P99 < 0:
		return misuse("-p99 %v: give a duration such as 1ms", o.P99)
	case o.Producers < 1 || o.Producers > 1000:
		return misuse("-producers %d: give a number from 1 to 1000", o.Producers)
	case o.budget < time.Second:
		return misuse("-budget %v: give a second or more, such as 1m", o.budget)
	case o.measure && len(paths) > 0:
		return misuse("-measure and %s exclude each other: the answer comes from the one or from the other", paths[0])
	}
	o.Rate = rate
	return nil
}

// measureLoad measures the category that the question asks for.
func (t *Tournament) measureLoad(ctx context.Context, io streams, args []string, o *chooseOptions) (rows []result.Row, source string, err error) {
	loops, _, err := t.choose(o.contestants)
	if err != nil {
		return nil, "", err
	}
	if strings.TrimSpace(o.contestants) == "" {
		loops = without(loops, func(c contestant.Contestant) bool { return c.VariantOf != "" && !c.OpenLoop })
	}
	loops, _ = replicas(loops, nil)
	spec := choose.Spec{Cost: o.Cost, Rate: int(o.Rate)}
	if o.Producers > 1 {
		spec.Producers = o.Producers
	}
	plan := measure.Plan{
		Entries:   measure.Loops([]workload.Workload{load.Workload(spec)}, append(slices.Clip(loops), load.Control)),
		Name:      measure.NameSlices,
		Benchtime: loadSlice,
		Budget:    o.budget,
		Seed:      1, // one category, and the order of its contestants: nothing to draw
	}
	if t.ownChild && os.Getenv(replicaEnv) != "" {
		return nil, "", replica(ctx, os.Stdin, io.out, plan, "")
	}
	if o.dir == "" {
		o.dir = filepath.Join("tournament-results", time.Now().Format("20060102-150405")+"-choose")
	}
	if err := result.Prepare(o.dir); err != nil {
		return nil, "", failure("cannot write into %s: %v; choose a directory that you may write to with -o DIR", o.dir, err)
	}
	meter := newProgressMeter(io.err)
	meter.begin(&plan)
	f, err := t.measurer(plan, "choose", args, io, "", "")(ctx, meter.show)
	meter.end()
	if err != nil {
		return nil, "", failure("%v", err)
	}
	if f.Interrupted {
		return nil, "", &exit{ExitInterrupted, "interrupted: an answer from fewer samples than asked for would not be one"}
	}
	if _, err := f.Save(o.dir); err != nil {
		return nil, "", failure("%v; free space or choose another directory with -o DIR", err)
	}
	return f.Rows, o.dir, nil
}

// loadRows reads results, or the newest if none is given.
func loadRows(paths []string) (rows []result.Row, source string, err error) {
	if len(paths) == 0 {
		found, err := filepath.Glob(filepath.Join("tournament-results", "*", result.JSONName))
		if err != nil || len(found) == 0 {
			return nil, "", misuse("there are no results under tournament-results; name one, or measure now: tournament choose -measure")
		}
		slices.Sort(found) // by date and time
		slices.Reverse(found)
		for _, path := range found {
			f, err := result.Load(path)
			if err == nil && len(choose.Choices(f.Rows)) > 0 {
				return f.Rows, filepath.Dir(path), nil
			}
		}
		return nil, "", misuse("no result under tournament-results has open-loop categories; measure now: tournament choose -measure")
	}
	for _, path := range paths {
		f, err := result.Load(path)
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil, "", misuse("%v; give a results.json or its directory, as written by tournament run", err)
			}
			return nil, "", misuse("%v", err)
		}
		rows = append(rows, f.Rows...)
	}
	return rows, strings.Join(paths, ", "), nil
}
