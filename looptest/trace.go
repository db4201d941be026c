package looptest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/inspect"
)

// A Callback is one that has run.
type Callback struct {
	At         time.Duration // when it began, on the loop's clock
	Phase      inspect.Phase
	Checkpoint bool     // nextTick callbacks and microtasks that follow no callback
	Function   string   // the function's name, or "" without a function
	Marks      []string // marks made in it, and in its nextTick callbacks and microtasks; see [Loop.Mark]
}

// String is a line of [Trace.String].
func (c Callback) String() string {
	what := c.Phase.String()
	if c.Checkpoint {
		what = "microtasks"
	}
	return strings.Join(append([]string{c.At.String(), what}, c.Marks...), " ")
}

// A Trace is the callbacks that have run, in order.
type Trace []Callback

// String has a line for each callback in which something was marked: when it began, its phase, and the marks.
//
//	0s external start
//	0s microtasks settled
//	1h0m0s timers ding
func (t Trace) String() string {
	var b strings.Builder
	for _, c := range t {
		if len(c.Marks) > 0 {
			fmt.Fprintln(&b, c)
		}
	}
	return b.String()
}

// Expect fails the test unless the trace's String is want. Space at the beginning and the end of lines does not count.
func (t Trace) Expect(tb testing.TB, want string) {
	tb.Helper()
	if got, want := lines(t.String()), lines(want); got != want {
		tb.Errorf("looptest: trace\n%s\nwant\n%s", got, want)
	}
}

func lines(s string) string {
	var out []string
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, "\t"+line)
		}
	}
	return strings.Join(out, "\n")
}

// A recorder collects the trace of a loop.
type recorder struct {
	loop  *Loop
	mu    sync.Mutex
	trace Trace
}

func (r *recorder) record(e inspect.Event) {
	if e.Type != inspect.CallbackBegan {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.trace = append(r.trace, Callback{At: e.At, Phase: e.Phase, Checkpoint: e.Checkpoint, Function: e.Function()})
}

// Mark writes a word into the trace, with the callback in progress. It must be called on the loop.
func (l *Loop) Mark(word string) {
	r := &l.trace
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.trace) == 0 {
		r.trace = append(r.trace, Callback{At: l.Elapsed()})
	}
	last := &r.trace[len(r.trace)-1]
	last.Marks = append(last.Marks, word)
}

// Trace returns the callbacks that have begun so far.
func (l *Loop) Trace() Trace {
	l.trace.mu.Lock()
	defer l.trace.mu.Unlock()
	trace := slices.Clone(l.trace.trace)
	for i := range trace {
		trace[i].Marks = slices.Clone(trace[i].Marks)
	}
	return trace
}
