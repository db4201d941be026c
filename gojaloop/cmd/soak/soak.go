package main

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/eventloop-go/eventloop/inspect"
)

type config struct {
	duration time.Duration
	loops    int
	patience time.Duration // how long a begun item may take to end; 0 means a minute
	leak     func(s *load) // of a test: called in each pause
}

// A Row is a measurement of each minute, or of each twentieth of a shorter run. The load pauses meanwhile.
type Row struct {
	At                      time.Duration
	PerSecond               float64 // items that ended
	Memory                  uint64  // bytes of the heap in use after a garbage collection, and of stacks
	Goroutines, Descriptors int
	Delay, Lateness         time.Duration // 99 of 100 tasks waited, and timers were late, for no longer
}

func (r Row) String() string {
	return fmt.Sprintf("%8s %9.0f %10.2f %11d %12d %10s %10s", r.At.Round(time.Second/10), r.PerSecond, float64(r.Memory)/(1<<20),
		r.Goroutines, r.Descriptors, r.Delay.Round(time.Microsecond), r.Lateness.Round(time.Microsecond))
}

const heading = "    time   items/s memory/MiB  goroutines  descriptors  delay p99   late p99"

// A Result is the result of a run.
type Result struct {
	Commit, Go, Machine string
	Began               time.Time
	For, Ran            time.Duration
	Loops               int
	Rows                []Row
	Counts              []Count
	Faults, Reported    int64 // panics and Goexits, and those reported to the handler
	Trends              []Trend
	Before, After       struct{ Goroutines, Descriptors int } // of the load
	Failures            []string
	Good                bool
}

// fewest is how many rows a run has at least, unless it is interrupted: a machine that is slow makes it longer.
const fewest = 8

// soak runs the load, until ctx ends at the latest, and writes rows and verdict to out.
func soak(ctx context.Context, c config, out io.Writer) *Result {
	if c.patience == 0 {
		c.patience = time.Minute
	}
	result := &Result{Commit: commit(), Go: runtime.Version(), Began: time.Now(), For: c.duration, Loops: c.loops,
		Machine: fmt.Sprintf("%s/%s, %d processors, GOMAXPROCS %d", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.GOMAXPROCS(0))}
	fmt.Fprintf(out, "soak -for %v -loops %d, commit %s, %s, %s, %s\n\n", c.duration, c.loops, result.Commit, result.Go, result.Machine,
		result.Began.UTC().Format(time.DateTime))
	warm()
	before := hold(0, func(held) bool { return true })
	result.Before.Goroutines, result.Before.Descriptors = before.goroutines, before.descriptors

	s, err := newLoad(c)
	if err != nil {
		result.fail("%v", err)
		s.strange.check(false, "the load did not begin: %v", err)
	} else {
		s.run(ctx, result, out)
	}
	ending, cancel := context.WithTimeout(context.Background(), c.patience)
	defer cancel()
	if err := s.close(ending); err != nil {
		result.fail("the end: %v", err)
	} else {
		s.ended.Wait()
	}
	after := hold(c.patience, func(h held) bool { return h.goroutines <= before.goroutines && h.descriptors <= before.descriptors })
	result.After.Goroutines, result.After.Descriptors = after.goroutines, after.descriptors
	result.judge(s)
	result.write(out)
	return result
}

// run keeps the load up, but for the pauses in which rows are made.
func (s *load) run(ctx context.Context, result *Result, out io.Writer) {
	interval := min(time.Minute, s.duration/20)
	began := time.Now()
	var gate sync.RWMutex // workers hold it for a burst, who makes a row holds it alone
	working, stop := context.WithCancel(context.Background())
	defer stop()
	for _, kind := range s.kinds() {
		ledger := s.kind(kind.name)
		for range kind.workers {
			go func() {
				for {
					gate.RLock()
					if working.Err() != nil {
						gate.RUnlock()
						return
					}
					kind.burst(ledger)
					gate.RUnlock()
					time.Sleep(millis(10))
				}
			}()
		}
	}

	fmt.Fprintln(out, heading)
	since, metrics, done := began, s.metrics(), int64(0)
	for last := false; !last; {
		select {
		case <-ctx.Done():
		case <-time.After(interval):
		}
		last = ctx.Err() != nil || s.duration-time.Since(began) < interval/2 && len(result.Rows) >= fewest-1
		paused := make(chan struct{})
		go func() { gate.Lock(); close(paused) }()
		patience, cancel := context.WithTimeout(context.Background(), s.patience)
		select {
		case <-paused:
		case <-patience.Done():
		}
		settled := s.settled(patience)
		if settled {
			err := s.renew(patience)
			s.strange.check(err == nil, "the loop that is replaced: %v", err)
		}
		cancel()
		result.Ran = time.Since(began)
		if !settled {
			result.fail("at %v: not all that was begun has ended %v later", result.Ran.Round(time.Second), s.patience)
			return // the gate stays shut for the items that wait for ever
		}
		now, ended := s.metrics(), s.total()
		if s.leak != nil {
			s.leak(s)
		}
		h := hold(50*time.Millisecond, func(held) bool { return false })
		window := now.Sub(metrics)
		row := Row{result.Ran, float64(ended-done) / time.Since(since).Seconds(), h.memory, h.goroutines, h.descriptors, window.QueueDelay.P99, window.Lateness.P99}
		since, metrics, done = time.Now(), now, ended
		result.Rows = append(result.Rows, row)
		fmt.Fprintln(out, row)
		if last {
			stop()
		}
		gate.Unlock()
	}
}

func (s *load) total() (n int64) {
	for _, l := range s.ledgers {
		n += l.ended.Load()
	}
	return n
}

func (s *load) metrics() (sum inspect.Metrics) {
	for _, l := range s.loops {
		sum = sum.Add(inspect.ReadMetrics(l))
	}
	return sum
}

func (r *Result) fail(format string, args ...any) {
	r.Failures = append(r.Failures, fmt.Sprintf(format, args...))
}

// judge compares the counts and the resources held.
func (r *Result) judge(s *load) {
	for _, l := range append(s.ledgers, &s.strange) {
		c := l.count()
		r.Counts = append(r.Counts, c)
		if !c.good() {
			r.fail("%s: %d begun, %d ended, %d twice, %d wrong: %s", c.Kind, c.Begun, c.Ended, c.Twice, c.Wrong, c.First)
		}
	}
	if r.Faults, r.Reported = s.faults.Load(), s.reported.Load(); r.Faults != r.Reported {
		r.fail("%d panics and Goexits, of which the handler was told of %d", r.Faults, r.Reported)
	}
	var memory, goroutines, descriptors []float64
	for _, row := range r.Rows {
		memory, goroutines, descriptors = append(memory, float64(row.Memory)), append(goroutines, float64(row.Goroutines)), append(descriptors, float64(row.Descriptors))
	}
	r.Trends = []Trend{
		trend("memory", memory, allowance.memory),
		trend("goroutines", goroutines, allowance.goroutines),
		trend("descriptors", descriptors, allowance.descriptors),
	}
	for _, t := range r.Trends {
		if !t.Flat {
			r.fail("%s", t)
		}
	}
	if r.After.Goroutines > r.Before.Goroutines || r.After.Descriptors > r.Before.Descriptors {
		r.fail("goroutines and descriptors before and after: %+v, %+v", r.Before, r.After)
	}
	r.Good = len(r.Failures) == 0
}

func (r *Result) write(out io.Writer) {
	fmt.Fprintf(out, "\n%-12s %12s %12s %6s %6s\n", "kind", "begun", "ended", "twice", "wrong")
	for _, c := range r.Counts {
		fmt.Fprintf(out, "%-12s %12d %12d %6d %6d\n", c.Kind, c.Begun, c.Ended, c.Twice, c.Wrong)
	}
	fmt.Fprintf(out, "%-12s %12d %12d: panics and Goexits, and those that the handler was told of\n\n", "faults", r.Faults, r.Reported)
	for _, t := range r.Trends {
		fmt.Fprintln(out, t)
	}
	fmt.Fprintf(out, "before and after the load: goroutines %d and %d, descriptors %d and %d; one more would refute it\n\n",
		r.Before.Goroutines, r.After.Goroutines, r.Before.Descriptors, r.After.Descriptors)
	verdict := "good: nothing was lost, nothing happened twice, nothing grows"
	if !r.Good {
		verdict = "NOT GOOD\n" + strings.Join(r.Failures, "\n")
	}
	fmt.Fprintf(out, "verdict after %v: %s\n", r.Ran.Round(time.Second/10), verdict)
}

// commit is the commit of the working directory, or unknown.
func commit() string {
	out, err := exec.Command("git", "describe", "--always", "--dirty", "--abbrev=10").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}
