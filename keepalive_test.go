package eventloop

import (
	"sync"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/internal/testkit"
)

// References come and go from several goroutines while a token is held. The loop must not end before the token's
// release, however the counts pass each other, and must end after it.
func TestLoopDoesNotEndWhileATokenIsHeld(t *testing.T) {
	for range testkit.Scale(3000) {
		l := New(WithAutoExit())
		token, err := l.KeepAlive()
		testkit.Must(t, err)
		h := testkit.Scheduled[Timer](t)(l.ScheduleTimer(time.Microsecond, func() {}))
		h.Unref()
		result := testkit.Launch(l)
		var wg sync.WaitGroup
		for _, touch := range []func(){
			func() { h.Ref(); h.Unref(); h.Ref() },
			func() { h.Stop() },
			func() { _ = h.Reset(0); h.Stop() },
			func() { l.wake() },
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
		token()
		testkit.Must(t, testkit.Await(t, "Run, with nothing left", result))
	}
}
