package component

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/leakcheck"
	"github.com/eventloop-go/eventloop/tournament/guard"
	"github.com/eventloop-go/eventloop/tournament/result"
)

func TestMain(m *testing.M) {
	rest()
	leakcheck.Main(m)
}

// patience bounds every wait. Nothing waits it out unless something hangs.
const patience = time.Minute

// lap is how many operations may leave something behind before it is cleared away.
const lap = 8192

// loopUp starts a loop that has run something already, resets the clock, and shuts the loop down after it.
func loopUp(b *testing.B, opts ...eventloop.Option) *eventloop.Loop {
	b.Helper()
	l := eventloop.New(opts...)
	result := make(chan error, 1)
	go func() { result <- l.Run(context.Background()) }()
	b.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := l.Shutdown(ctx); err != nil {
			b.Errorf("Shutdown: %v", err)
		}
		if err := <-result; err != nil {
			b.Errorf("Run: %v", err)
		}
	})
	drain(b, l)
	b.ReportAllocs()
	b.ResetTimer()
	return l
}

// drain waits until the loop has run all earlier tasks.
func drain(b *testing.B, l *eventloop.Loop) {
	on(b, l, func() {})
}

func on(b *testing.B, l *eventloop.Loop, fn func()) {
	b.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := l.Do(ctx, fn); err != nil {
		b.Fatal(err)
	}
}

// When the work that a lap leaves behind is run.
const (
	besides = false // while the clock stands, as in the published row
	within  = true  // in the time, as in the twins
)

// laps performs b.N operations in laps.
func laps(b *testing.B, counted bool, do func(n int), clear func()) {
	for left := b.N; left > 0; left -= lap {
		do(min(left, lap))
		if counted {
			clear()
			continue
		}
		b.StopTimer()
		clear()
		b.StartTimer()
	}
	b.StopTimer()
}

// parallelLaps is laps for all processors: every lap is shared by perProcessor callers on each.
func parallelLaps(b *testing.B, counted bool, perProcessor int, one func(), clear func()) {
	callers := perProcessor * runtime.GOMAXPROCS(0)
	laps(b, counted, func(n int) {
		done := make(chan struct{}, callers)
		for i := range callers {
			share := n / callers
			if i < n%callers {
				share++
			}
			go func() {
				for range share {
					one()
				}
				done <- struct{}{}
			}()
		}
		for range callers {
			<-done
		}
	}, clear)
}

// expect is the end of every benchmark: it checks the count and package guard's conditions.
func expect(b *testing.B, what string, got, want int) {
	b.Helper()
	b.StopTimer()
	if got != want {
		b.Fatalf("%d %s, want %d", got, what, want)
	}
	if err := guarded(b.N, b.Elapsed()); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(rest)
}

// atRest is the heap at the end of the previous benchmark, or at the program's start. One runs at a time.
var atRest guard.Heap

func rest() { atRest = guard.Alive() }

// leastTime is the shortest possible operation in nanoseconds: a tenth of an addition. Less means that it was not
// performed.
const leastTime = 0.05

// guarded returns the fault of n operations with this duration: they took no time, or memory grows with their number.
// Call it while the objects of the operations are alive.
func guarded(n int, elapsed time.Duration) error {
	perOp := float64(elapsed) / float64(n)
	if n >= guard.MinOps && perOp < leastTime {
		perOp = 0
	}
	if err := guard.Sample(result.Sample{N: n, NsPerOp: perOp, Elapsed: elapsed}, n); err != nil {
		return err
	}
	return atRest.Grown(n)
}

func must(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
