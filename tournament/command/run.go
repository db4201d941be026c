package command

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/eventloop-go/eventloop/tournament/choose"
	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/environment"
	"github.com/eventloop-go/eventloop/tournament/load"
	"github.com/eventloop-go/eventloop/tournament/measure"
	"github.com/eventloop-go/eventloop/tournament/report"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/stats"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

const runSynopsis = `[-budget T] [-o DIR] [-only REGEXP] [-contestants LIST] [-full] [-processes N] [-level SHARE]

Measures until the first contestant is ahead of, behind, or level with its rivals
in every category, or the budget is spent. Prints each ratio with its interval, and
writes results.txt (Go benchmark format, for benchstat and the like) and results.json.
Without -full, variants of contestants, the points of sweeps, open-loop loads and
excluded categories take part only when -contestants or -only asks for them.
Ctrl-C ends the run early and keeps what was measured.`

// What -benchtime may be. A shorter sample measures the clock; a longer one is a mistake in the unit.
const (
	shortestBenchtime = time.Millisecond
	longestBenchtime  = time.Hour
)

// runOptions is the command line of run.
type runOptions struct {
	full        bool
	dir         string
	only        string
	contestants string
	budget      time.Duration
	processes   int
	level       float64
	count       int
	benchtime   time.Duration
	seed        uint64
	emulator    string
	exec        string

	made bool // dir was not there before
}

// measure is "tournament run".
func (t *Tournament) measure(ctx context.Context, io streams, args []string) error {
	var o runOptions
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	flags.DurationVar(&o.budget, "budget", measure.DefaultBudget, "decide within `T`")
	flags.IntVar(&o.processes, "processes", 0, "take the slices of `N` processes of each row, whatever they show, instead of a budget")
	flags.Float64Var(&o.level, "level", stats.DefaultLevel, "times within this `SHARE` of each other are level")
	flags.BoolVar(&o.full, "full", false, "everything: variants, sweeps, loads and excluded categories too")
	flags.StringVar(&o.dir, "o", "", "write the files into `DIR` (default tournament-results/DATE-TIME)")
	flags.StringVar(&o.only, "only", "", "only the categories whose name matches `REGEXP`")
	flags.StringVar(&o.contestants, "contestants", "", "only those of the comma-separated `LIST`")
	flags.IntVar(&o.count, "count", 0, "the published protocol: take `N` samples of each row, each in a process of its own, instead of slices")
	flags.DurationVar(&o.benchtime, "benchtime", measure.FullBenchtime, "with -count, let a sample take about `T`")
	flags.Uint64Var(&o.seed, "seed", 0, "draw the order of contestants from seed `N` (default: a new one)")
	flags.StringVar(&o.emulator, "emulator", "", "record that the program runs under the emulator `NAME`")
	flags.StringVar(&o.exec, "exec", "", execUsage)
	rest, err := parse(flags, io, runSynopsis, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return misuse("run takes no argument %q; to choose categories use -only %s", rest[0], rest[0])
	}
	flags.Visit(func(f *flag.Flag) {
		switch {
		case f.Name == "count" && o.count < 1:
			err = misuse("-count %d: a row needs at least one sample; a verdict needs 5 or more", o.count)
		case f.Name == "processes" && o.processes < 1:
			err = misuse("-processes %d: give at least one; a verdict needs 5 or more", o.processes)
		case f.Name == "budget" && o.budget < time.Second:
			err = misuse("-budget %v: give a second or more, such as 2m", o.budget)
		case f.Name == "level" && !(o.level > 0 && o.level < 1):
			err = misuse("-level %v: give a share between 0 and 1, such as 0.1 for ten percent", o.level)
		case f.Name == "benchtime" && (o.benchtime < shortestBenchtime || o.benchtime > longestBenchtime):
			err = misuse("-benchtime %v: give a duration between %v and %v, such as 500ms", o.benchtime, shortestBenchtime, longestBenchtime)
		}
	})
	if err != nil {
		return err
	}
	plan, err := t.plan(&o)
	if err != nil {
		return err
	}
	if t.ownChild && os.Getenv(replicaEnv) != "" {
		return replica(ctx, os.Stdin, io.out, plan, o.emulator)
	}
	if o.dir == "" {
		o.dir = filepath.Join("tournament-results", time.Now().Format("20060102-150405"))
	}
	_, missing := os.Stat(o.dir)
	o.made = missing != nil
	if err := result.Prepare(o.dir); err != nil {
		return failure("cannot write into %s: %v; choose a directory that you may write to with -o DIR", o.dir, err)
	}
	return conduct(ctx, io, &o, &plan, t.measurer(plan, "run", args, io, o.emulator, o.exec))
}

// measurer is what measures the plan: a process for each sample where this program can start itself, else this one.
func (t *Tournament) measurer(plan measure.Plan, command string, args []string, io streams, emulator, under string) func(context.Context, func(measure.Progress)) (*result.File, error) {
	if !t.ownChild {
		return func(ctx context.Context, watch func(measure.Progress)) (*result.File, error) {
			if plan.Name == measure.NameSlices {
				return measure.Decide(ctx, plan, func(ctx context.Context, order measure.Order, watch func(measure.Progress)) (*result.File, error) {
					part := plan
					part.Order = order
					return measure.Slices(ctx, part, environment.Here(emulator), watch), nil
				}, watch)
			}
			return measure.Run(ctx, plan, environment.Here(emulator), watch), nil
		}
	}
	return func(ctx context.Context, watch func(measure.Progress)) (*result.File, error) {
		launch := launcher(strings.Fields(under), command, args, plan.Seed, io.err)
		if plan.Name == measure.NameSlices {
			return measure.Decide(ctx, plan, launch, watch)
		}
		return measure.Replicate(ctx, plan, launch, watch)
	}
}

// plan turns the options into what to measure.
func (t *Tournament) plan(o *runOptions) (p measure.Plan, err error) {
	if o.count > 0 && o.processes > 0 {
		return p, misuse("-count and -processes exclude each other: samples of the published protocol, or slices")
	}
	loops, designs, err := t.choose(o.contestants)
	if err != nil {
		return p, err
	}
	workloads, loads, promises, err := t.matching(o.only)
	if err != nil {
		return p, err
	}
	loaded := loops // those that take part in open-loop categories
	if strings.TrimSpace(o.contestants) == "" {
		if !o.full {
			loops = without(loops, func(c contestant.Contestant) bool { return c.VariantOf != "" })
		}
		// Nobody chooses a variant that is there to explain another row.
		loaded = without(loaded, func(c contestant.Contestant) bool { return c.VariantOf != "" && !c.OpenLoop })
	}
	if !o.full && o.only == "" {
		workloads = without(workloads, func(w workload.Workload) bool { return w.Sweep })
		workloads = without(workloads, func(w workload.Workload) bool { return w.Excluded != "" })
		promises = without(promises, func(w workload.Promise) bool { return w.Excluded != "" })
		loads = nil
	}
	loaded, _ = replicas(loaded, nil)
	if len(loaded) > 0 {
		loaded = append(slices.Clip(loaded), load.Control)
	}
	loops, designs = replicas(loops, designs)
	entries := slices.Concat(measure.Loops(workloads, loops), measure.Loops(loads, loaded), measure.Promises(promises, designs))
	if len(entries) == 0 {
		return p, misuse("none of the contestants %s takes part in a category that matches -only %s: loops and promises have categories of their own, see tournament list", o.contestants, o.only)
	}
	if o.count > 0 {
		p = measure.Plan{Name: measure.NamePublished, Entries: entries, Count: o.count, Benchtime: o.benchtime}
	} else {
		p = measure.Plan{Name: measure.NameSlices, Entries: entries, Count: o.processes, Benchtime: measure.SliceTime, Level: o.level}
		if o.processes == 0 {
			p.Budget = o.budget
		}
	}
	p.Seed = o.seed
	if p.Seed == 0 {
		p.Seed = rand.Uint64()>>1 | 1 // half the range, for readers that have no unsigned numbers
	}
	return p, nil
}

// without leaves out what is there to explain the rest, unless it was asked for: variants and the points of sweeps.
func without[T any](all []T, explains func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(all), explains)
}

// matching picks the categories whose name matches.
func (t *Tournament) matching(only string) (chosen, loads []workload.Workload, promises []workload.Promise, err error) {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return nil, nil, nil, misuse("-only: %v; give a regular expression such as -only 'PingPong|Burst'", err)
	}
	var known []string
	pick := func(from []workload.Workload) (picked []workload.Workload) {
		for _, w := range from {
			known = append(known, w.Name)
			if pattern.MatchString(w.Name) {
				picked = append(picked, w)
			}
		}
		return picked
	}
	chosen, loads = pick(t.Workloads), pick(t.Loads)
	for _, w := range t.Promises {
		known = append(known, w.Name)
		if pattern.MatchString(w.Name) {
			promises = append(promises, w)
		}
	}
	if chosen == nil && loads == nil && promises == nil {
		return nil, nil, nil, misuse("no category matches -only %s; the categories are\n  %s", only, strings.Join(known, "\n  "))
	}
	return chosen, loads, promises, nil
}

// conduct measures, shows and keeps.
func conduct(ctx context.Context, io streams, o *runOptions, plan *measure.Plan, measure func(context.Context, func(measure.Progress)) (*result.File, error)) error {
	meter := newProgressMeter(io.err)
	meter.begin(plan)
	f, err := measure(ctx, meter.show)
	meter.end()
	if err != nil {
		// What the processes before it have measured is kept.
		if f == nil {
			return failure("%v", err)
		}
		f.Interrupted = true
		fmt.Fprintf(io.err, "failed: %v\n", err)
	}

	if f.Interrupted && samples(f) == 0 {
		if o.made {
			_ = os.Remove(o.dir) // unless something is in it
		}
		return &exit{ExitInterrupted, "interrupted before the first sample: nothing to keep"}
	}
	if answers, err := report.Answers(f, plan.Level); err != nil {
		fmt.Fprintf(io.err, "no ranking: %v\n", err) // the figures are kept
	} else {
		_ = report.WriteText(io.out, answers, widthOf(io.out)) // the output remembers its errors
	}
	_ = choose.WriteFigures(io.out, f.Rows, widthOf(io.out))
	paths, saveErr := f.Save(o.dir)
	if saveErr != nil {
		// The measuring is worth more than the file.
		fmt.Fprint(io.out, "\nresults.txt, which could not be written:\n\n")
		_ = f.WriteText(io.out)
		return failure("%v; free space or choose another directory with -o DIR; the figures are printed above", saveErr)
	}
	fmt.Fprintf(io.out, "\nwritten: %s\n", strings.Join(paths, ", "))

	failed := 0
	for i := range f.Rows {
		if f.Rows[i].Error != "" {
			failed++
			fmt.Fprintf(io.err, "failed: %s\n", f.Rows[i].Error)
		}
	}
	switch {
	case err != nil:
		return failure("a process ended before it was done; the figures so far are kept")
	case f.Interrupted:
		return &exit{ExitInterrupted, "interrupted: the figures so far are kept, rows have fewer samples than asked for"}
	case failed > 0:
		return failure("%d of %d rows failed, see above", failed, len(f.Rows))
	}
	return nil
}

func samples(f *result.File) int {
	n := 0
	for i := range f.Rows {
		n += len(f.Rows[i].Samples)
	}
	return n
}
