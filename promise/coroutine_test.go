package promise_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/promise"
)

type none = struct{}

// start starts a coroutine that returns nothing.
func start(loop *eventloop.Loop, body func(c *promise.Coroutine)) *promise.Promise[none] {
	return promise.Async(context.Background(), loop, func(c *promise.Coroutine) (none, error) {
		body(c)
		return none{}, nil
	})
}

func TestAsyncSettlesWithWhatTheCoroutineReturns(t *testing.T) {
	broken := errors.New("broken")
	onALoop(t, func(loop *eventloop.Loop) {
		p := promise.Async(context.Background(), loop, func(c *promise.Coroutine) (int, error) {
			v, err := promise.Await(c, promise.Resolve(loop, 1))
			if v != 1 || err != nil {
				t.Errorf("Await of a value: %v, %v", v, err)
			}
			if _, err := promise.Await(c, promise.Reject[int](loop, broken)); err != broken {
				t.Errorf("Await of a rejection: %v", err)
			}
			if _, err := promise.Await[int](c, nil); err != promise.ErrNilPromise {
				t.Errorf("Await of nil: %v", err)
			}
			if c.Loop() != loop || c.Context() != context.Background() {
				t.Error("Loop or Context is another")
			}
			return v + 1, nil
		})
		q := promise.Async(context.Background(), loop, func(c *promise.Coroutine) (int, error) {
			_, err := promise.Await(c, p)
			return 0, errors.Join(err, broken)
		})
		start(loop, func(c *promise.Coroutine) {
			if v, err := promise.Await(c, p); v != 2 || err != nil {
				t.Errorf("outcome %v, %v, want 2", v, err)
			}
			if _, err := promise.Await(c, q); !errors.Is(err, broken) {
				t.Errorf("outcome %v, want the error", err)
			}
		})
	})
}

func TestAPanicInACoroutineRejectsItsPromise(t *testing.T) {
	handled := func(e *eventloop.PanicError) { t.Errorf("the loop's handler is told: %v", e) }
	onALoop(t, func(loop *eventloop.Loop) {
		for name, wait := range map[string]bool{"before it waits": false, "after": true} {
			p := promise.Async(context.Background(), loop, func(c *promise.Coroutine) (int, error) {
				if wait {
					_, _ = promise.Await(c, promise.Resolve(loop, 1))
				}
				deep(200, func() { panic("oops") })
				return 1, nil
			})
			p.Catch(func(err error) (int, error) {
				var e *eventloop.PanicError
				if !errors.As(err, &e) || e.Value != "oops" || !strings.Contains(string(e.Stack), "deep") {
					t.Errorf("%s: %v", name, err)
				} else if n := strings.Count(string(e.Stack), "\n"); n > 200 {
					t.Errorf("%s: the stack has %d lines", name, n)
				}
				return 0, nil
			})
		}
	}, eventloop.WithPanicHandler(handled))
}

//go:noinline
func deep(n int, fn func()) {
	if n == 0 {
		fn()
		return
	}
	deep(n-1, fn)
}

func TestGoexitInACoroutineRejectsItsPromiseAndTheLoopGoesOn(t *testing.T) {
	handled := func(e *eventloop.PanicError) { t.Errorf("the loop's handler is told: %v", e) }
	returned := false
	onALoop(t, func(loop *eventloop.Loop) {
		deferred, later := 0, 0
		for i := range 10 {
			p := promise.Async(context.Background(), loop, func(c *promise.Coroutine) (int, error) {
				defer func() { deferred++ }()
				if i%2 == 0 {
					_, _ = promise.Await(c, promise.Resolve(loop, 1))
				}
				runtime.Goexit()
				return 1, nil
			})
			p.Catch(func(err error) (int, error) {
				if !errors.Is(err, eventloop.ErrGoexit) {
					t.Errorf("rejected with %v", err)
				}
				later++
				return 0, nil
			})
		}
		_, _ = loop.ScheduleTimer(time.Millisecond, func() {
			if returned = true; deferred != 10 || later != 10 {
				t.Errorf("%d deferred calls, %d reactions, want 10 of each", deferred, later)
			}
		})
	}, eventloop.WithPanicHandler(handled))
	if !returned {
		t.Error("the loop has not gone on")
	}
}

func TestCoroutinesOfALockedThread(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	n := 0
	onALoop(t, func(loop *eventloop.Loop) {
		for range 10 {
			start(loop, func(c *promise.Coroutine) {
				_, _ = promise.Await(c, promise.Sleep(context.Background(), loop, time.Millisecond))
				n++
			})
		}
		start(loop, func(c *promise.Coroutine) { // unwound on the same thread
			p, _ := promise.WithResolvers[int](loop)
			_, _ = promise.Await(c, p)
			n++
		})
	})
	if n != 11 {
		t.Errorf("%d coroutines have ended, want 11", n)
	}
}

func TestOnlyOneCoroutineOrCallbackRuns(t *testing.T) {
	loop := beside(t)
	var running, steps int // no lock: the race detector watches
	enter := func() {
		if running++; running != 1 {
			t.Error("two run at once")
		}
		running--
		steps++
	}
	const coroutines, awaits = 50, 40
	var all []*promise.Promise[none]
	for range coroutines {
		all = append(all, promise.Spawn(context.Background(), loop, func(c *promise.Coroutine) (none, error) {
			for i := range awaits {
				enter()
				work := promise.Promisify(c.Context(), loop, func(context.Context) (int, error) { return i, nil })
				if v, err := promise.Await(c, work); v != i || err != nil {
					t.Errorf("Await: %v, %v", v, err)
				}
				enter()
			}
			return none{}, nil
		}))
	}
	for range 200 {
		_ = loop.Submit(enter)
	}
	if _, err := promise.All(loop, all...).Wait(context.Background()); err != nil {
		t.Error(err)
	}
	if err := loop.Do(context.Background(), func() {
		if steps != 2*coroutines*awaits+200 {
			t.Errorf("%d steps", steps)
		}
	}); err != nil {
		t.Error(err)
	}
}

func TestAwaitOfAPromiseOfAnotherLoop(t *testing.T) {
	other := beside(t)
	p, r := promise.WithResolvers[int](other)
	onALoop(t, func(loop *eventloop.Loop) {
		alive, _ := loop.KeepAlive()
		start(loop, func(c *promise.Coroutine) {
			if v, err := promise.Await(c, p); v != 7 || err != nil || !adapter.Of(loop).OnLoop() {
				t.Errorf("Await: %v, %v", v, err)
			}
			alive()
		})
		go r.Resolve(7)
	})
}

// A coroutine is on its loop: nothing that asks is misled by its having a goroutine of its own.
func TestACoroutineIsOnTheLoop(t *testing.T) {
	other := beside(t)
	loop := beside(t)
	look := func(c *promise.Coroutine) {
		if !adapter.Of(loop).OnLoop() {
			t.Error("OnLoop is false in a coroutine")
		}
		if adapter.Of(other).OnLoop() {
			t.Error("OnLoop of another loop is true")
		}
		var inside bool
		wait := make(chan none)
		go func() { inside = adapter.Of(loop).OnLoop(); close(wait) }()
		if <-wait; inside {
			t.Error("OnLoop is true on a goroutine that the coroutine has started")
		}
		ran := false
		if err := loop.Do(context.Background(), func() { ran = true }); err != nil || !ran {
			t.Errorf("Do: %v, ran: %v", err, ran)
		}
		pending, _ := promise.WithResolvers[int](loop)
		if _, err := pending.Wait(context.Background()); !errors.Is(err, eventloop.ErrOnLoop) {
			t.Errorf("Promise.Wait: %v", err)
		}
		if err := other.Do(context.Background(), func() {
			if adapter.Of(loop).OnLoop() || !adapter.Of(other).OnLoop() {
				t.Error("on the other loop OnLoop is wrong")
			}
		}); err != nil {
			t.Errorf("Do of another loop: %v", err)
		}
	}
	// Another loop's coroutine runs at the same time.
	busy := promise.Spawn(context.Background(), other, func(c *promise.Coroutine) (none, error) {
		for range 100 {
			if adapter.Of(loop).OnLoop() || !adapter.Of(other).OnLoop() {
				t.Error("in another loop's coroutine OnLoop is wrong")
			}
			_, _ = promise.Await(c, promise.Resolve(other, 1))
		}
		return none{}, nil
	})
	p := promise.Spawn(context.Background(), loop, func(c *promise.Coroutine) (none, error) {
		deep(3, func() { look(c) })
		_, _ = promise.Await(c, promise.Sleep(c.Context(), loop, time.Millisecond))
		deep(300, func() { look(c) })
		inner := start(loop, look)
		_, _ = promise.Await(c, inner)
		look(c)
		return none{}, nil
	})
	for _, p := range []*promise.Promise[none]{p, busy} {
		if _, err := p.Wait(context.Background()); err != nil {
			t.Error(err)
		}
	}
	if adapter.Of(loop).OnLoop() {
		t.Error("the test is on the loop")
	}
}

func TestShutdownInACoroutineSaysThatItWouldWaitForItself(t *testing.T) {
	onALoop(t, func(loop *eventloop.Loop) {
		start(loop, func(c *promise.Coroutine) {
			_, _ = promise.Await(c, promise.Resolve(loop, 1))
			if err := loop.Shutdown(context.Background()); !errors.Is(err, eventloop.ErrOnLoop) {
				t.Errorf("Shutdown: %v", err)
			}
		})
	})
}

func TestAwaitOutsideItsCoroutinePanics(t *testing.T) {
	panics := func(name string, fn func()) {
		t.Helper()
		defer func() {
			if v := recover(); v == nil || !strings.Contains(fmt.Sprint(v), "outside its coroutine") {
				t.Errorf("%s: %v", name, v)
			}
		}()
		fn()
	}
	onALoop(t, func(loop *eventloop.Loop) {
		p := promise.Resolve(loop, 1)
		var outer *promise.Coroutine
		start(loop, func(c *promise.Coroutine) {
			outer = c
			start(loop, func(inner *promise.Coroutine) {
				panics("in an inner coroutine", func() { _, _ = promise.Await(outer, p) })
			})
			_, _ = promise.Await(c, p)
		})
		panics("in the callback that started it", func() { _, _ = promise.Await(outer, p) })
		_, _ = loop.ScheduleTimer(0, func() {
			panics("after its end", func() { _, _ = promise.Await(outer, p) })
		})
		panics("of none", func() { _, _ = promise.Await(new(promise.Coroutine), p) })
	})
}

func TestCoroutinesSleepOnAVirtualClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		onALoop(t, func(loop *eventloop.Loop) {
			start(loop, func(c *promise.Coroutine) {
				for range 24 {
					_, _ = promise.Await(c, promise.Sleep(c.Context(), loop, time.Hour))
				}
			})
		})
		if d := time.Since(begin); d != 24*time.Hour {
			t.Errorf("slept %v", d)
		}
	})
}
