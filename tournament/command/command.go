// Package command is the tournament's command line, for the contestants of this module and for others. A program that
// enters its own loop is a main function that calls [Run].
//
// The commands always end, and say what was wrong with a loop:
//
//   - Its name is empty, taken (capitals do not count), or has a space, slash or comma, or New is missing: list, run and check
//     name all such faults and do nothing, with exit code 2.
//   - New returns nil or an error, panics, or does not return within 5 s: list shows it; rows and suites fail.
//   - Run goes on although its context has ended: list shows it after 5 s; the suite ContextEnd fails.
//   - Submit, Run or Shutdown panics or does not return: the row fails after at most 10 s and 20 times the length of a sample,
//     and the suite after at most a minute.
//
// A loop that does not end is left behind in the process. A panic of Submit on a goroutine of a workload ends the process:
// recovering it would be measured.
package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/eventloop-go/eventloop/tournament/check"
	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/load"
	"github.com/eventloop-go/eventloop/tournament/promises"
	"github.com/eventloop-go/eventloop/tournament/promises/design"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

// The exit codes.
const (
	ExitOK          = 0
	ExitFailed      = 1   // a category or a suite failed, or a file could not be written
	ExitUsage       = 2   // the command line asks for something that cannot be done
	ExitInterrupted = 130 // stopped by a signal; earlier measurements were kept
)

// A Tournament is the subject of the command line.
type Tournament struct {
	Contestants []contestant.Contestant
	Workloads   []workload.Workload

	// Loads are the open-loop categories. The contestants compete in them beside a control.
	Loads []workload.Workload

	// Designs compete in the promise categories.
	Designs  []design.Design
	Promises []workload.Promise

	// ownChild says that this program can be started again as a child that measures: see replicaEnv.
	ownChild bool
}

// Run is a whole main function: the contestants compete in every category as the command line of the process says.
// The promise designs of this module compete in theirs. An interrupt ends the measurement in good order; a second one
// ends the process.
func Run(contestants ...contestant.Contestant) {
	check.Child(contestants...) // does not return in a process made for one suite
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	t := Tournament{
		Contestants: contestants, Workloads: workload.All(), Loads: load.All(),
		Designs: promises.All(), Promises: workload.AllPromises(),
		ownChild: true,
	}
	if os.Getenv(replicaEnv) != "" {
		ctx = replicaContext(context.Background())
	}
	os.Exit(t.Main(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// A subcommand is one thing the program can do. A new one is a line in subcommands and a function.
type subcommand struct {
	name, about string
	run         func(t *Tournament, ctx context.Context, io streams, args []string) error
	internal    bool // for the scripts of this project: help does not list it
}

// streams is where a subcommand writes: results to out, all else to err.
type streams struct{ out, err io.Writer }

func subcommands() []subcommand {
	return []subcommand{
		{"run", "measure, print who won, and keep the figures", (*Tournament).measure, false},
		{"check", "run the correctness suites, and print the matrix", (*Tournament).check, false},
		{"choose", "say which loop to take for a load, from figures", (*Tournament).advise, false},
		{"list", "show categories and contestants", (*Tournament).list, false},
		{"table", "turn kept figures into a Markdown table", (*Tournament).table, false},
		{"claims", "check what the text of a report says against its tables", (*Tournament).claims, false},
		{"cite", "bring the figures that Markdown pages cite up to date", (*Tournament).cite, true},
		{"compare", "set results side by side: platforms, or before and after", (*Tournament).compare, false},
		{"report", "make a report of one or several platforms", (*Tournament).report, false},
		{"publish", "make the project's reports from its committed results", (*Tournament).publish, true},
	}
}

// An exit is an error that carries the exit code, and a message unless everything has been said.
type exit struct {
	code    int
	message string
}

func (e *exit) Error() string { return e.message }

// misuse is an error in the command line. The message says what to do.
func misuse(format string, args ...any) error { return &exit{ExitUsage, fmt.Sprintf(format, args...)} }

// failure is an error in the work.
func failure(format string, args ...any) error {
	return &exit{ExitFailed, fmt.Sprintf(format, args...)}
}

// Main runs the command line args, without the program's name, and returns the exit code. The end of ctx is an
// interrupt.
func (t *Tournament) Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	out := &output{Writer: stdout}
	err := t.dispatch(ctx, args, streams{out, stderr})
	var e *exit
	switch {
	case out.err != nil && (err == nil || errors.Is(err, out.err)):
		e = &exit{ExitFailed, fmt.Sprintf("standard output: %v", out.err)}
	case err == nil || errors.Is(err, flag.ErrHelp):
		return ExitOK
	case !errors.As(err, &e):
		e = &exit{ExitFailed, err.Error()}
	}
	if e.message != "" {
		fmt.Fprintf(stderr, "tournament: %s\n", e.message)
	}
	return e.code
}

// An output remembers the first error of a write, which most of those who write do not look at.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

func (t *Tournament) dispatch(ctx context.Context, args []string, io streams) error {
	if len(args) == 0 {
		return misuse("give a command: %s; begin with tournament run, or see tournament help", commandNames())
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		if len(args) == 1 {
			writeUsage(io.out)
			return nil
		}
		args = []string{args[1], "-help"}
	}
	for _, sub := range subcommands() {
		if sub.name == args[0] {
			return sub.run(t, ctx, io, args[1:])
		}
	}
	return misuse("there is no command %q; the commands are %s; see tournament help", args[0], commandNames())
}

func writeUsage(w io.Writer) {
	fmt.Fprint(w, "tournament compares event loops, and promises on an event loop.\n\nusage: tournament COMMAND [flags]\n\n")
	for _, sub := range subcommands() {
		if !sub.internal {
			fmt.Fprintf(w, "  %-7s %s\n", sub.name, sub.about)
		}
	}
	fmt.Fprint(w, "\nBegin with: tournament run\nFor the flags of a command: tournament help COMMAND\n")
}
