package command

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"syscall"

	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/environment"
	"github.com/eventloop-go/eventloop/tournament/measure"
	"github.com/eventloop-go/eventloop/tournament/promises/design"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// A run measures each sample in a process of its own: this program again, with the same arguments. The child reads its
// order from its standard input, and ends when that does, so that it never outlives its parent. It answers on its
// standard output, in lines that begin with a mark, because contestants may print.
const (
	replicaEnv  = "EVENTLOOP_TOURNAMENT_REPLICA"
	replicaMark = "eventloop-tournament-replica "
)

// A replicaMessage is a child's message: its progress or, last, its measurements.
type replicaMessage struct {
	Progress *measure.Progress
	File     *result.File
}

// replicaContext is the context of a child: signals are the parent's affair.
func replicaContext(ctx context.Context) context.Context {
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	return ctx
}

// replica carries out the order that it reads, and ends early when there is nothing more to read.
func replica(ctx context.Context, in io.Reader, out io.Writer, plan measure.Plan, emulator string) error {
	lines := bufio.NewReader(in)
	text, err := lines.ReadBytes('\n')
	if err != nil {
		return failure("no order: %v", err)
	}
	if err := json.Unmarshal(text, &plan.Order); err != nil {
		return failure("no order: %v", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, lines) // the end is all that comes
		cancel()
	}()
	say := func(m replicaMessage) error {
		text, err := json.Marshal(m)
		if err == nil {
			_, err = fmt.Fprintf(out, "\n%s%s\n", replicaMark, text)
		}
		return err
	}
	watch := func(p measure.Progress) { _ = say(replicaMessage{Progress: &p}) }
	here := environment.Machine // the first process has recorded the source
	if plan.Process <= 1 {
		here = environment.Here
	}
	if plan.Name == measure.NameSlices {
		return say(replicaMessage{File: measure.Slices(ctx, plan, here(emulator), watch)})
	}
	plan.Count = 1
	return say(replicaMessage{File: measure.Run(ctx, plan, here(emulator), watch)})
}

// launcher starts this program again, under a command if there is one, with args for each order.
func launcher(under []string, command string, args []string, seed uint64, stderr io.Writer) measure.Launch {
	args = slices.Concat([]string{command}, args)
	if command == "run" {
		args = append(args, "-seed", strconv.FormatUint(seed, 10))
	}
	return func(ctx context.Context, o measure.Order, watch func(measure.Progress)) (*result.File, error) {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		order, err := json.Marshal(o)
		if err != nil {
			return nil, err
		}
		line := slices.Concat(under, []string{self}, args)
		cmd := exec.Command(line[0], line[1:]...)
		cmd.Env = append(os.Environ(), replicaEnv+"=1")
		cmd.Stderr = stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			return nil, err
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			return nil, err
		}
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		defer context.AfterFunc(ctx, func() { in.Close() })()
		_, err = in.Write(append(order, '\n'))
		f, heard := hear(out, watch)
		err = errors.Join(err, heard, cmd.Wait())
		if err == nil && f == nil {
			err = errors.New("it ended without a result")
		}
		return f, err
	}
}

// hear reads a child's messages until the child closes the pipe.
func hear(out io.Reader, watch func(measure.Progress)) (f *result.File, err error) {
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if text, ok := bytes.CutPrefix(line, []byte(replicaMark)); ok {
			var m replicaMessage
			if err := json.Unmarshal(text, &m); err != nil {
				return nil, err
			}
			if m.File != nil {
				f = m.File
			} else if m.Progress != nil {
				watch(*m.Progress)
			}
		}
		if err != nil {
			return f, nil
		}
	}
}

// replicas enters the first of each sort a second time, so that every result says how far apart two rows are that do not differ.
func replicas(loops []contestant.Contestant, designs []design.Design) ([]contestant.Contestant, []design.Design) {
	if len(loops) > 0 {
		replica := loops[0]
		replica.Name += result.ReplicaSuffix
		replica.About = loops[0].Name + ", entered a second time: how far the two are apart is noise"
		loops = append(slices.Clone(loops), replica)
	}
	if len(designs) > 0 {
		replica := designs[0]
		replica.Name += result.ReplicaSuffix
		replica.About = designs[0].Name + ", entered a second time: how far the two are apart is noise"
		designs = append(slices.Clone(designs), replica)
	}
	return loops, designs
}
