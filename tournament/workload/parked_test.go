package workload

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestParkWatchSeesAGoroutineSleepHoweverItDoes(t *testing.T) {
	release := make(chan struct{})
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	open := false
	for name, sleep := range map[string]func(){
		"chan receive": func() { <-release },
		"select": func() {
			select {
			case <-release:
			case <-make(chan int):
			}
		},
		"sync.Cond.Wait": func() {
			mu.Lock()
			for !open {
				cond.Wait()
			}
			mu.Unlock()
		},
		"sleep": func() { time.Sleep(50 * time.Millisecond) },
	} {
		t.Run(name, func(t *testing.T) {
			watch := make(chan *parkWatch)
			go func() {
				watch <- newParkWatch()
				sleep()
			}()
			w := <-watch
			if err := w.await(time.Minute); err != nil {
				t.Fatal(err)
			}
			if state := string(w.state()); state != name {
				t.Errorf("state %q", state)
			}
		})
	}
	close(release)
	mu.Lock()
	open = true
	cond.Broadcast()
	mu.Unlock()
}

func TestParkWatchDoesNotTakeABusyGoroutineForASleeper(t *testing.T) {
	watch := make(chan *parkWatch)
	var stop atomic.Bool
	go func() {
		watch <- newParkWatch()
		for !stop.Load() {
			runtime.Gosched()
		}
	}()
	w := <-watch
	if err := w.await(20 * time.Millisecond); err == nil || !strings.Contains(err.Error(), "does not go to sleep") {
		t.Errorf("got %v", err)
	}
	stop.Store(true)
}

func TestParkWatchNoticesThatTheGoroutineHasEnded(t *testing.T) {
	watch := make(chan *parkWatch, 1)
	go func() { watch <- newParkWatch() }()
	w := <-watch
	var err error
	for err == nil {
		err = w.await(time.Minute)
	}
	if !strings.Contains(err.Error(), "gone") {
		t.Errorf("got %v", err)
	}
}
