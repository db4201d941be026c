package poller

import (
	"context"
	"errors"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/contestant"
)

// each runs a test on AlternateThree and every variant that this system has.
func each(t *testing.T, test func(t *testing.T, loop contestant.Loop)) {
	for _, c := range append([]contestant.Contestant{Contestant}, Variants...) {
		t.Run(c.Name, func(t *testing.T) {
			if c.Unavailable != "" {
				t.Skip(c.Unavailable)
			}
			loop, err := c.New()
			if err != nil {
				t.Fatal(err)
			}
			test(t, loop)
		})
	}
}

func TestDescriptorsAreClosedWithTheLoopHoweverManyProducersWakeIt(t *testing.T) {
	count := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("this system does not list a process's descriptors in /proc/self/fd")
		}
		return len(entries)
	}
	before := count()
	each(t, func(t *testing.T, loop contestant.Loop) {
		ended := make(chan error, 1)
		go func() { ended <- loop.Run(context.Background()) }()
		var producers sync.WaitGroup
		for range 8 {
			producers.Add(1)
			go func() {
				defer producers.Done()
				for loop.Submit(func() {}) == nil {
					runtime.Gosched()
				}
			}()
		}
		if err := loop.Shutdown(context.Background()); err != nil {
			t.Fatal(err)
		}
		producers.Wait()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		if err := loop.Run(context.Background()); !errors.Is(err, ErrRunning) {
			t.Errorf("the second Run returned %v", err)
		}
	})
	if after := count(); after > before+2 { // the runtime's own poller may have come up
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}

func TestTimersThatAreScheduledWhileTheLoopSleepsWakeItAndNeverEarly(t *testing.T) {
	each(t, func(t *testing.T, loop contestant.Loop) {
		ended := make(chan error, 1)
		go func() { ended <- loop.Run(context.Background()) }()
		timers := loop.(contestant.Timers)
		for _, delay := range []time.Duration{5 * time.Millisecond, 0, time.Millisecond, 1500 * time.Microsecond, -time.Second} {
			began, fired := time.Now(), make(chan time.Time)
			if _, err := timers.AfterFunc(delay, func() { fired <- time.Now() }); err != nil {
				t.Fatal(err)
			}
			if at := <-fired; at.Sub(began) < delay {
				t.Errorf("%v fired after %v", delay, at.Sub(began))
			}
		}
		if err := loop.Shutdown(context.Background()); err != nil {
			t.Fatal(err)
		}
		<-ended
		if _, err := timers.AfterFunc(0, func() {}); !errors.Is(err, ErrTerminated) {
			t.Errorf("after the end: %v", err)
		}
	})
}

// The order matters: threads that have come up stay, and would serve those that come later.
func TestOnlyABlockingPollerTakesAThreadForEachLoopInRealTime(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("threads are counted by looking at /proc/self/task")
	}
	threads := func() int {
		entries, err := os.ReadDir("/proc/self/task")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	const loops = 40
	for _, test := range []struct {
		sleeper  func() (sleeper, error)
		blocking bool
	}{{newChannel, false}, {newNetpoll, false}, {newPoller, true}} {
		before := threads()
		var running []*loop
		var ended sync.WaitGroup
		for range loops {
			l, err := newLoop(options{sleeper: test.sleeper})
			if err != nil {
				t.Fatal(err)
			}
			running = append(running, l)
			ended.Add(1)
			go func() {
				defer ended.Done()
				_ = l.Run(context.Background())
			}()
		}
		patience := 20 * time.Millisecond // for threads that must not come up
		if test.blocking {
			patience = 10 * time.Second
		}
		most := 0
		for deadline := time.Now().Add(patience); most < loops/2 && time.Now().Before(deadline); runtime.Gosched() {
			most = max(most, threads()-before)
		}
		if (most >= loops/2) != test.blocking {
			t.Errorf("blocking %v: %d more threads for %d sleeping loops", test.blocking, most, loops)
		}
		for _, l := range running {
			_ = l.Shutdown(context.Background())
		}
		ended.Wait()
	}
}

func TestABatchIsRunToItsEndBeforeTheLoopSleeps(t *testing.T) {
	each(t, func(t *testing.T, loop contestant.Loop) {
		var order []int
		var ran atomic.Int64
		for i := range 10 {
			_ = loop.Submit(func() { order = append(order, i); ran.Add(1) })
		}
		_ = loop.(contestant.PriorityLane).SubmitInternal(func() { order = append(order, -1) })
		ended := make(chan error, 1)
		go func() { ended <- loop.Run(context.Background()) }()
		if err := loop.Shutdown(context.Background()); err != nil {
			t.Fatal(err)
		}
		<-ended
		if len(order) != 11 || order[0] != -1 || order[10] != 9 {
			t.Errorf("ran in the order %v", order)
		}
	})
}
