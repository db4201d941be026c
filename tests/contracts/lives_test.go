package contracts_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/leakcheck"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// 10,000 lives of a loop, ended in every way, leak no goroutine and no memory. The test runs a quarter of them under
// -race, and a tenth with -short.
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
			testkit.Must(t, l.Close())
		case 2:
			result := testkit.Launch(l)
			testkit.Must(t, l.Submit(func() {}))
			testkit.Must(t, l.Close())
			<-result
		case 3:
			result := testkit.Launch(l)
			_ = l.Do(context.Background(), func() {})
			testkit.Must(t, l.Shutdown(context.Background()))
			<-result
		}
	}
	watch := testkit.Watchdog(t, "New, Run, Close")
	defer watch.Stop()
	lives := func(n int) {
		for i := range n {
			live(i)
			watch.Kick()
		}
	}
	lives(100)
	goroutines, memory := runtime.NumGoroutine(), testkit.HeapInUse()
	n := testkit.Scale(10_000)
	lives(n)
	if grown := int(testkit.HeapInUse()) - int(memory); grown > 100*n {
		t.Errorf("%d bytes are left of each of %d lives", grown/n, n)
	}
	if left := leakcheck.Left(0); len(left) > goroutines {
		t.Errorf("%d goroutines more than before; the first:\n%s", len(left)-goroutines, left[0])
	}
}
