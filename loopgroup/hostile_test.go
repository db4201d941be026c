package loopgroup_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/loopgroup"
)

// Callbacks of all loops shut the group down, and submit to each other, while others submit from outside.
func TestShutdownsByTheGroupsOwnCallbacksLoseNothing(t *testing.T) {
	for _, n := range []int{1, 2, 64} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			for range 20 {
				g := loopgroup.New[int](n)
				result := make(chan error, 1)
				go func() { result <- g.Run(context.Background()) }()
				var accepted, ran, wrong atomic.Int64
				submit := func(key int, fn func()) {
					if g.Submit(key, func() { ran.Add(1); fn() }) == nil {
						accepted.Add(1)
					}
				}
				var wg sync.WaitGroup
				for p := range 3 {
					wg.Add(1)
					go func() {
						defer wg.Done()
						for i := range 100 {
							submit(p+i, func() {
								submit(i, func() {})
								if i == 50 {
									if err := g.Shutdown(context.Background()); !errors.Is(err, eventloop.ErrOnLoop) {
										wrong.Add(1)
									}
								}
							})
						}
					}()
				}
				wg.Wait()
				if err := g.Shutdown(context.Background()); err != nil {
					t.Fatal(err)
				}
				if err := <-result; err != nil || wrong.Load() > 0 || ran.Load() != accepted.Load() || g.Dropped() != (eventloop.Dropped{}) {
					t.Fatalf("%v; %d accepted, %d ran, %d shutdowns did not say that they are on a loop; %+v", err, accepted.Load(), ran.Load(), wrong.Load(), g.Dropped())
				}
			}
		})
	}
}

// One loop ends for itself, in each of the ways that there are, while tasks go from loop to loop.
func TestALoopThatEndsAloneEndsTheGroup(t *testing.T) {
	failed := errors.New("failed")
	for name, c := range map[string]struct {
		end  func(*eventloop.Loop)
		want error // nil: none
	}{
		"Shutdown": {func(l *eventloop.Loop) { _ = l.Shutdown(context.Background()) }, nil},
		"Close":    {func(l *eventloop.Loop) { _ = l.Close() }, eventloop.ErrLoopClosed},
		"Fail":     {func(l *eventloop.Loop) { _ = l.Submit(func() { adapter.Of(l).Fail(failed) }) }, failed},
		"Goexit, then Shutdown": {func(l *eventloop.Loop) {
			_ = l.Submit(runtime.Goexit)
			_ = l.Shutdown(context.Background())
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			for range 20 {
				g := loopgroup.New[int](3, eventloop.WithPanicHandler(func(*eventloop.PanicError) {}))
				result := make(chan error, 1)
				go func() { result <- g.Run(context.Background()) }()
				var hop func(key, left int)
				hop = func(key, left int) {
					if left > 0 {
						_ = g.SubmitInternal(key+1, func() { hop(key+1, left-1) })
					}
				}
				for key := range 50 {
					_ = g.Submit(key, func() { hop(key, 20) })
				}
				if err := g.Loops()[1].Do(context.Background(), func() {}); err != nil { // so that its Run has begun
					t.Fatal(err)
				}
				c.end(g.Loops()[1])
				err := <-result
				if c.want == nil && err != nil || !errors.Is(err, c.want) {
					t.Fatalf("Run returned %v, want %v", err, c.want)
				}
				if err := g.Submit(1, func() {}); !errors.Is(err, eventloop.ErrLoopTerminated) {
					t.Fatalf("Submit after the end: %v", err)
				}
			}
		})
	}
}

// Panics in callbacks and in the panic handler must not keep a draining group from ending.
func TestPanicsWhileTheGroupDrainsLoseNothing(t *testing.T) {
	var reported atomic.Int64
	g := loopgroup.New[int](4, eventloop.WithPanicHandler(func(*eventloop.PanicError) { reported.Add(1) }))
	result := make(chan error, 1)
	var hops, faults atomic.Int64
	var hop func(key, left int)
	hop = func(key, left int) {
		hops.Add(1)
		if left > 0 {
			if err := g.SubmitInternal(key+left, func() { hop(key, left-1) }); err != nil {
				t.Errorf("refused: %v", err)
			}
		}
		switch (key + left) % 10 {
		case 0:
			faults.Add(1)
			panic("meant")
		case 1:
			faults.Add(1)
			runtime.Goexit()
		}
	}
	for key := range 500 {
		if err := g.Submit(key, func() { hop(key, 10) }); err != nil {
			t.Fatal(err)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	_ = g.Shutdown(ended) // it drains from the first callback on
	go func() { result <- g.Run(context.Background()) }()
	if err := g.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := <-result; err != nil || hops.Load() != 500*11 || reported.Load() != faults.Load() {
		t.Errorf("%v; %d hops, %d of %d faults reported", err, hops.Load(), reported.Load(), faults.Load())
	}
}

// Keys that are equal by Go's == are one key, regardless of their bits.
func TestKeysThatAreEqualHaveOneLoop(t *testing.T) {
	g := loopgroup.New[any](64)
	defer g.Close()
	zero := 0.0
	type pair struct {
		a any
		b string
	}
	for _, keys := range [][2]any{{zero, -zero}, {pair{1, "x"}, pair{1, "x"}}, {"a" + fmt.Sprint(1), "a1"}, {nil, nil}, {[2]int{1, 2}, [2]int{1, 2}}} {
		if g.Loop(keys[0]) != g.Loop(keys[1]) {
			t.Errorf("%v and %v", keys[0], keys[1])
		}
	}
}

// A group with a single key uses one loop, and still drains and ends.
func TestAGroupWithOneKeyKeepsItsOrder(t *testing.T) {
	g := loopgroup.New[struct{}](64)
	result := start(t, g)
	next, wrong := 0, 0
	for i := range 10_000 {
		if err := g.Submit(struct{}{}, func() {
			if i != next {
				wrong++
			}
			next++
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := <-result; err != nil || next != 10_000 || wrong > 0 {
		t.Error(err, next, wrong)
	}
}

// Everything that can end a group at once does.
func TestEndsThatRaceEachOtherEndTheGroupOnce(t *testing.T) {
	for range 100 {
		g := loopgroup.New[int](3)
		ctx, cancel := context.WithCancel(context.Background())
		result := make(chan error, 1)
		go func() { result <- g.Run(ctx) }()
		var accepted, ran atomic.Int64
		var wg sync.WaitGroup
		for _, end := range []func(){
			cancel,
			g.Close,
			func() { _ = g.Shutdown(context.Background()) },
			func() { _ = g.Loops()[2].Shutdown(context.Background()) },
			func() { _ = g.Run(context.Background()) },
			func() {
				for i := range 200 {
					if g.Submit(i, func() { ran.Add(1) }) == nil {
						accepted.Add(1)
					}
				}
			},
		} {
			wg.Add(1)
			go func() { defer wg.Done(); end() }()
		}
		wg.Wait()
		<-g.Done()
		<-result
		if d := g.Dropped(); accepted.Load() != ran.Load()+int64(d.External) {
			t.Fatalf("%d accepted, %d ran, %+v", accepted.Load(), ran.Load(), d)
		}
	}
}

func TestAGroupThatIsClosedBeforeRunHasEnded(t *testing.T) {
	g := loopgroup.New[int](2)
	ran := false
	_ = g.Submit(1, func() { ran = true })
	g.Close()
	<-g.Done()
	if err := g.Shutdown(context.Background()); err != nil {
		t.Errorf("Shutdown: %v", err)
	}
	if err := g.Run(context.Background()); !errors.Is(err, eventloop.ErrLoopTerminated) {
		t.Errorf("Run: %v", err)
	}
	if ran || g.Dropped().External != 1 {
		t.Errorf("ran: %v; dropped %+v", ran, g.Dropped())
	}
}

func TestShutdownAndCloseBeforeRunEndTogether(t *testing.T) {
	for range 50 {
		g := loopgroup.New[int](2)
		result := make(chan error)
		go func() { result <- g.Shutdown(context.Background()) }()
		go g.Close()
		go func() { _ = g.Run(context.Background()) }()
		if err := <-result; err != nil {
			t.Fatalf("Shutdown: %v", err)
		}
	}
}

// A loop that holds its shutdown up, as js does for timers that were due, has work for other loops when its timer fires.
func TestALoopThatWaitsForAHeldTimerHasNotDrained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := loopgroup.New[int](2)
		from, to := 0, 1
		for g.Loop(to) == g.Loop(from) {
			to++
		}
		result := make(chan error, 1)
		go func() { result <- g.Run(context.Background()) }()
		h := adapter.Of(g.Loop(from))
		ran := false
		_ = g.Submit(from, func() {
			h.Hold(1)
			_, _ = h.ScheduleTimer(time.Minute, func() {
				h.Hold(-1)
				if err := g.SubmitInternal(to, func() { ran = true }); err != nil {
					t.Errorf("SubmitInternal: %v", err)
				}
			})
		})
		synctest.Wait()
		if err := g.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-result; err != nil || !ran {
			t.Errorf("Run: %v, ran: %v", err, ran)
		}
	})
}
