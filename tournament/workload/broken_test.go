package workload_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/internal/raceflag"
	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

// A broken loop is a queue with a fault in the treatment of one task, the one with the number at.
type broken struct {
	*queue
	fault   func(l *broken, task func()) error
	at      int64
	n       atomic.Int64
	release <-chan struct{} // closed when the test has seen the fault
	held    chan func()     // what was lost
}

// Run leaves a goroutine behind. After the test it runs the lost tasks, and those that a dead loop still had, so that
// no goroutine waits for them for ever.
func (l *broken) Run(ctx context.Context) error {
	defer func() {
		go func() {
			<-l.release
			for len(l.held) > 0 {
				attempt(<-l.held)
			}
			for task := l.pop(); task != nil; task = l.pop() {
				attempt(task)
			}
		}()
	}()
	return l.queue.Run(ctx)
}

func attempt(task func()) {
	defer func() { _ = recover() }()
	task()
}

func (l *broken) Submit(task func()) error {
	if l.n.Add(1) == l.at {
		return l.fault(l, task)
	}
	return l.queue.Submit(task)
}

// breakAt enters a broken loop. The end of the test releases the tasks that it holds back, so that no goroutine
// remains.
func breakAt(t *testing.T, at int64, fault func(l *broken, task func()) error) contestant.Contestant {
	release := make(chan struct{})
	var loops []*broken
	t.Cleanup(func() {
		for _, l := range loops {
			_ = l.Shutdown(context.Background())
		}
		close(release)
	})
	return contestant.Contestant{Name: "Broken", New: func() (contestant.Loop, error) {
		l := &broken{queue: newQueue(), fault: fault, at: at, release: release, held: make(chan func(), 1)}
		loops = append(loops, l)
		return l, nil
	}}
}

func lose(l *broken, task func()) error {
	l.held <- task
	return nil
}

func twice(l *broken, task func()) error {
	return l.queue.Submit(func() { task(); task() })
}

func hang(l *broken, task func()) error {
	<-l.release
	return l.queue.Submit(task)
}

var errFull = errors.New("full")

func refuse(*broken, func()) error { return errFull }

// representative returns the categories that a queue can take part in, but only one of each sweep that differs in a number.
func representative() []workload.Workload {
	var all []workload.Workload
	for _, w := range workload.All() {
		if len(w.Needs) > 0 {
			continue
		}
		if !w.Sweep || !strings.Contains(w.Name, "=") || strings.HasSuffix(w.Name, "N=04") {
			all = append(all, w)
		}
	}
	return all
}

// impatience bounds the wait for events that a broken loop will not cause. It leaves producers the time to end, which
// the race detector makes longer: one that still submits after the test may wait for ever.
var impatience = func() time.Duration {
	if raceflag.Enabled {
		return time.Second
	}
	return 300 * time.Millisecond
}()

// inParallel has a test run beside others: most of its time goes by in waiting. A workload that measures how much processor
// time the process uses while its loop sleeps must run alone.
func inParallel(t *testing.T, w workload.Workload) {
	if !strings.Contains(w.Name, "Asleep") {
		t.Parallel()
	}
}

func TestEveryWorkloadCatchesALoopThatLosesATask(t *testing.T) {
	for _, w := range representative() {
		t.Run(w.Name, func(t *testing.T) {
			inParallel(t, w)
			_, err := w.Sample(breakAt(t, 40, lose), lossy(w), impatience)
			var loss *workload.LossError
			switch {
			case errors.As(err, &loss):
				if loss.Ran != loss.Submitted-1 || !strings.Contains(err.Error(), "lost") {
					t.Errorf("%v", err)
				}
			case !errors.Is(err, workload.ErrHangs) || !strings.Contains(err.Error(), "lost"):
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestEveryWorkloadCatchesALoopThatRunsATaskTwice(t *testing.T) {
	for _, w := range representative() {
		t.Run(w.Name, func(t *testing.T) {
			inParallel(t, w)
			_, err := w.Sample(breakAt(t, 40, twice), lossy(w), impatience)
			var loss *workload.LossError
			switch {
			case err == nil:
				t.Error("not noticed")
			case errors.As(err, &loss):
				if loss.Ran <= loss.Submitted || !strings.Contains(err.Error(), "more than once") {
					t.Errorf("%v", err)
				}
			case strings.Contains(err.Error(), "panic"): // a WaitGroup or a channel noticed
			case errors.Is(err, workload.ErrHangs): // the loop waits in a task for somebody to take its answer
			default:
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestEveryWorkloadCatchesALoopThatHangs(t *testing.T) {
	for _, w := range representative() {
		t.Run(w.Name, func(t *testing.T) {
			inParallel(t, w)
			_, err := w.Sample(breakAt(t, 40, hang), lossy(w), impatience)
			if !errors.Is(err, workload.ErrHangs) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestEveryWorkloadPassesOnThatATaskWasRefused(t *testing.T) {
	for _, w := range representative() {
		t.Run(w.Name, func(t *testing.T) {
			if _, err := w.Sample(breakAt(t, 40, refuse), lossy(w), patience); !errors.Is(err, errFull) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// lossy is a number of operations that reaches the fault, in whole bursts.
func lossy(w workload.Workload) int { return max(w.Burst, 100) }

func TestALoopThatNeverRunsTheFirstTaskIsCaught(t *testing.T) {
	w := workload.PingPong
	if _, err := w.Sample(breakAt(t, 1, lose), 1, impatience); !errors.Is(err, workload.ErrHangs) || !strings.Contains(err.Error(), "first task") {
		t.Errorf("got %v", err)
	}
}

// An odd loop is a queue with another Run, Submit or Shutdown.
type odd struct {
	contestant.Loop
	run      func(context.Context) error
	submit   func() error // takes the place of Submit
	shutdown func(context.Context) error
}

func (l *odd) Submit(task func()) error {
	if l.submit != nil {
		return l.submit()
	}
	return l.Loop.Submit(task)
}

func (l *odd) Run(ctx context.Context) error {
	if l.run != nil {
		return l.run(ctx)
	}
	return l.Loop.Run(ctx)
}

func (l *odd) Shutdown(ctx context.Context) error {
	if l.shutdown != nil {
		return l.shutdown(ctx)
	}
	return l.Loop.Shutdown(ctx)
}

func TestALoopWhoseRunReturnsAtOnceIsCaught(t *testing.T) {
	early := errors.New("no loop today")
	for _, cause := range []error{early, nil} {
		c := contestant.Contestant{Name: "Odd", New: func() (contestant.Loop, error) {
			return &odd{Loop: newQueue(), run: func(context.Context) error { return cause }}, nil
		}}
		w := workload.PingPong
		if _, err := w.Sample(c, 1, patience); err == nil || !strings.Contains(err.Error(), "ended before its Shutdown") || cause != nil && !errors.Is(err, cause) {
			t.Errorf("Run returning %v: got %v", cause, err)
		}
	}
}

func TestALoopThatDoesNotEndIsCaught(t *testing.T) {
	loop := newQueue()
	c := contestant.Contestant{Name: "Odd", New: func() (contestant.Loop, error) {
		return &odd{Loop: loop, shutdown: func(context.Context) error { return nil }}, nil
	}}
	defer func() { _ = loop.Shutdown(context.Background()) }()
	w := workload.PingPong
	if _, err := w.Sample(c, 1, impatience); !errors.Is(err, workload.ErrHangs) || !strings.Contains(err.Error(), "after Shutdown") {
		t.Errorf("got %v", err)
	}
}

func TestALoopWhoseMethodsPanicOrDoNotReturnIsCaught(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	for want, l := range map[string]odd{
		"first Submit: a panic":            {submit: func() error { panic("send on closed channel") }},
		"the first Submit does not return": {submit: func() error { <-release; return nil }},
		"shut down: a panic":               {shutdown: func(context.Context) error { panic("close of closed channel") }},
		"no return from Shutdown":          {shutdown: func(context.Context) error { <-release; return nil }},
	} {
		queue := newQueue()
		l.Loop = queue
		w := workload.PingPong
		_, err := w.Sample(contestant.Contestant{Name: "Odd", New: func() (contestant.Loop, error) { return &l, nil }}, 1, impatience)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
		_ = queue.Shutdown(context.Background())
	}
}
