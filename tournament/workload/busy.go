package workload

import (
	"fmt"
	"runtime"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/eventloop-go/eventloop/tournament/internal/compute"
	"github.com/eventloop-go/eventloop/tournament/internal/stopwatch"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// Beside starts computing goroutines, which compute until end is called or the trial is given up. End reports how much they
// have done: a loop that spins takes that from them.
func Beside(c result.Crowding, t *Trial) (end func()) {
	if c == result.Idle {
		return func() {}
	}
	crowd := compute.Beside(int(c)*runtime.GOMAXPROCS(0), t.Abandoned)
	began := stopwatch.Now()
	return func() {
		took := stopwatch.Since(began)
		t.Report("computed-pieces/s", float64(crowd.Stop())/took.Seconds())
	}
}

// shortestBeside is the least length of a sample. A goroutine that computes keeps its processor for 10 ms. A sample shorter
// than a time slice of each of them would see some and not the others.
func shortestBeside(c result.Crowding) time.Duration {
	if c == result.Idle {
		return 0
	}
	return 60 * time.Millisecond
}

// Busy returns the categories of a busy machine: round trips, and throughput with one and four producers. Each runs beside
// no, P and 2 P goroutines that compute. A quick run has the extremes of two of them.
func Busy() []Workload {
	var all []Workload
	for _, c := range []result.Crowding{result.Idle, result.Crowded, result.Overloaded} {
		all = append(all, busyRoundTrip(c), busyThroughput(1, c), busyThroughput(4, c))
	}
	return all
}

func busyRoundTrip(c result.Crowding) Workload {
	return Workload{
		Name:     "BusyRoundTrip/computing=" + c.String(),
		Kind:     result.KindBusy,
		About:    "submit a task that sends on a channel, receive from it, while " + c.About() + "; the median of the times, with p99 beside it",
		Shortest: shortestBeside(c),
		Sweep:    c == result.Crowded,
		Run: func(t *Trial) error {
			end := Beside(c, t)
			defer end()
			done := make(chan struct{}, 1)
			task := func() {
				t.emptyRan++
				done <- struct{}{}
			}
			took := hdrhistogram.New(1, int64(time.Hour), 3)
			t.Start()
			before := stopwatch.Now()
			for range t.N {
				if err := t.Loop.Submit(task); err != nil {
					return err
				}
				<-done
				now := stopwatch.Now()
				_ = took.RecordValue(max(1, int64(now.Sub(before)))) // patience ends a trial long before an hour
				before = now
			}
			t.Stop()
			t.Submitted(t.N)
			t.Report(NsPerOp, float64(took.ValueAtPercentile(50)))
			t.Report("p99-ns", float64(took.ValueAtPercentile(99)))
			t.Report("max-ns", float64(took.Max()))
			return nil
		},
	}
}

func busyThroughput(producers int, c result.Crowding) Workload {
	from := "one goroutine submits"
	if producers > 1 {
		from = fmt.Sprintf("%d goroutines share", producers)
	}
	return Workload{
		Name:     fmt.Sprintf("BusyThroughput/producers=%d/computing=%s", producers, c),
		Kind:     result.KindBusy,
		About:    from + " the counted tasks, while " + c.About() + "; the time ends when the last one has run",
		Shortest: shortestBeside(c),
		Sweep:    c == result.Crowded || producers == 1,
		Run: func(t *Trial) error {
			end := Beside(c, t)
			defer end()
			return t.produceAndAwait(producers)
		},
	}
}
