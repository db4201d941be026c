package contracts_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/leakcheck"
)

// 10,000 lives of a loop, ended in every way, leave neither goroutines nor memory. Under -race a quarter, with -short a
// tenth.
func TestLivesLeaveNothingBehind(t *testing.T) {
	live := func(i int) {
		l := eventloop.New()
		for range 10 {
			_ = l.Submit(func() {})
			_, _ = l.ScheduleTimer(time.Hour, func() {})
		}
		switch i % 4 {
		case 0: // never run, never closed: the garbage collector's
		case 1:
			must(t, l.Close())
		case 2:
			result := launch(l)
			must(t, l.Submit(func() {}))
			must(t, l.Close())
			<-result
		case 3:
			result := launch(l)
			_ = l.Do(context.Background(), func() {})
			must(t, l.Shutdown(context.Background()))
			<-result
		}
	}
	watch := watchdog(t, "New, Run, Close")
	defer watch.stop()
	lives := func(n int) {
		for i := range n {
			live(i)
			watch.kick()
		}
	}
	lives(100)
	goroutines, memory := runtime.NumGoroutine(), heapInUse()
	n := scale(10_000)
	lives(n)
	if grown := int(heapInUse()) - int(memory); grown > 100*n {
		t.Errorf("%d bytes are left of each of %d lives", grown/n, n)
	}
	if left := leakcheck.Left(0); len(left) > goroutines {
		t.Errorf("%d goroutines more than before; the first:\n%s", len(left)-goroutines, left[0])
	}
}
