package eventloop

import (
	"context"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// patience bounds every wait in these tests. Nothing waits it out unless something hangs.
const patience = 60 * time.Second

// bounded returns a context that ends when the test has taken too long, or is over.
func bounded(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// await waits for ch to be closed or to deliver.
func await[T any](t testing.TB, what string, ch <-chan T) T {
	t.Helper()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case v := <-ch:
		return v
	case <-timer.C:
		t.Fatalf("hangs: %s", what)
		panic("unreachable")
	}
}

// launch runs l on a goroutine of its own, and delivers what Run returns. It waits until the loop has its owner: a
// Shutdown before that would find a loop that is not running.
func launch(l *Loop) <-chan error {
	result := make(chan error, 1)
	go func() {
		returned := false
		defer func() {
			if !returned {
				close(result) // a callback called Goexit
			}
		}()
		err := l.Run(context.Background())
		returned = true
		result <- err
	}()
	for owned := false; !owned; runtime.Gosched() {
		l.in.mu.lock()
		owned = l.in.owned || l.in.state == stateTerminated
		l.in.mu.unlock()
	}
	return result
}

// running returns a loop that runs until the test ends, when it must shut down cleanly.
func running(t testing.TB, opts ...Option) *Loop {
	t.Helper()
	l := New(opts...)
	result := launch(l)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := l.Shutdown(ctx); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		await(t, "Run after Shutdown", result)
	})
	return l
}

// runMain runs a loop that executes main, and what main causes, to its end, on the calling goroutine.
func runMain(t testing.TB, main func(*Loop), opts ...Option) *Loop {
	t.Helper()
	l := New(append([]Option{WithAutoExit()}, opts...)...)
	must(t, l.Submit(func() { main(l) }))
	if err := l.Run(bounded(t)); err != nil {
		t.Errorf("Run: %v", err)
	}
	return l
}

// on runs fn on the loop and waits for it.
func on(t testing.TB, l *Loop, fn func()) {
	t.Helper()
	must(t, l.Do(bounded(t), fn))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// scheduled is must for calls that return a timer.
func scheduled(t testing.TB) func(Timer, error) Timer {
	return func(h Timer, err error) Timer {
		t.Helper()
		must(t, err)
		return h
	}
}

// A journal is a log of words that callbacks write, all of them on one loop.
type journal []string

func (j *journal) say(word string)         { *j = append(*j, word) }
func (j *journal) does(word string) func() { return func() { j.say(word) } }
func (j journal) String() string           { return strings.Join(j, " ") }

func (j journal) expect(t testing.TB, want string) {
	t.Helper()
	if got := j.String(); got != want {
		t.Errorf("order:\n got %s\nwant %s", got, want)
	}
}

// heard collects what a panic handler is told. Only the loop's goroutine writes it.
type heard []*PanicError

func (h *heard) option() Option {
	return WithPanicHandler(func(e *PanicError) { *h = append(*h, e) })
}

// scale is the stated reduction of the large tests: a quarter under the race detector, which makes them about ten
// times as slow, and a tenth under -short.
func scale(n int) int {
	if raceEnabled {
		n /= 4
	}
	return shortly(n)
}

// shortly is scale for what is not reduced under the race detector.
func shortly(n int) int {
	if testing.Short() {
		n /= 10
	}
	return max(n, 1)
}

// A dog panics, which shows all stacks, when nothing has kicked it for patience. It is for loops too tight to make a
// timer for each wait.
type dog struct {
	kicks atomic.Int64
	timer *time.Timer
}

func watchdog(t *testing.T, what string) *dog {
	d := new(dog)
	var seen int64
	d.timer = time.AfterFunc(patience, func() {
		kicks := d.kicks.Load()
		if kicks == seen {
			panic("hangs: " + t.Name() + ": " + what)
		}
		seen = kicks
		d.timer.Reset(patience)
	})
	return d
}

func (d *dog) kick() { d.kicks.Add(1) }
func (d *dog) stop() { d.timer.Stop() }

// asleep reports whether the owner is parked, or has decided to.
func asleep(l *Loop) bool {
	l.in.mu.lock()
	defer l.in.mu.unlock()
	return l.in.sleeping
}

// untilAsleep waits until the loop sleeps. There is no event for that to wait on, so it polls, without sleeping.
func untilAsleep(t testing.TB, l *Loop) {
	for deadline := time.Now().Add(patience); !asleep(l); {
		runtime.Gosched()
		if time.Now().After(deadline) {
			t.Fatal("hangs: the loop does not go to sleep")
		}
	}
}
