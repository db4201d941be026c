package eventloop

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop/internal/leakcheck"
)

// An idle loop takes no turns in a year of virtual time. Every look for work records the size of what it found: a mark
// put in that place while the loop is parked is still there unless it was woken.
func TestIdleLoopTakesNoTurn(t *testing.T) {
	const mark = -12345
	for name, prepare := range map[string]func(l *Loop){
		"nothing at all":     func(*Loop) {},
		"a timer far ahead":  func(l *Loop) { _, _ = l.ScheduleTimer(2*365*24*time.Hour, func() {}) },
		"a timer that never": func(l *Loop) { _, _ = l.ScheduleTimer(1<<63-1, func() {}) },
		"a token":            func(l *Loop) { _, _ = l.KeepAlive() },
		"after some work": func(l *Loop) {
			for range 100 {
				_ = l.Submit(func() {})
				h, _ := l.ScheduleTimer(time.Second, func() {})
				h.Stop()
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := New()
				result := launch(l)
				prepare(l)
				time.Sleep(time.Hour) // the alarm of a stopped timer may ring, once
				synctest.Wait()
				l.batch = mark
				time.Sleep(365 * 24 * time.Hour)
				synctest.Wait()
				if l.batch != mark || !asleep(l) {
					t.Error("an idle loop was woken")
				}
				// The mark is no rubber stamp: work does replace it.
				must(t, l.Submit(func() {}))
				synctest.Wait()
				if l.batch == mark {
					t.Error("the loop has looked for work without a trace: this test is blind")
				}
				must(t, l.Shutdown(context.Background()))
				must(t, <-result)
			})
		})
	}
}

func TestIdleLoopTakesAtMost8KiB(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector's shadow of a goroutine is counted with its stack")
	}
	most := 8.0 * 1024
	if runtime.GOOS == "windows" {
		most += 6 * 1024 // the smallest stack of a goroutine has 8 KiB there, and elsewhere 2
	}
	if bytes := idleBytes(t, 1000); bytes > most {
		t.Errorf("an idle loop takes %.0f bytes of heap and stack, want at most %.0f", bytes, most)
	}
}

// 10,000 lives of a loop, ended in every way, leave neither goroutines nor memory. Under -race a quarter, with -short a
// tenth.
func TestLivesLeaveNothingBehind(t *testing.T) {
	live := func(i int) {
		l := New()
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
