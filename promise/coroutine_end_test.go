package promise_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/promise"
)

// However a loop ends, its coroutines are unwound in the order of their start, by the goroutine in Run. A coroutine
// that awaits again gets the error at once.
func TestCoroutinesThatWaitAreUnwoundWhenTheLoopEnds(t *testing.T) {
	for name, end := range map[string]func(*eventloop.Loop){
		"by itself":   func(*eventloop.Loop) {},
		"by Shutdown": func(l *eventloop.Loop) { _ = l.Shutdown(ended()) },
		"by Close":    func(l *eventloop.Loop) { _ = l.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			var log []string // no lock: Run's goroutine writes, and the test reads after Run
			var all []*promise.Promise[int]
			loop := eventloop.New(eventloop.WithAutoExit())
			_ = loop.Submit(func() {
				for i := range 3 {
					all = append(all, promise.Async(context.Background(), loop, func(c *promise.Coroutine) (int, error) {
						defer func() { log = append(log, fmt.Sprint("deferred ", i)) }()
						p, _ := promise.WithResolvers[int](loop)
						_, err := promise.Await(c, p)
						if !errors.Is(err, eventloop.ErrLoopTerminated) {
							t.Errorf("Await: %v", err)
						}
						if _, err := promise.Await(c, promise.Resolve(loop, 1)); !errors.Is(err, eventloop.ErrLoopTerminated) {
							t.Errorf("Await again: %v", err)
						}
						if !adapter.Of(loop).OnLoop() {
							t.Error("OnLoop is false")
						}
						select {
						case <-loop.Done():
							t.Error("Done is closed already")
						default:
						}
						inner := promise.Async(context.Background(), loop, func(*promise.Coroutine) (int, error) {
							t.Error("a coroutine has started after the end")
							return 0, nil
						})
						if r, ok := inner.Result(); !ok || !errors.Is(r.Err, eventloop.ErrLoopTerminated) {
							t.Errorf("Async: %v, %v", r, ok)
						}
						if _, err := adapter.Of(loop).ScheduleTimer(0, func() {}); !errors.Is(err, eventloop.ErrLoopTerminated) {
							t.Errorf("ScheduleTimer: %v", err)
						}
						switch i {
						case 0:
							return 7, nil
						case 1:
							runtime.Goexit()
						}
						panic("oops")
					}))
				}
				promise.Then(all[0], func(int) (int, error) { t.Error("a reaction has run after the end"); return 0, nil })
				end(loop)
			})
			err := loop.Run(context.Background())
			if closed := errors.Is(err, eventloop.ErrLoopClosed); closed != (name == "by Close") {
				t.Errorf("Run: %v", err)
			}
			if want := []string{"deferred 0", "deferred 1", "deferred 2"}; !slices.Equal(log, want) {
				t.Errorf("log %q, want %q", log, want)
			}
			if d := loop.Dropped(); d != (eventloop.Dropped{}) {
				t.Errorf("dropped %+v", d)
			}
			var p *eventloop.PanicError
			if r, _ := all[0].Result(); r.Value != 7 || r.Err != nil {
				t.Errorf("first: %+v", r)
			}
			if r, _ := all[1].Result(); !errors.Is(r.Err, eventloop.ErrGoexit) {
				t.Errorf("second: %+v", r)
			}
			if r, _ := all[2].Result(); !errors.As(r.Err, &p) || p.Value != "oops" {
				t.Errorf("third: %+v", r)
			}
		})
	}
}

func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func TestALoopThatIsDoomedByGoexitStillUnwindsItsCoroutines(t *testing.T) {
	loop := eventloop.New(eventloop.WithAutoExit(), eventloop.WithPanicHandler(func(*eventloop.PanicError) {}))
	var got error
	_ = loop.Submit(func() {
		start(loop, func(c *promise.Coroutine) {
			p, _ := promise.WithResolvers[int](loop)
			_, got = promise.Await(c, p)
		})
		runtime.Goexit()
	})
	go func() { _ = loop.Run(context.Background()) }()
	<-loop.Done()
	if !errors.Is(got, eventloop.ErrLoopTerminated) {
		t.Errorf("Await: %v", got)
	}
}

func TestACoroutineOfALoopThatNobodyRunsDoesNotStart(t *testing.T) {
	body := func(*promise.Coroutine) (int, error) { t.Error("it has started"); return 0, nil }
	loop := eventloop.New()
	p := promise.Async(context.Background(), loop, body)
	q := promise.Spawn(context.Background(), loop, body)
	_ = loop.Close()
	for _, p := range []*promise.Promise[int]{p, q} {
		if _, err := p.Wait(context.Background()); !errors.Is(err, eventloop.ErrLoopTerminated) {
			t.Errorf("Await: %v", err)
		}
	}
	if r, ok := promise.Spawn(context.Background(), loop, body).Result(); !ok || !errors.Is(r.Err, eventloop.ErrLoopTerminated) {
		t.Errorf("Spawn after the end: %+v", r)
	}
}

func TestACoroutineStartsWhenRunBegins(t *testing.T) {
	loop := eventloop.New(eventloop.WithAutoExit())
	ran := false
	start(loop, func(*promise.Coroutine) { ran = true })
	if ran {
		t.Error("it has started before Run")
	}
	if err := loop.Run(context.Background()); err != nil || !ran {
		t.Errorf("Run: %v, ran: %v", err, ran)
	}
}

func TestAContextThatEndsInterruptsTheAwait(t *testing.T) {
	loop := beside(t)
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	pending, _ := promise.WithResolvers[int](loop)
	waits := make(chan none)
	deferred := false
	p := promise.Spawn(ctx, loop, func(c *promise.Coroutine) (int, error) {
		defer func() { deferred = true }()
		_ = loop.ScheduleMicrotask(func() { close(waits) })
		_, err := promise.Await(c, pending)
		if !endedBy(err, context.Canceled, cause) {
			t.Errorf("Await: %v", err)
		}
		late := promise.Reject[int](loop, errors.New("handled by the Await, though that does not wait"))
		if _, err := promise.Await(c, late); !endedBy(err, context.Canceled, cause) {
			t.Errorf("Await again: %v", err)
		}
		return 0, err
	})
	<-waits
	cancel(cause)
	if _, err := p.Wait(context.Background()); !endedBy(err, context.Canceled, cause) || !deferred {
		t.Errorf("outcome: %v, deferred: %v", err, deferred)
	}
	q := promise.Spawn(ctx, loop, func(*promise.Coroutine) (int, error) { t.Error("it has started"); return 0, nil })
	if _, err := q.Wait(context.Background()); !endedBy(err, context.Canceled, cause) {
		t.Errorf("start with a context that has ended: %v", err)
	}
}

// A coroutine that is interrupted leaves its reaction behind, which must not resume it a second time.
func TestAnInterruptedAwaitIsForgotten(t *testing.T) {
	for range 300 {
		ctx, cancel := context.WithCancel(context.Background())
		returns := 0
		onALoop(t, func(loop *eventloop.Loop) {
			alive, _ := loop.KeepAlive()
			p, r := promise.WithResolvers[int](loop)
			promise.Async(ctx, loop, func(c *promise.Coroutine) (int, error) {
				if v, err := promise.Await(c, p); (v == 1) != (err == nil) {
					t.Errorf("Await: %v, %v", v, err)
				}
				if _, err := promise.Await(c, promise.Resolve(loop, 1)); err != nil && !errors.Is(err, context.Canceled) {
					t.Errorf("second Await: %v", err)
				}
				returns++
				alive()
				return 0, nil
			})
			go cancel()
			go r.Resolve(1)
		})
		if returns != 1 {
			t.Fatalf("it has returned %d times", returns)
		}
	}
}

func TestInterruptedAwaitsLeaveNothingOnAPromiseThatLivesLong(t *testing.T) {
	loop := beside(t)
	var forever *promise.Promise[int]
	forever, _ = promise.WithResolvers[int](loop)
	before := heap()
	for range 2000 {
		ctx, cancel := context.WithCancel(context.Background())
		p := promise.Spawn(ctx, loop, func(c *promise.Coroutine) (int, error) {
			room := make([]byte, 64<<10)
			_ = loop.ScheduleMicrotask(cancel)
			v, err := promise.Await(c, forever)
			runtime.KeepAlive(room)
			return v, err
		})
		if _, err := p.Wait(context.Background()); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if grown := int64(heap()) - int64(before); grown > 8<<20 {
		t.Errorf("the heap has grown by %d bytes", grown)
	}
	runtime.KeepAlive(forever)
}

// Deferred calls of a suspended coroutine run on the loop, however the loop ends. They detect the loop's goroutine,
// and the loop does not wait for itself.
func TestTheCleanupOfCoroutinesOfADrivenLoopIsOnTheLoop(t *testing.T) {
	for name, end := range map[string]func(*eventloop.Loop, *adapter.Driver){
		"Driver.Close": func(_ *eventloop.Loop, d *adapter.Driver) { _ = d.Close() },
		"Close, then a turn": func(l *eventloop.Loop, d *adapter.Driver) {
			_ = l.Close()
			_, _ = d.RunReady()
		},
		"Shutdown elsewhere": func(l *eventloop.Loop, d *adapter.Driver) {
			_ = l.Shutdown(ended())
			for {
				if _, err := d.RunOnce(time.Hour); err != nil {
					return
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			loop := eventloop.New()
			d, err := adapter.Drive(loop)
			if err != nil {
				t.Fatal(err)
			}
			cleaned := 0
			for range 3 {
				promise.Spawn(context.Background(), loop, func(c *promise.Coroutine) (none, error) {
					p, _ := promise.WithResolvers[int](loop)
					defer func() {
						cleaned++
						if !adapter.Of(loop).OnLoop() {
							t.Error("OnLoop is false")
						}
						if err := loop.Shutdown(context.Background()); !errors.Is(err, eventloop.ErrOnLoop) {
							t.Errorf("Shutdown: %v", err)
						}
						if _, err := p.Wait(context.Background()); !errors.Is(err, eventloop.ErrOnLoop) {
							t.Errorf("Wait: %v", err)
						}
						ran := false
						if err := loop.Do(context.Background(), func() { ran = true }); err != nil || !ran {
							t.Errorf("Do: %v, ran: %v", err, ran)
						}
						if _, err := d.RunReady(); !errors.Is(err, eventloop.ErrLoopRunning) {
							t.Errorf("RunReady: %v", err)
						}
						if cleaned == 2 {
							runtime.Goexit()
						}
						panic("cleanup fails")
					}()
					_, err := promise.Await(c, p)
					return none{}, err
				})
			}
			if _, err := d.RunReady(); err != nil {
				t.Fatal(err)
			}
			end(loop, d)
			<-loop.Done()
			if cleaned != 3 {
				t.Errorf("%d coroutines have cleaned up", cleaned)
			}
		})
	}
}
