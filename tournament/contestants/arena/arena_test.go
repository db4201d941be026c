package arena

import (
	"context"
	"errors"
	"sync"
	"testing"
)

func TestAFullArenaSpillsAndLosesNeitherTasksNorOrder(t *testing.T) {
	l := New()
	const tasks = 2*Slots + 100
	var got []int
	for i := range tasks { // without Run the arena fills up
		if err := l.Submit(func() { got = append(got, i) }); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(l.external.overflow); n != tasks-Slots {
		t.Fatalf("%d tasks overflow, want %d", n, tasks-Slots)
	}
	more := make(chan struct{})
	if err := l.Submit(func() {
		for i := range Slots + 10 { // the loop itself fills the arena, while it is not emptied
			if err := l.Submit(func() { got = append(got, tasks+i) }); err != nil {
				t.Error(err)
			}
		}
		close(more)
	}); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- l.Run(context.Background()) }()
	<-more
	if err := l.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if len(got) != tasks+Slots+10 {
		t.Fatalf("%d tasks ran", len(got))
	}
	for i, n := range got {
		if n != i {
			t.Fatalf("task %d ran as number %d", n, i)
		}
	}
}

func TestProducersKeepTheirOrderWhileTheArenaOverflowsAgainAndAgain(t *testing.T) {
	l := New()
	l.external.slots = make([]slot, 8) // overflows all the time
	const producers, tasks = 4, 20_000
	var last [producers]int
	ended := make(chan error, 1)
	go func() { ended <- l.Run(context.Background()) }()
	var wg sync.WaitGroup
	for p := range producers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 1; i <= tasks; i++ {
				if err := l.Submit(func() {
					if last[p] != i-1 {
						t.Errorf("producer %d: task %d ran after task %d", p, i, last[p])
					}
					last[p] = i
				}); err != nil {
					t.Error(err)
					return
				}
			}
		}()
	}
	wg.Wait()
	if err := l.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	<-ended
	for p, n := range last {
		if n != tasks {
			t.Errorf("producer %d: %d tasks ran", p, n)
		}
	}
}

func TestUsedSlotsAreClearedAndOthersNotTouched(t *testing.T) {
	l := New()
	for range 100 {
		if err := l.Submit(func() {}); err != nil {
			t.Fatal(err)
		}
	}
	_ = l.external.close()
	if err := l.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	for i := range l.external.slots {
		s := &l.external.slots[i]
		if s.task != nil {
			t.Errorf("slot %d still holds its task", i)
		}
		if used := s.turn.Load() != 0; used != (i < 100) {
			t.Errorf("slot %d was touched: %v", i, used)
		}
	}
}

func TestTheArenaAllocatesNothingForATask(t *testing.T) {
	l := New()
	task := func() {}
	if n := testing.AllocsPerRun(1000, func() {
		_ = l.Submit(task)
		_ = l.external.pop()
	}); n != 0 {
		t.Errorf("%v allocations for a task", n)
	}
}

func TestALoopRunsOnce(t *testing.T) {
	l := New()
	ctx, cancel := context.WithCancelCause(context.Background())
	cause := errors.New("enough")
	cancel(cause)
	if err := l.Run(ctx); !errors.Is(err, cause) {
		t.Errorf("Run returned %v", err)
	}
	if err := l.Run(context.Background()); !errors.Is(err, ErrRunning) {
		t.Errorf("the second Run returned %v", err)
	}
	if err := l.Submit(func() {}); !errors.Is(err, ErrTerminated) {
		t.Errorf("Submit returned %v", err)
	}
	if err := l.SubmitInternal(func() {}); !errors.Is(err, ErrTerminated) {
		t.Errorf("SubmitInternal returned %v", err)
	}
}
