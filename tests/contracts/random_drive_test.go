package contracts_test

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/internal/testkit"
	"github.com/eventloop-go/eventloop/promise"
)

// A random program: callbacks, coroutines, generators, observers and calls from outside, on a loop that several goroutines
// drive, or that one runs. All that was accepted runs once, every coroutine returns, and everything ends.
func TestRandomProgramsOfCoroutinesOnDrivenLoops(t *testing.T) {
	for seed := range uint64(testkit.Scale(60)) {
		r := &randomDrive{t: t, random: rand.New(rand.NewPCG(seed, 7)), left: 200}
		r.run()
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

type randomDrive struct {
	t    *testing.T
	loop *eventloop.Loop

	driven bool

	mu     sync.Mutex // callbacks of the loop and goroutines outside draw from one source
	random *rand.Rand
	left   int // steps that the program may still begin

	accepted, ran    atomic.Int64 // callbacks
	started, ended   atomic.Int64 // coroutines
	badEnds, reports atomic.Int64
	outside          sync.WaitGroup
}

func (r *randomDrive) pick(n int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.random.IntN(n)
}

// more takes a step, if there is one left.
func (r *randomDrive) more() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left--
	return r.left >= 0
}

func (r *randomDrive) run() {
	t := r.t
	r.loop = eventloop.New(eventloop.WithPanicHandler(func(*eventloop.PanicError) { r.reports.Add(1) }),
		promise.WithUnhandledRejection(func(*promise.Rejection) {}))
	r.driven = r.pick(3) > 0
	for range 5 {
		r.submit()
	}
	var drivers sync.WaitGroup
	if r.driven {
		d := drive(t, r.loop)
		for range 1 + r.pick(3) {
			drivers.Go(func() {
				for {
					var err error
					if r.pick(2) == 0 {
						_, err = d.RunReady()
					} else {
						_, err = d.RunOnce(time.Duration(r.pick(100)) * time.Microsecond)
					}
					switch {
					case errors.Is(err, eventloop.ErrLoopRunning):
						runtime.Gosched()
					case errors.Is(err, eventloop.ErrLoopTerminated):
						return
					case err != nil:
						t.Error(err)
						return
					}
				}
			})
		}
	} else {
		drivers.Go(func() { _ = r.loop.Run(context.Background()) })
	}
	for range 4 {
		r.outside.Go(func() {
			for r.more() {
				r.fromOutside()
			}
		})
	}
	finished := make(chan struct{})
	go func() {
		r.outside.Wait()
		_ = r.loop.Shutdown(testkit.Bounded(t))
		drivers.Wait()
		close(finished)
	}()
	testkit.Await(t, "the program", finished)
	if r.accepted.Load() != r.ran.Load() || r.started.Load() != r.ended.Load() || r.badEnds.Load() != r.reports.Load() {
		t.Errorf("%d callbacks of %d ran; %d coroutines of %d returned; %d ended badly, %d reported; dropped %+v",
			r.ran.Load(), r.accepted.Load(), r.ended.Load(), r.started.Load(), r.badEnds.Load(), r.reports.Load(), r.loop.Dropped())
	}
}

func (r *randomDrive) submit() {
	if !r.more() {
		return
	}
	var err error
	r.accepted.Add(1)
	switch l := r.loop; r.pick(5) {
	case 0:
		err = l.Submit(r.callback)
	case 1:
		err = l.SubmitInternal(r.callback)
	case 2:
		err = l.ScheduleImmediate(r.callback)
	case 3:
		err = l.ScheduleMicrotask(r.callback)
	case 4:
		err = l.NextTick(r.callback)
	}
	if err != nil {
		r.accepted.Add(-1)
	}
}

func (r *randomDrive) fromOutside() {
	l := r.loop
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(r.pick(2000))*time.Microsecond)
	defer cancel()
	switch r.pick(6) {
	case 0:
		_ = l.Do(ctx, func() { r.submit() })
	case 1:
		pulled(func() { _ = l.Do(ctx, func() { r.submit() }) })
	case 2:
		p, resolver := promise.WithResolvers[int](l)
		if l.Submit(func() { resolver.Resolve(1) }) == nil {
			_, _ = p.Wait(ctx)
		}
	case 3:
		r.coroutine(promise.Spawn[int])
	case 4:
		stop := inspect.Observe(l, inspect.Phases|inspect.Callbacks, func(inspect.Event) {})
		r.submit()
		stop()
	case 5:
		_, _ = inspect.ActiveResources(ctx, l)
	}
}

type spawn func(context.Context, *eventloop.Loop, func(*promise.Coroutine) (int, error)) *promise.Promise[int]

func (r *randomDrive) coroutine(spawn spawn) {
	r.started.Add(1)
	spawn(context.Background(), r.loop, func(c *promise.Coroutine) (int, error) {
		defer r.ended.Add(1)
		for range r.pick(5) {
			r.step()
			r.wait(c)
		}
		switch r.pick(8) {
		case 0:
			panic("a coroutine's panic rejects its promise")
		case 1:
			runtime.Goexit()
		}
		return 0, nil
	})
}

// wait has a coroutine wait in one of several ways.
func (r *randomDrive) wait(c *promise.Coroutine) {
	switch r.pick(5) {
	case 0:
		_, _ = promise.Await(c, promise.Resolve(r.loop, 1))
	case 1:
		_, _ = promise.Await(c, promise.Sleep(context.Background(), r.loop, time.Duration(r.pick(50))*time.Microsecond))
	case 2:
		runtime.LockOSThread()
		_, _ = promise.Await(c, promise.Resolve(r.loop, 1))
		runtime.UnlockOSThread()
	case 3:
		if isLocked() { // the generator would have the lock too, and Await ends it
			return
		}
		next, stop := iter.Pull(func(yield func(int) bool) {
			_, _ = promise.Await(c, promise.Resolve(r.loop, 1))
			yield(1)
		})
		next()
		stop()
	case 4:
		_, _ = promise.Await(c, promise.Promisify(context.Background(), r.loop, func(context.Context) (int, error) { return 1, nil }))
	}
}

// step is what callbacks and coroutines do.
func (r *randomDrive) step() {
	if !r.more() {
		return
	}
	switch r.pick(7) {
	case 0:
		r.submit()
	case 1:
		r.coroutine(promise.Async[int])
	case 2:
		_ = r.loop.Do(context.Background(), r.step)
	case 3:
		var stop func()
		stop = inspect.Observe(r.loop, inspect.Phases|inspect.Callbacks, func(e inspect.Event) {
			if r.pick(20) == 0 {
				stop()
			}
		})
	case 4:
		pulled(func() {
			if err := r.loop.Do(context.Background(), func() {}); !errors.Is(err, eventloop.ErrOnLoop) {
				r.t.Errorf("Do in a generator that the loop pulls: %v", err)
			}
		})
	case 5:
		if !r.driven && r.ended.Load() > 0 && !isLocked() { // a loop whose goroutine was free when its first coroutine started
			runtime.LockOSThread()
		}
	case 6:
		r.submit()
		r.submit()
	}
}

func (r *randomDrive) callback() {
	r.ran.Add(1)
	r.step()
	switch r.pick(30) {
	case 0:
		r.badEnds.Add(1)
		panic("expected")
	}
}
