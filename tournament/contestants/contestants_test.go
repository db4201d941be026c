package contestants_test

import (
	"context"
	"log/slog"
	"os"
	"slices"
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
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// each runs a test on a new loop of every contestant.
func each(t *testing.T, test func(t *testing.T, c contestant.Contestant, loop contestant.Loop)) {
	for _, c := range contestants.All() {
		t.Run(c.Name, func(t *testing.T) {
			if c.Unavailable != "" {
				t.Skip(c.Unavailable)
			}
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
		if c.VariantOf != "" && !seen[c.VariantOf] {
			t.Errorf("%s is a variant of %s, which does not come before it", c.Name, c.VariantOf)
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

func TestThePriorityLaneIsAheadOfWaitingTasksAndMicrotasksAheadOfBoth(t *testing.T) {
	each(t, func(t *testing.T, _ contestant.Contestant, loop contestant.Loop) {
		priority, ok := loop.(contestant.PriorityLane)
		if !ok {
			t.Skip("has no priority lane")
		}
		microtasks, _ := loop.(contestant.Microtasks)
		var order []string
		note := func(what string) func() { return func() { order = append(order, what) } }
		want := []string{"internal", "external"}
		if microtasks != nil {
			want = []string{"internal", "microtask", "external"}
		}
		if err := loop.Submit(note("external")); err != nil {
			t.Fatal(err)
		}
		if err := priority.SubmitInternal(func() {
			note("internal")()
			if microtasks != nil {
				if err := microtasks.ScheduleMicrotask(note("microtask")); err != nil {
					t.Error(err)
				}
			}
		}); err != nil {
			t.Fatal(err)
		}
		wait := start(t, loop, context.Background())
		done := make(chan struct{})
		if err := loop.Submit(func() { close(done) }); err != nil {
			t.Fatal(err)
		}
		<-done
		if err := loop.Shutdown(within(t)); err != nil {
			t.Fatal(err)
		}
		wait()
		if !slices.Equal(order, want) {
			t.Errorf("ran %v, want %v", order, want)
		}
		if err := priority.SubmitInternal(func() {}); err == nil {
			t.Error("the priority lane accepts tasks after the end")
		}
	})
}

func TestATaskThatPanicsTakesNothingWithItUnlessTheContestantSaysSo(t *testing.T) {
	silent := slog.Default()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	defer slog.SetDefault(silent)
	each(t, func(t *testing.T, c contestant.Contestant, loop contestant.Loop) {
		if c.Panics != "" {
			t.Skip("known limit: " + c.Panics)
		}
		wait := start(t, loop, context.Background())
		up := make(chan struct{})
		if err := loop.Submit(func() { close(up) }); err != nil {
			t.Fatal(err)
		}
		<-up
		var ran atomic.Int64
		for i := range 100 {
			if err := loop.Submit(func() {
				ran.Add(1)
				if i%10 == 0 {
					panic("deliberate")
				}
			}); err != nil {
				t.Fatal(err)
			}
		}
		if err := loop.Shutdown(within(t)); err != nil {
			t.Fatal(err)
		}
		wait()
		if n := ran.Load(); n != 100 {
			t.Errorf("%d of 100 tasks ran", n)
		}
	})
}

func TestAWatchedDescriptorCallsTheLoopWhenItCanBeRead(t *testing.T) {
	each(t, func(t *testing.T, _ contestant.Contestant, loop contestant.Loop) {
		descriptors, ok := loop.(contestant.Descriptors)
		if !ok {
			t.Skip("watches no descriptors")
		}
		wait := start(t, loop, context.Background())
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		defer w.Close()
		got := make(chan byte)
		stop, err := descriptors.WatchReadable(int(r.Fd()), func() {
			var b [1]byte
			if _, err := r.Read(b[:]); err != nil {
				t.Error(err)
			}
			got <- b[0]
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range []byte("abc") {
			if _, err := w.Write([]byte{b}); err != nil {
				t.Fatal(err)
			}
			if g := <-got; g != b {
				t.Errorf("read %c, want %c", g, b)
			}
			ran := make(chan struct{}) // and tasks still run
			if err := loop.Submit(func() { close(ran) }); err != nil {
				t.Fatal(err)
			}
			<-ran
		}
		for range 2 {
			if err := stop(); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := w.Write([]byte("d")); err != nil { // nobody reads it
			t.Fatal(err)
		}
		if err := loop.Shutdown(within(t)); err != nil {
			t.Fatal(err)
		}
		wait()
	})
}
