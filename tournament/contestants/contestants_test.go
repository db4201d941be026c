package contestants_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/contestants"
)

// within is a context for what is expected to happen.
func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// each runs a test on a new loop of every contestant.
func each(t *testing.T, test func(t *testing.T, c contestant.Contestant, loop contestant.Loop)) {
	for _, c := range contestants.All() {
		t.Run(c.Name, func(t *testing.T) {
			loop, err := c.New()
			if err != nil {
				t.Fatal(err)
			}
			test(t, c, loop)
		})
	}
}

// start runs the loop and returns a function that waits for its end.
func start(t *testing.T, loop contestant.Loop, ctx context.Context) (wait func()) {
	ended := make(chan error, 1)
	go func() { ended <- loop.Run(ctx) }()
	return func() {
		select {
		case <-ended: // nil after Shutdown; the cause after the end of ctx
		case <-within(t).Done():
			t.Fatal("Run does not return")
		}
	}
}

func TestContestantsAreDescribedAndNamedApart(t *testing.T) {
	seen := make(map[string]bool)
	for _, c := range contestants.All() {
		if c.Name == "" || strings.ContainsAny(c.Name, " /") || seen[c.Name] {
			t.Errorf("name %q", c.Name)
		}
		if c.About == "" || strings.Contains(c.About, "\n") {
			t.Errorf("%s: not described in one line", c.Name)
		}
		seen[c.Name] = true
	}
}

func TestTasksSubmittedBeforeRunAreRunInOrder(t *testing.T) {
	each(t, func(t *testing.T, _ contestant.Contestant, loop contestant.Loop) {
		var got []int
		for i := range 100 {
			if err := loop.Submit(func() { got = append(got, i) }); err != nil {
				t.Fatal(err)
			}
		}
		done := make(chan struct{})
		if err := loop.Submit(func() { close(done) }); err != nil {
			t.Fatal(err)
		}
		wait := start(t, loop, context.Background())
		<-done
		if err := loop.Shutdown(within(t)); err != nil {
			t.Fatal(err)
		}
		wait()
		for i, n := range got {
			if n != i {
				t.Fatalf("task %d ran as number %d", n, i)
			}
		}
		if len(got) != 100 {
			t.Errorf("%d tasks ran", len(got))
		}
	})
}

func TestShutdownRunsWhatWasAcceptedAndRefusesTheRest(t *testing.T) {
	each(t, func(t *testing.T, _ contestant.Contestant, loop contestant.Loop) {
		wait := start(t, loop, context.Background())
		var ran atomic.Int64
		const tasks = 10_000
		for range tasks {
			if err := loop.Submit(func() { ran.Add(1) }); err != nil {
				t.Fatal(err)
			}
		}
		if err := loop.Shutdown(within(t)); err != nil {
			t.Fatal(err)
		}
		wait()
		if n := ran.Load(); n != tasks {
			t.Errorf("%d of %d ran", n, tasks)
		}
		if err := loop.Submit(func() { t.Error("ran after the end") }); err == nil {
			t.Error("a task was accepted after the end")
		}
	})
}

func TestShutdownFromManyGoroutinesReturnsInAll(t *testing.T) {
	each(t, func(t *testing.T, _ contestant.Contestant, loop contestant.Loop) {
		wait := start(t, loop, context.Background())
		done := make(chan struct{})
		if err := loop.Submit(func() { close(done) }); err != nil {
			t.Fatal(err)
		}
		<-done
		var wg sync.WaitGroup
		for range 10 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				if err := loop.Shutdown(within(t)); err != nil {
					t.Error(err)
				}
			}()
		}
		wg.Wait()
		wait()
	})
}

func TestTheEndOfTheContextEndsRun(t *testing.T) {
	each(t, func(t *testing.T, _ contestant.Contestant, loop contestant.Loop) {
		ctx, cancel := context.WithCancel(context.Background())
		wait := start(t, loop, ctx)
		if err := loop.Submit(cancel); err != nil {
			t.Fatal(err)
		}
		wait()
	})
}

func TestShutdownGivesUpWaitingWhenItsContextEnds(t *testing.T) {
	each(t, func(t *testing.T, _ contestant.Contestant, loop contestant.Loop) {
		wait := start(t, loop, context.Background())
		release := make(chan struct{})
		if err := loop.Submit(func() { <-release }); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
		defer cancel()
		if err := loop.Shutdown(ctx); err == nil {
			t.Error("Shutdown returned nil while a task runs")
		}
		close(release)
		wait()
	})
}

func TestShutdownBeforeRunLetsRunReturn(t *testing.T) {
	each(t, func(t *testing.T, _ contestant.Contestant, loop contestant.Loop) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = loop.Shutdown(ctx) // nobody runs it: an error is as good as none
		start(t, loop, context.Background())()
	})
}

func TestProducersThatRaceWithShutdownNeitherHangNorLoseWhatWasPromised(t *testing.T) {
	each(t, func(t *testing.T, c contestant.Contestant, loop contestant.Loop) {
		wait := start(t, loop, context.Background())
		var accepted, ran atomic.Int64
		var producers sync.WaitGroup
		begun := make(chan struct{}, 4)
		for range 4 {
			producers.Add(1)
			go func() {
				defer producers.Done()
				for i := 0; ; i++ {
					if loop.Submit(func() { ran.Add(1) }) != nil {
						return
					}
					accepted.Add(1)
					if i == 100 {
						begun <- struct{}{}
					}
				}
			}()
		}
		for range 4 {
			<-begun
		}
		if err := loop.Shutdown(within(t)); err != nil {
			t.Fatal(err)
		}
		producers.Wait()
		wait()
		if lost := accepted.Load() - ran.Load(); lost != 0 && c.Loses == "" {
			t.Errorf("%d of %d accepted tasks were lost", lost, accepted.Load())
		}
	})
}

func TestTimersRunUnlessTheyAreCancelled(t *testing.T) {
	each(t, func(t *testing.T, _ contestant.Contestant, loop contestant.Loop) {
		timers, ok := loop.(contestant.Timers)
		if !ok {
			t.Skip("has no timers")
		}
		wait := start(t, loop, context.Background())
		cancel, err := timers.AfterFunc(time.Hour, func() { t.Error("a cancelled timer fired") })
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		fired := make(chan struct{})
		if _, err := timers.AfterFunc(time.Millisecond, func() { close(fired) }); err != nil {
			t.Fatal(err)
		}
		select {
		case <-fired:
		case <-within(t).Done():
			t.Error("the timer does not fire")
		}
		if err := loop.Shutdown(within(t)); err != nil {
			t.Fatal(err)
		}
		wait()
	})
}
