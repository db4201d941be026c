package eventloop

import (
	"sync"
	"testing"
	"time"
)

// References come and go from several goroutines while a token is held: the loop must not end before its release,
// however the counts pass each other, and must end after it.
func TestLoopDoesNotEndWhileATokenIsHeld(t *testing.T) {
	for range scale(3000) {
		l := New(WithAutoExit())
		token, err := l.KeepAlive()
		must(t, err)
		h := scheduled(t)(l.ScheduleTimer(time.Microsecond, func() {}))
		h.Unref()
		result := launch(l)
		var wg sync.WaitGroup
		for _, touch := range []func(){
			func() { h.Ref(); h.Unref(); h.Ref() },
			func() { h.Stop() },
			func() { _ = h.Reset(0); h.Stop() },
			func() { l.nudge() },
		} {
			wg.Go(func() {
				for range 5 {
					touch()
				}
			})
		}
		wg.Wait()
		if err := l.Submit(func() {}); err != nil {
			t.Fatalf("the loop has ended although a token is held: %v", err)
		}
		h.Stop()
		must(t, token.Release())
		must(t, await(t, "Run, with nothing left", result))
	}
}
