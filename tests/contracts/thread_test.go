package contracts_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/internal/testkit"
	"github.com/eventloop-go/eventloop/promise"
)

// The runtime ends the process, and with it the tests, if a coroutine is switched to where that is not allowed.

// waiting starts a coroutine on the loop that waits until the promise returned is settled.
func waiting(t *testing.T, l *eventloop.Loop, body func()) promise.Resolver[int] {
	p, r := promise.WithResolvers[int](l)
	promise.Async(context.Background(), l, func(c *promise.Coroutine) (int, error) {
		v, err := promise.Await(c, p)
		if body != nil {
			body()
		}
		return v, err
	})
	return r
}

// locked calls fn on a goroutine that is locked to its thread.
func locked(fn func()) {
	elsewhere(func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		fn()
	})
}

// elsewhere calls fn on a goroutine of its own.
func elsewhere(fn func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		fn()
	}()
	<-done
}

func isLocked() bool {
	var buf [80]byte
	return strings.Contains(string(buf[:runtime.Stack(buf[:], false)]), "locked to thread")
}

func drive(t *testing.T, l *eventloop.Loop) *adapter.Driver {
	t.Helper()
	d, err := adapter.Drive(l)
	testkit.Must(t, err)
	return d
}

func turns(t *testing.T, d *adapter.Driver) {
	t.Helper()
	for more := true; more; {
		var err error
		more, err = d.RunReady()
		testkit.Must(t, err)
	}
}

func TestALockedGoroutineDrivesCoroutinesOnItsThread(t *testing.T) {
	locked(func() {
		l := eventloop.New()
		d := drive(t, l)
		steps := 0
		body := func(c *promise.Coroutine) (int, error) {
			for range 10 {
				_, err := promise.Await(c, promise.Sleep(context.Background(), l, time.Microsecond))
				if err != nil || !isLocked() {
					t.Errorf("Await: %v; locked: %v", err, isLocked())
				}
				steps++
			}
			return 0, nil
		}
		for range 5 {
			promise.Spawn(context.Background(), l, body)
		}
		unwound := false
		testkit.Must(t, l.Submit(func() { waiting(t, l, func() { unwound = true }) }))
		for steps < 50 {
			_, err := d.RunOnce(time.Second)
			testkit.Must(t, err)
		}
		testkit.Must(t, d.Close())
		if !unwound {
			t.Error("a coroutine that waited when the loop ended has not returned")
		}
	})
}

func TestADriverRefusesAGoroutineThatCannotResumeTheCoroutines(t *testing.T) {
	for name, c := range map[string]struct{ start, other func(func()) }{
		"free, then locked":    {elsewhere, locked},
		"locked, then free":    {locked, elsewhere},
		"locked, then another": {locked, locked},
	} {
		t.Run(name, func(t *testing.T) {
			c.start(func() {
				l := eventloop.New()
				d := drive(t, l)
				var r promise.Resolver[int]
				resumed := false
				testkit.Must(t, l.Submit(func() { r = waiting(t, l, func() { resumed = true }) }))
				turns(t, d)
				r.Resolve(1)
				c.other(func() {
					for range 3 {
						_, once := d.RunOnce(time.Hour)
						_, ready := d.RunReady()
						if end := d.Close(); !errors.Is(once, eventloop.ErrInvalid) || !errors.Is(ready, eventloop.ErrInvalid) || !errors.Is(end, eventloop.ErrInvalid) {
							t.Errorf("RunOnce: %v, RunReady: %v, Close: %v", once, ready, end)
						}
					}
				})
				if resumed {
					t.Error("the coroutine was resumed")
				}
				testkit.Must(t, d.Close())
				if !resumed {
					t.Error("the coroutine was not resumed")
				}
			})
		})
	}
}

func TestALoopWithoutWaitingCoroutinesMayBeDrivenFromAnotherThread(t *testing.T) {
	l := eventloop.New()
	d := drive(t, l)
	n := 0
	coroutine := func() {
		promise.Async(context.Background(), l, func(c *promise.Coroutine) (int, error) {
			_, err := promise.Await(c, promise.Resolve(l, 1))
			n++
			return 0, err
		})
	}
	step := func() {
		testkit.Must(t, l.Submit(coroutine))
		testkit.Must(t, l.Submit(coroutine))
		turns(t, d)
	}
	step()
	locked(func() {
		step()
		step()
		testkit.Must(t, d.Close())
	})
	if n != 6 {
		t.Errorf("%d coroutines have ended, want 6", n)
	}
}

func TestCloseEndsALoopWhoseLockedGoroutineIsGone(t *testing.T) {
	l := eventloop.New()
	d := drive(t, l)
	locked(func() {
		testkit.Must(t, l.Submit(func() { promise.Async(context.Background(), l, leftBehind) }))
		turns(t, d)
	})
	if _, err := d.RunReady(); !errors.Is(err, eventloop.ErrInvalid) {
		t.Errorf("RunReady elsewhere: %v", err)
	}
	testkit.Must(t, l.Close())
	if _, err := d.RunReady(); !errors.Is(err, eventloop.ErrLoopClosed) {
		t.Errorf("RunReady after Close: %v", err)
	}
}

// leftBehind is the body of a coroutine that is never resumed. The check for leaks knows its name.
func leftBehind(c *promise.Coroutine) (int, error) {
	p, _ := promise.WithResolvers[int](c.Loop())
	return promise.Await(c, p)
}

func TestACoroutinesLockEndsWhereItWaitsOrReturns(t *testing.T) {
	ends := map[string]func(c *promise.Coroutine, p *promise.Promise[int]){
		"returns": func(*promise.Coroutine, *promise.Promise[int]) {},
		"waits": func(c *promise.Coroutine, p *promise.Promise[int]) {
			if v, err := promise.Await(c, p); v != 1 || err != nil || isLocked() {
				t.Errorf("Await: %v, %v; locked: %v", v, err, isLocked())
			}
		},
		"calls Goexit": func(*promise.Coroutine, *promise.Promise[int]) { runtime.Goexit() },
		"starts a coroutine": func(c *promise.Coroutine, p *promise.Promise[int]) {
			promise.Async(context.Background(), c.Loop(), func(c *promise.Coroutine) (int, error) { return promise.Await(c, p) })
		},
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			l := eventloop.New(eventloop.WithAutoExit(), promise.WithUnhandledRejection(func(*promise.Rejection) {}))
			n := 0
			for range 10 {
				testkit.Must(t, l.Submit(func() {
					p, r := promise.WithResolvers[int](l)
					promise.Async(context.Background(), l, func(c *promise.Coroutine) (int, error) {
						runtime.LockOSThread()
						defer runtime.UnlockOSThread()
						runtime.LockOSThread()
						runtime.LockOSThread()
						n++
						end(c, p)
						return 0, nil
					})
					testkit.Must(t, l.Submit(func() { r.Resolve(1) }))
				}))
			}
			testkit.Must(t, l.Run(testkit.Bounded(t)))
			if n != 10 {
				t.Errorf("%d coroutines ran, want 10", n)
			}
		})
	}
}

func TestACallbacksLockEndsWhereACoroutineGoesOn(t *testing.T) {
	for name, run := range map[string]func(*testing.T, *eventloop.Loop){
		"Run": func(t *testing.T, l *eventloop.Loop) { testkit.Must(t, l.Run(testkit.Bounded(t))) },
		"driven": func(t *testing.T, l *eventloop.Loop) {
			d := drive(t, l)
			for d.Alive() {
				_, err := d.RunOnce(time.Second)
				testkit.Must(t, err)
			}
			testkit.Must(t, d.Close())
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := eventloop.New(eventloop.WithAutoExit())
			ended := 0
			for range 10 {
				testkit.Must(t, l.Submit(func() {
					r := waiting(t, l, func() { ended++ })
					testkit.Must(t, l.Submit(func() {
						runtime.LockOSThread()
						r.Resolve(1)
					}))
					testkit.Must(t, l.Submit(func() {
						runtime.LockOSThread()
						r := waiting(t, l, func() { ended++ }) // on a goroutine that has rested
						r.Resolve(1)
					}))
				}))
			}
			run(t, l)
			if ended != 20 {
				t.Errorf("%d coroutines have ended, want 20", ended)
			}
		})
	}
}

func TestACallbackThatLocksBeforeTheFirstCoroutineKeepsTheLock(t *testing.T) {
	l := eventloop.New(eventloop.WithAutoExit())
	steps := 0
	testkit.Must(t, l.Submit(func() {
		runtime.LockOSThread()
		for range 3 {
			r := waiting(t, l, func() {
				if steps++; !isLocked() {
					t.Error("a coroutine is not on the thread of the loop")
				}
			})
			testkit.Must(t, l.Submit(func() { r.Resolve(1) }))
		}
	}))
	done := make(chan error)
	go func() { done <- l.Run(testkit.Bounded(t)) }() // its thread ends with it
	testkit.Must(t, testkit.Await(t, "Run", done))
	if steps != 3 {
		t.Errorf("%d coroutines have gone on, want 3", steps)
	}
}

func TestCoroutinesReturnFromALoopThatACallbackHasLocked(t *testing.T) {
	l := eventloop.New()
	returned := 0
	testkit.Must(t, l.Submit(func() {
		for range 3 {
			waiting(t, l, func() { returned++ })
		}
		runtime.LockOSThread()
		_ = l.Shutdown(testkit.Ended())
	}))
	result := testkit.Launch(l)
	testkit.Must(t, testkit.Await(t, "Run", result))
	if returned != 3 {
		t.Errorf("%d coroutines have returned, want 3", returned)
	}
}
