package blocking

import (
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestAsManyRunAsMayAndTheRestInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &Pool{Limit: 2}
		var mu sync.Mutex
		var began []int
		for i := range 6 {
			queued := p.Go(new(Task), func() {
				mu.Lock()
				began = append(began, i)
				mu.Unlock()
				time.Sleep(time.Duration(i+1) * time.Second)
			})
			if queued != (i >= 2) {
				t.Errorf("task %d is queued: %v", i, queued)
			}
			synctest.Wait()
		}
		if running, queued := p.Depth(); running != 2 || queued != 4 {
			t.Errorf("%d run, %d are queued", running, queued)
		}
		time.Sleep(time.Minute)
		if running, queued := p.Depth(); running != 0 || queued != 0 || !slices.Equal(began, []int{0, 1, 2, 3, 4, 5}) {
			t.Errorf("%d run, %d are queued, began %v", running, queued, began)
		}
	})
}

func TestCancelledTaskDoesNotRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &Pool{Limit: 1}
		var first, second Task
		p.Go(&first, func() { time.Sleep(time.Second) })
		p.Go(&second, func() { t.Error("it ran") })
		if p.Cancel(&first) || !p.Cancel(&second) || p.Cancel(&second) {
			t.Error("wrong answer")
		}
		time.Sleep(time.Minute)
		if running, queued := p.Depth(); running != 0 || queued != 0 {
			t.Errorf("%d run, %d are queued", running, queued)
		}
	})
}

func TestGoexitLosesNoOtherTask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &Pool{Limit: 1}
		ran := 0
		for range 5 {
			p.Go(new(Task), func() {
				ran++
				runtime.Goexit()
			})
		}
		synctest.Wait()
		if running, _ := p.Depth(); ran != 5 || running != 0 {
			t.Errorf("%d ran, %d run", ran, running)
		}
	})
}

func TestZeroPoolHasTheDefaultLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p Pool
		release := make(chan struct{})
		for i := range DefaultLimit + 1 {
			if p.Go(new(Task), func() { <-release }) != (i == DefaultLimit) {
				t.Errorf("task %d", i)
			}
		}
		close(release)
	})
}
