package looptest_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/leakcheck"
	"github.com/eventloop-go/eventloop/js"
	"github.com/eventloop-go/eventloop/looptest"
	"github.com/eventloop-go/eventloop/promise"
)

func TestMain(m *testing.M) { leakcheck.Main(m) }

// long is a delay that always outlasts the test.
const long = 1000 * time.Hour

func TestTheClockJumpsFromTimerToTimer(t *testing.T) {
	began := time.Now()
	looptest.Run(t, func(l *looptest.Loop) {
		l.Mark("main")
		_, _ = l.ScheduleTimer(2*long, func() { l.Mark("second") })
		_, _ = l.ScheduleTimer(long, func() {
			l.Mark("first")
			_ = l.ScheduleMicrotask(func() { l.Mark("microtask") })
			_ = l.ScheduleImmediate(func() { l.Mark("immediate") })
			_, _ = l.ScheduleTimer(time.Second, func() { l.Mark("between") })
		})
	}).Expect(t, `
		0s external main
		1000h0m0s timers first microtask
		1000h0m0s check immediate
		1000h0m1s timers between
		2000h0m0s timers second
	`)
	if time.Since(began) > long {
		t.Error("it was waited for")
	}
}

func TestTimeStandsStillUntilItIsAdvanced(t *testing.T) {
	l := looptest.New(t)
	tick := l.NewTicker(eventloop.SkipMissed, func() { l.Mark("tick") })
	_ = tick.Reset(time.Minute)
	l.WaitIdle()
	l.Trace().Expect(t, "")
	l.Advance(90 * time.Second)
	l.Trace().Expect(t, "1m0s timers tick")
	l.Advance(30 * time.Second)
	l.Trace().Expect(t, "1m0s timers tick\n2m0s timers tick")
	if l.Elapsed() != 2*time.Minute || l.Now().Sub(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)) != 2*time.Minute {
		t.Error(l.Elapsed(), l.Now())
	}
}

func TestACallbackSpendsTime(t *testing.T) {
	looptest.Run(t, func(l *looptest.Loop) {
		_, _ = l.ScheduleTimer(time.Second, func() { l.Mark("due") })
		l.Spend(time.Minute)
	}).Expect(t, "1m0s timers due")
}

func TestRetryAndWithTimeoutGoByTheClock(t *testing.T) {
	l := looptest.New(t)
	failed := errors.New("failed")
	tries := 0
	p := promise.WithTimeout(context.Background(), l.Loop, long, func(ctx context.Context) *promise.Promise[int] {
		policy := promise.RetryPolicy{Attempts: -1, Delay: time.Minute, Factor: 2, MaxDelay: time.Hour}
		return promise.Retry(ctx, l.Loop, policy, func(context.Context) *promise.Promise[int] {
			tries++
			return promise.Reject[int](l.Loop, failed)
		})
	})
	var err error
	l.AutoJump(func() { _, err = p.Wait(context.Background()) })
	if !errors.Is(err, promise.ErrTimeout) || l.Elapsed() < long {
		t.Errorf("%v after %v", err, l.Elapsed())
	}
	l.WaitIdle()
	// After 1, 2, … 32 minutes, which are 63, there is one each hour.
	if want := 7 + 998; tries != want {
		t.Errorf("%d tries, want %d", tries, want)
	}
}

func TestTheClockWaitsForBlockingFunctions(t *testing.T) {
	l := looptest.New(t)
	goOn := make(chan struct{})
	begun := make(chan struct{})
	var at time.Duration
	p := promise.Promisify(context.Background(), l.Loop, func(context.Context) (int, error) {
		close(begun)
		<-goOn
		return 1, nil
	})
	promise.Then(p, func(int) (int, error) { at = l.Elapsed(); return 0, nil })
	timer, _ := l.ScheduleTimer(long, func() {})
	<-begun
	l.AutoJump(func() {
		_ = l.Do(context.Background(), func() {}) // the loop has looked whether to jump, or is about to
		close(goOn)
		_, _ = p.Wait(context.Background())
	})
	l.WaitIdle()
	if at != 0 {
		t.Errorf("the clock had jumped to %v", at)
	}
	timer.Stop()
}

func TestTheClockIsHeld(t *testing.T) {
	l := looptest.New(t)
	release := l.Hold()
	fired := make(chan struct{})
	_, _ = l.ScheduleTimer(time.Second, func() { close(fired) })
	l.AutoJump(func() {
		_ = l.Do(context.Background(), func() {})
		if l.Elapsed() != 0 {
			t.Error("the clock moved")
		}
		release()
		<-fired
	})
}

func TestJavaScriptsTimersGoByTheClock(t *testing.T) {
	looptest.Run(t, func(l *looptest.Loop) {
		env := js.New(l.Loop)
		_, _ = env.NewTimeout(func() { l.Mark("one") }, 3.6e6)
		_, _ = env.NewTimeout(func() { l.Mark("two") }, 3.6e6)
		_, _ = env.NewImmediate(func() { l.Mark("immediate") })
	}).Expect(t, `
		0s check immediate
		1h0m0s timers one
		1h0m0s timers two
	`)
}

func TestInABubbleTimePassesByEitherClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := looptest.New(t)
		_, _ = l.ScheduleTimer(time.Hour, func() { l.Mark("timer") })
		l.Advance(time.Hour)
		time.AfterFunc(time.Hour, func() { _ = l.Submit(func() { l.Mark("outside") }) })
		time.Sleep(2 * time.Hour)
		l.WaitIdle()
		l.Trace().Expect(t, "1h0m0s timers timer\n1h0m0s external outside")
	})
}

func TestSeedsAreRepeated(t *testing.T) {
	var first, second []uint64
	for _, to := range []*[]uint64{&first, &second} {
		looptest.Seeds(t, 3, func(t *testing.T, random *rand.Rand) { *to = append(*to, random.Uint64()) })
	}
	for i := range first {
		if first[i] != second[i] || i > 0 && first[i] == first[i-1] {
			t.Error(first, second)
		}
	}
}

func TestALoopThatHasEndedIsIdle(t *testing.T) {
	l := looptest.New(t)
	_ = l.Close()
	l.WaitIdle()
	l.Advance(time.Hour)
}

// failing is a test whose failures are counted.
type failing struct {
	testing.TB
	failures int
}

func (f *failing) Errorf(string, ...any) { f.failures++ }
func (f *failing) Helper()               {}

func TestAPanicFailsTheTest(t *testing.T) {
	f := &failing{TB: t}
	looptest.Run(f, func(*looptest.Loop) { panic("expected") })
	if f.failures != 1 {
		t.Errorf("%d failures", f.failures)
	}
}

func TestAnotherTraceFailsTheTest(t *testing.T) {
	f := &failing{TB: t}
	looptest.Run(t, func(l *looptest.Loop) { l.Mark("a") }).Expect(f, "0s external b")
	if f.failures != 1 {
		t.Errorf("%d failures", f.failures)
	}
}

// A debouncer calls fn when it has not been triggered for a while.
type debouncer struct {
	timer eventloop.Timer
	quiet time.Duration
}

func newDebouncer(loop *eventloop.Loop, quiet time.Duration, fn func()) *debouncer {
	return &debouncer{loop.NewTimer(fn), quiet}
}

func (d *debouncer) trigger() { _ = d.timer.Reset(d.quiet) }

func TestADebouncerCallsOnce(t *testing.T) {
	loop := looptest.New(t)
	d := newDebouncer(loop.Loop, time.Second, func() { loop.Mark("called") })
	d.trigger()
	loop.Advance(700 * time.Millisecond)
	d.trigger()
	loop.Advance(10 * time.Second)
	loop.Trace().Expect(t, "1.7s timers called")
}

func TestWhatIsLeftBehindFailsTheTest(t *testing.T) {
	f := &failing{TB: t}
	l := looptest.New(f)
	l.ExpectNothingLeft()
	timer, _ := l.ScheduleTimer(time.Hour, func() {})
	alive, _ := l.KeepAlive()
	if l.ExpectNothingLeft(); f.failures != 2 {
		t.Errorf("%d failures, want 2", f.failures)
	}
	timer.Stop()
	alive()
	if l.ExpectNothingLeft(); f.failures != 2 {
		t.Errorf("%d failures, want 2", f.failures)
	}
	_, _ = l.ScheduleTimer(time.Hour, func() {})
	_ = l.Close()
	<-l.Done()
	if l.ExpectNothingLeft(); f.failures != 3 {
		t.Errorf("%d failures, want 3", f.failures)
	}
}
