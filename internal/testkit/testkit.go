// Package testkit has the common parts of this module's tests. It does not import package eventloop, so that
// package's own tests can use it.
package testkit

import (
	"context"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/internal/raceflag"
)

// Patience bounds every wait in these tests. Nothing waits it out unless something hangs.
const Patience = 60 * time.Second

// Bounded returns a context that ends when the test has taken too long, or is over.
func Bounded(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	t.Cleanup(cancel)
	return ctx
}

// Ended is a context that has ended.
func Ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// Await waits for ch to be closed or to deliver.
func Await[T any](t testing.TB, what string, ch <-chan T) T {
	t.Helper()
	timer := time.NewTimer(Patience)
	defer timer.Stop()
	select {
	case v := <-ch:
		return v
	case <-timer.C:
		t.Fatalf("hangs: %s", what)
		panic("unreachable")
	}
}

// Must ends the test if there is an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Scheduled is Must for calls that return a timer, or another handle.
func Scheduled[T any](t testing.TB) func(T, error) T {
	return func(h T, err error) T {
		t.Helper()
		Must(t, err)
		return h
	}
}

// A Journal is a log of words that callbacks write, all of them on one loop.
type Journal []string

// Say adds a word.
func (j *Journal) Say(word string) { *j = append(*j, word) }

// Does returns a callback that adds a word.
func (j *Journal) Does(word string) func() { return func() { j.Say(word) } }

func (j Journal) String() string { return strings.Join(j, " ") }

// Expect compares the words with those wanted.
func (j Journal) Expect(t testing.TB, want string) {
	t.Helper()
	if got := j.String(); got != want {
		t.Errorf("order:\n got %s\nwant %s", got, want)
	}
}

// Full reports whether tests run at their full size. EVENTLOOP_FULL=1 asks for that, as .ci/run does.
func Full() bool { return !testing.Short() && os.Getenv("EVENTLOOP_FULL") != "" }

// Scale is the stated reduction of the large tests: a quarter unless they run at their full size, a quarter of that under
// the race detector, which makes them about ten times as slow, and a tenth of n under -short.
func Scale(n int) int {
	if raceflag.Enabled {
		n /= 4
	}
	if !testing.Short() && !Full() {
		n /= 4
	}
	return Shortly(n)
}

// Shortly is Scale for work that is not reduced under the race detector.
func Shortly(n int) int {
	if testing.Short() {
		n /= 10
	}
	return max(n, 1)
}

// A Dog panics, which shows all stacks, when nothing has kicked it for Patience. It is for loops too tight to make a timer
// for each wait.
type Dog struct {
	kicks atomic.Int64
	timer *time.Timer
}

// Watchdog returns a dog.
func Watchdog(t testing.TB, what string) *Dog {
	d := new(Dog)
	var seen int64
	d.timer = time.AfterFunc(Patience, func() {
		kicks := d.kicks.Load()
		if kicks == seen {
			panic("hangs: " + t.Name() + ": " + what)
		}
		seen = kicks
		d.timer.Reset(Patience)
	})
	return d
}

// Kick resets the dog's deadline.
func (d *Dog) Kick() { d.kicks.Add(1) }

// Stop ends the dog.
func (d *Dog) Stop() { d.timer.Stop() }

// HeapInUse is the memory of the objects that are alive.
func HeapInUse() uint64 {
	runtime.GC()
	runtime.GC() // the first moves the contents of pools to their victim caches
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
