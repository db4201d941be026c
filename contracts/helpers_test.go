package contracts_test

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
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

// ended is a context that has ended.
func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
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
func launch(l *eventloop.Loop) <-chan error {
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
	for errors.Is(inside.Of(l).WaitError(ended()), eventloop.ErrLoopNotRunning) {
		runtime.Gosched()
	}
	return result
}

// running returns a loop that runs until the test ends, when it must shut down cleanly.
func running(t testing.TB, opts ...eventloop.Option) *eventloop.Loop {
	t.Helper()
	l := eventloop.New(opts...)
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
func runMain(t testing.TB, main func(*eventloop.Loop), opts ...eventloop.Option) *eventloop.Loop {
	t.Helper()
	l := eventloop.New(append([]eventloop.Option{eventloop.WithAutoExit()}, opts...)...)
	must(t, l.Submit(func() { main(l) }))
	if err := l.Run(bounded(t)); err != nil {
		t.Errorf("Run: %v", err)
	}
	return l
}

// on runs fn on the loop and waits for it.
func on(t testing.TB, l *eventloop.Loop, fn func()) {
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
func scheduled(t testing.TB) func(eventloop.Timer, error) eventloop.Timer {
	return func(h eventloop.Timer, err error) eventloop.Timer {
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
type heard []*eventloop.PanicError

func (h *heard) option() eventloop.Option {
	return eventloop.WithPanicHandler(func(e *eventloop.PanicError) { *h = append(*h, e) })
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

// settle waits until the timers that are due have run.
func settle(t *testing.T, l *eventloop.Loop) {
	t.Helper()
	on(t, l, func() {})
	on(t, l, func() {}) // the timers phase of this turn came after whatever was due before it
}

// A jobFunc is a function as a microtask.
type jobFunc func()

func (f jobFunc) Run() { f() }

// goroutineID is the number of the calling goroutine, from its stack.
func goroutineID() string {
	buf := make([]byte, 64)
	return string(bytes.Fields(buf[:runtime.Stack(buf, false)])[1])
}

// heapInUse is the memory of the objects that are alive.
func heapInUse() uint64 {
	runtime.GC()
	runtime.GC() // the first moves what pools hold to their victim caches
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
