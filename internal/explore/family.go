package explore

import (
	"fmt"
	"os"
	"path"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// A Family is a kind of program, with the check of its results.
type Family struct {
	Name    string // of the test
	Kinds   []OpKind
	Options int // how many bits Program.Options has
	Actors  int // at most
	Ops     int // of an actor, at most
	Steps   int // operations that a run may take; 20,000 if it is 0

	// Run is the main goroutine of a run of p. It calls Fail where something is wrong.
	Run func(p Program)
}

// TB is the part of testing.TB that Explore needs.
type TB interface {
	Helper()
	Logf(format string, args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// The environment sets how long Explore goes on.
const (
	envSeconds   = "EXPLORE_SECONDS"    // for each family; 3 by default
	envSchedules = "EXPLORE_SCHEDULES"  // instead: so many schedules for each family
	envSeed      = "EXPLORE_SEED"       // where to begin; 1 by default
	envReplay    = "EXPLORE_REPLAY"     // program;schedule as a failure prints it
	envWithout   = "EXPLORE_WITHOUT"    // names of ops to leave out, with commas between
	envKeepGoing = "EXPLORE_KEEP_GOING" // anything: list different failures instead of ending at the first
	envRaw       = "EXPLORE_RAW"        // anything: do not shrink a failure
)

// schedulesEach is how many schedules each program is run under.
const schedulesEach = 24

// Explore makes programs at random and runs them under random schedules, until the time or the number that the
// environment gives is used up. A failure is shrunk, program and schedule, and ends the test.
func (f Family) Explore(t TB) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // handing over is cheapest so
	defer watch()()
	e := &exploration{Family: f, shape: shape{f.Kinds, f.Options, f.Actors, f.Ops}, seed: uint64(envInt(envSeed, 1))}
	if text := os.Getenv(envReplay); text != "" {
		e.replay(t, text)
		return
	}
	e.leaveOut(strings.Split(os.Getenv(envWithout), ","))
	schedules := envInt(envSchedules, 0)
	began := time.Now()
	limit := time.Duration(envInt(envSeconds, 3)) * time.Second
	over := func() bool {
		return schedules > 0 && e.ran >= schedules || schedules == 0 && time.Since(began) >= limit
	}
	for i := uint64(0); !over(); i++ {
		p, failure := e.one(i)
		if failure == nil {
			continue
		}
		if os.Getenv(envKeepGoing) == "" {
			e.report(t, p, failure)
			return
		}
		e.note(p, failure)
	}
	d := time.Since(began)
	t.Logf("%s: %d programs, %d schedules, %.1f operations each, in %v: %.1f µs each", f.Name, e.programs, e.ran,
		float64(e.operations)/float64(max(e.ran, 1)), d.Round(time.Millisecond), float64(d.Microseconds())/float64(max(e.ran, 1)))
	for _, line := range e.found {
		t.Errorf("%s", line)
	}
}

// An exploration is the progress of Explore.
type exploration struct {
	Family
	shape
	seed       uint64
	programs   int
	ran        int
	operations int
	classes    map[string]int
	found      []string
}

// one makes a program and runs it under some schedules.
func (e *exploration) one(i uint64) (Program, *Failure) {
	rng := mix(e.seed, i)
	p := e.generate(&rng)
	e.programs++
	operations := 0
	for j := range schedulesEach {
		var s strategy = &replay{}
		if j > 0 {
			s = schedule(e.seed^i<<20, j, operations)
		}
		r := e.execute(p, s)
		if r.failure != nil {
			return p, r.failure
		}
		operations = r.steps
	}
	return p, nil
}

func (e *exploration) execute(p Program, s strategy) *run {
	r := execute(s, e.limit(), false, func() { e.Run(p) })
	e.ran++
	e.operations += r.steps
	return r
}

// limit is how many operations a run may take.
func (e *exploration) limit() int {
	if e.Steps > 0 {
		return e.Steps
	}
	return maxSteps
}

func (e *exploration) leaveOut(names []string) {
	e.kinds = append([]OpKind(nil), e.kinds...)
	for i := range e.kinds {
		for _, name := range names {
			if e.kinds[i].Name == name {
				e.kinds[i].Weight = 0
			}
		}
	}
}

// shrinkTries is how many schedules each smaller program gets to fail in.
const shrinkTries = 300

// shrinkTime bounds the search for a smaller program.
const shrinkTime = 20 * time.Second

// shrink looks for a smaller program that fails in the same way.
func (e *exploration) shrinkProgram(p Program, f *Failure) (Program, *Failure) {
	deadline := time.Now().Add(shrinkTime)
	for smaller := true; smaller; {
		smaller = false
		for q := range p.smaller {
			if time.Now().After(deadline) {
				return p, f
			}
			if q.size() >= p.size() {
				continue
			}
			if got := e.search(q, f); got != nil {
				p, f, smaller = q, got, true
				break
			}
		}
	}
	return p, f
}

// search runs p under the schedule of f and some others until one fails in the same way.
func (e *exploration) search(p Program, f *Failure) *Failure {
	body := func() { e.Run(p) }
	operations := 0
	for i := range shrinkTries {
		var s strategy = &replay{rest: f.Decisions}
		if i > 0 {
			s = schedule(e.seed+uint64(i), i, operations)
		}
		r := execute(s, e.limit(), false, body)
		if r.failure != nil && r.failure.class() == f.class() {
			return r.failure
		}
		operations = r.steps
	}
	return nil
}

// report ends the test with a failure, shrunk.
func (e *exploration) report(t TB, p Program, f *Failure) {
	t.Helper()
	found := e.ran
	if os.Getenv(envRaw) != "" {
		t.Fatalf("schedule %d fails (%s=%d, program %d: %s)\n%s: %s", found, envSeed, e.seed, e.programs-1, e.format(p), f.Kind, f.Message)
	}
	p, f = e.shrinkProgram(p, f)
	f = shrinkTo(f, e.limit(), func() { e.Run(p) })
	text := e.format(p)
	t.Fatalf("schedule %d fails (%s=%d, program %d). Shrunk:\n\nprogram  %s\nschedule %s\n\n%s\n%s",
		found, envSeed, e.seed, e.programs-1, text, f.Schedule(), f, e.command(text, f))
}

// command repeats a failure.
func (e *exploration) command(program string, f *Failure) string {
	_, file, _, _ := runtime.Caller(3)
	return fmt.Sprintf("%s='%s;%s' go test -tags explore -run '^%s$' # in the folder of %s", envReplay, program, f.Schedule(), e.Name, path.Base(file))
}

// note keeps the first failure of each class, and how many there were.
func (e *exploration) note(p Program, f *Failure) {
	if e.classes == nil {
		e.classes = make(map[string]int)
	}
	class := f.class()
	if e.classes[class]++; e.classes[class] > 1 {
		return
	}
	found := e.ran
	p, f = e.shrinkProgram(p, f)
	f = shrinkTo(f, e.limit(), func() { e.Run(p) })
	e.found = append(e.found, fmt.Sprintf("schedule %d: %s\nprogram  %s\nschedule %s\n%s", found, class, e.format(p), f.Schedule(), f))
}

// replay runs a program and schedule printed by a failure.
func (e *exploration) replay(t TB, text string) {
	t.Helper()
	program, schedule, _ := strings.Cut(text, ";")
	p, err := e.parse(program)
	if err != nil {
		t.Fatalf("%v", err)
	}
	ds, err := parseSchedule(schedule)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if f := replayTo(ds, e.limit(), func() { e.Run(p) }); f != nil {
		t.Fatalf("%v", f)
		return
	}
	t.Logf("the program does not fail under this schedule")
}

func envInt(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// watch ends the process if a run makes no progress: a goroutine of it waits for something outside the run, or goes round
// without any operation.
func watch() (stop func()) {
	const patience = 20 * time.Second
	var last *run
	steps := -1
	var t *time.Timer
	t = time.AfterFunc(patience, func() {
		r := current.Load()
		if r != nil && r == last && r.steps == steps {
			buf := make([]byte, 1<<20)
			panic(fmt.Sprintf("explore: %v has made no operation for %v\n%s", r.cur, patience, buf[:runtime.Stack(buf, true)]))
		}
		if last = r; r != nil {
			steps = r.steps
		}
		t.Reset(patience)
	})
	return func() { t.Stop() }
}
