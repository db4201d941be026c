package explore

import (
	"fmt"
	"path"
	"runtime"
	"strconv"
	"strings"
)

// A Failure describes the fault of a run.
type Failure struct {
	Kind      string // check, panic, deadlock, livelock
	Message   string
	Decisions []Decision
	Steps     int
	Trace     []Event // of a replay
}

// class identifies the fault of a failure, as far as its message allows, so that failures of one fault count
// together.
func (f *Failure) class() string {
	first, _, _ := strings.Cut(f.Message, "\n")
	if f.Kind == "deadlock" || f.Kind == "livelock" {
		return f.Kind
	}
	return f.Kind + ": " + strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return -1
		}
		return c
	}, first)
}

// Preemptions returns how often a goroutine was interrupted that could have gone on.
func (f *Failure) Preemptions() int {
	n := 0
	for _, d := range f.Decisions {
		if d.preempts {
			n++
		}
	}
	return n
}

// Schedule is the text of the decisions, for Replay.
func (f *Failure) Schedule() string {
	var b strings.Builder
	for i, d := range f.Decisions {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%d:%d", d.At, d.Value)
	}
	return b.String()
}

func parseSchedule(s string) ([]Decision, error) {
	var ds []Decision
	for part := range strings.SplitSeq(s, ",") {
		if part == "" {
			continue
		}
		at, value, _ := strings.Cut(part, ":")
		a, err1 := strconv.Atoi(at)
		v, err2 := strconv.ParseInt(value, 10, 64)
		if err1 != nil || err2 != nil {
			return nil, fmt.Errorf("explore: schedule has %q, want choice:value", part)
		}
		ds = append(ds, Decision{At: int32(a), Value: v})
	}
	return ds, nil
}

// An Event is an operation of a run.
type Event struct {
	Step  int
	Now   int64
	G     string
	Op    string
	Place string
}

// record adds an operation to the trace, with the two innermost places that are not of this package or of sched.
func (r *run) record(g *g, op string) {
	var pcs [24]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	var places []string
	for len(places) < 2 {
		f, more := frames.Next()
		own := strings.Contains(f.Function, "/internal/explore.") && !strings.HasSuffix(f.File, "_test.go")
		if f.Function != "" && !strings.HasPrefix(f.Function, "runtime.") && !own && !strings.Contains(f.Function, "/internal/sched.") {
			places = append(places, fmt.Sprintf("%s:%d %s", path.Base(f.File), f.Line, f.Function[strings.LastIndexByte(f.Function, '/')+1:]))
		}
		if !more {
			break
		}
	}
	r.trace = append(r.trace, Event{Step: r.steps, Now: r.now, G: g.String(), Op: op, Place: strings.Join(places, " < ")})
}

// traceEnd is how much of a trace a report shows.
const traceEnd = 150

// String is a report for people.
func (f *Failure) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n%d decisions, %d of them preemptions; %d operations\n", f.Kind, f.Message, len(f.Decisions), f.Preemptions(), f.Steps)
	trace := f.Trace
	if n := len(trace) - traceEnd; n > 0 {
		fmt.Fprintf(&b, "… %d earlier operations\n", n)
		trace = trace[n:]
	}
	last := ""
	for _, e := range trace {
		who := e.G
		if who == last {
			who = ""
		}
		last = e.G
		fmt.Fprintf(&b, "%5d %9dµs %-14s %-16s %s\n", e.Step, e.Now/1000, who, e.Op, e.Place)
	}
	return b.String()
}
