package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/eventloop-go/eventloop/tournament/contestant"
)

// A child process is this program again. Its environment makes it run one suite on one contestant instead of its
// normal work. It reports the result on its standard output.
const (
	childEnv  = "EVENTLOOP_TOURNAMENT_CHECK"
	childMark = "eventloop-tournament-check "
)

// A childOrder is the order for a child.
type childOrder struct {
	Suite, Contestant string
	Patience          time.Duration
}

// A childReport is how it went. The errors that limits are about keep their types.
type childReport struct {
	Note, Error string
	Loss        *LossError
	End         *EndError
}

// childrenMayRun is set when Child has been called: only a program that calls it can be its own child.
var childrenMayRun atomic.Bool

// Child lets suites that may take the process down run in processes of their own. A program that runs suites calls it
// first of all, in main or TestMain, with the contestants that it may check. In such a child process it does not
// return.
//
// In a program that does not call it, those suites run like all others. They still recover panics that leave Run.
func Child(contestants ...contestant.Contestant) {
	text := os.Getenv(childEnv)
	if text == "" {
		childrenMayRun.Store(true)
		return
	}
	var order childOrder
	if err := json.Unmarshal([]byte(text), &order); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", childEnv, err)
		os.Exit(1)
	}
	report, err := json.Marshal(order.carryOut(contestants))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("\n%s%s\n", childMark, report)
	os.Exit(0)
}

func (o *childOrder) carryOut(contestants []contestant.Contestant) (report childReport) {
	for _, s := range Suites() {
		for _, c := range contestants {
			if s.Name != o.Suite || c.Name != o.Contestant {
				continue
			}
			note, err := s.perform(context.Background(), c, o.Patience)
			report.Note = note
			if err != nil {
				report.Error = err.Error()
			}
			errors.As(err, &report.Loss)
			errors.As(err, &report.End)
			return report
		}
	}
	report.Error = fmt.Sprintf("there is no suite %q or no contestant %q in this program", o.Suite, o.Contestant)
	return report
}

// inChild runs the suite in a process of its own.
func (s *Suite) inChild(ctx context.Context, c contestant.Contestant, o Options) (note string, err error) {
	patience := o.patience(s)
	path, err := os.Executable()
	if err != nil {
		return s.perform(ctx, c, patience)
	}
	order, err := json.Marshal(childOrder{s.Name, c.Name, patience})
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, patience+10*time.Second)
	defer cancel()
	var out, said bytes.Buffer
	line := append(slices.Clone(o.Exec), path)
	child := exec.CommandContext(ctx, line[0], line[1:]...)
	child.Env = append(os.Environ(), childEnv+"="+string(order),
		"GORACE="+os.Getenv("GORACE")+" atexit_sleep_ms=0") // by default a second, for goroutines that race to the end
	child.Stdout, child.Stderr = &out, &said
	if err := child.Start(); err != nil {
		return "", fmt.Errorf("a process of its own does not start: %w; if an emulator runs this one, name it with -exec", err)
	}
	failed := child.Wait()
	_, text, ok := strings.Cut(out.String(), "\n"+childMark)
	if !ok {
		return "", &EndError{fmt.Sprintf("the process died: %v: %s", failed, firstLine(said.String()))}
	}
	var report childReport
	if err := json.Unmarshal([]byte(text), &report); err != nil {
		return "", fmt.Errorf("report of the child process: %w", err)
	}
	if failed != nil && report.Error == "" {
		report.Error = fmt.Sprintf("the process failed: %v: %s", failed, firstLine(said.String())) // the race detector
	}
	return report.Note, report.err()
}

func (r *childReport) err() error {
	switch {
	case r.Error == "":
		return nil
	case r.Loss != nil:
		return r.Loss
	case r.End != nil:
		return r.End
	default:
		return errors.New(r.Error)
	}
}

// firstLine finds the first message of a crashing program.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") || strings.HasPrefix(line, "WARNING: DATA RACE") {
			return line
		}
	}
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
