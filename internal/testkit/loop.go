package testkit

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/internal/inside"
)

// A Loop is an *eventloop.Loop.
type Loop interface {
	Run(ctx context.Context) error
	Shutdown(ctx context.Context) error
	Do(ctx context.Context, fn func()) error
	Submit(fn func()) error
}

// Launch runs l on a goroutine of its own, and delivers the error of Run. It waits until the loop has its owner: a
// Shutdown before that would find a loop that is not running.
func Launch(l Loop) <-chan error {
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
	for inside.Of(l).WaitError(Ended()) != context.Canceled { // Run has not begun
		runtime.Gosched()
	}
	return result
}

// Running runs l until the test ends, when it must shut down cleanly.
func Running[L Loop](t testing.TB, l L) L {
	t.Helper()
	result := Launch(l)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), Patience)
		defer cancel()
		if err := l.Shutdown(ctx); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		Await(t, "Run after Shutdown", result)
	})
	return l
}

// RunMain runs a loop that ends by itself: it executes main, and its consequences, on the calling goroutine.
func RunMain[L Loop](t testing.TB, l L, main func(L)) L {
	t.Helper()
	Must(t, l.Submit(func() { main(l) }))
	if err := l.Run(Bounded(t)); err != nil {
		t.Errorf("Run: %v", err)
	}
	return l
}

// On runs fn on the loop and waits for it.
func On(t testing.TB, l Loop, fn func()) {
	t.Helper()
	Must(t, l.Do(Bounded(t), fn))
}

// UntilAsleep waits until the loop sleeps. It polls, without sleeping, because a loop sends no event when it falls
// asleep.
func UntilAsleep(t testing.TB, l Loop) {
	t.Helper()
	for deadline := time.Now().Add(Patience); !inside.Of(l).Asleep(); {
		runtime.Gosched()
		if time.Now().After(deadline) {
			t.Fatal("hangs: the loop does not go to sleep")
		}
	}
}

// Room counts the tasks that a loop with nothing to do accepts in a row, up to the error full.
func Room[L interface {
	Loop
	SubmitInternal(fn func()) error
}](t testing.TB, l L, full error) (tasks int) {
	t.Helper()
	idle := func() { // Do waits its turn in the same queue
		for errors.Is(l.Do(Bounded(t), func() {}), full) {
			runtime.Gosched()
		}
	}
	idle()
	counted := make(chan struct{})
	Must(t, l.SubmitInternal(func() {
		for l.Submit(func() {}) == nil {
			tasks++
		}
		close(counted)
	}))
	Await(t, "the count", counted)
	idle()
	return tasks
}
