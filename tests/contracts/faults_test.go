package contracts_test

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// One callback in a hundred panics or calls Goexit, in any lane, and each of them has a successor in another.
func TestPanicsAndGoexitsLoseNothing(t *testing.T) {
	callbacks := 1_000_000
	if testing.Short() {
		callbacks = 20_000
	}
	random := rand.New(rand.NewPCG(1, 1))
	told := 0
	l := eventloop.New(eventloop.WithAutoExit(), inspect.WithMetrics(), eventloop.WithPanicHandler(func(*eventloop.PanicError) { told++ }))
	ran, left, ended := 0, callbacks, 0
	var callback func()
	submit := func() {
		var err error
		switch random.IntN(6) {
		case 0:
			err = l.Submit(callback)
		case 1:
			err = l.SubmitInternal(callback)
		case 2:
			err = l.ScheduleImmediate(callback)
		case 3:
			err = l.NextTick(callback)
		case 4:
			err = l.ScheduleMicrotask(callback)
		case 5:
			_, err = l.ScheduleTimer(time.Duration(random.IntN(20))*time.Microsecond, callback)
		}
		testkit.Must(t, err)
	}
	callback = func() {
		ran++
		if left > 0 {
			left--
			submit()
		}
		switch random.IntN(200) {
		case 0:
			ended++
			panic("expected")
		case 1:
			ended++
			runtime.Goexit()
		}
	}
	const chains = 100
	for range chains {
		left--
		submit()
	}
	go func() { _ = l.Run(context.Background()) }()
	<-l.Done()
	m := inspect.ReadMetrics(l)
	if ran != callbacks || told != ended || l.Dropped() != (eventloop.Dropped{}) || m.Ran.Total()+m.Jobs != uint64(callbacks) {
		t.Errorf("%d of %d ran, %d counted; %d ended badly, %d told; dropped %+v", ran, callbacks, m.Ran.Total()+m.Jobs, ended, told, l.Dropped())
	}
	if want := callbacks / 100; ended < want/2 || ended > want*2 {
		t.Errorf("%d of %d ended badly", ended, callbacks)
	}
}

// A faultyClock jumps to the next timer when the loop is idle, and at random to another time, as no clock should.
type faultyClock struct {
	random  *rand.Rand
	fault   func(*rand.Rand) time.Duration
	now     int64
	highest int64
}

func (c *faultyClock) Epoch() time.Time { return time.Time{} }

func (c *faultyClock) Now() int64 {
	if c.random.IntN(50) == 0 {
		c.now = max(c.now+int64(c.fault(c.random)), 0)
	}
	c.highest = max(c.highest, c.now)
	return c.now
}

func (c *faultyClock) Idle(next int64) bool {
	if next == math.MaxInt64 {
		return false
	}
	c.now = max(c.now, next)
	c.highest = max(c.highest, c.now)
	return true
}

// AfterFunc is for watchdogs, which these loops do not have.
func (c *faultyClock) AfterFunc(time.Duration, func()) {}

func TestFaultsOfTheClockLoseNoTimer(t *testing.T) {
	const day = 24 * time.Hour
	faults := map[string]func(*rand.Rand) time.Duration{
		"backwards":       func(r *rand.Rand) time.Duration { return -time.Duration(r.Int64N(int64(time.Minute))) },
		"a day back":      func(*rand.Rand) time.Duration { return -day },
		"a day ahead":     func(*rand.Rand) time.Duration { return day },
		"to and fro":      func(r *rand.Rand) time.Duration { return time.Duration(r.Int64N(2*int64(day))) - day },
		"suspended":       func(r *rand.Rand) time.Duration { return time.Duration(r.IntN(2)) * 8 * time.Hour },
		"nanoseconds off": func(r *rand.Rand) time.Duration { return time.Duration(r.IntN(9) - 4) },
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(testkit.Scale(200)) {
				random := rand.New(rand.NewPCG(seed, 1))
				c := &faultyClock{random: random, fault: fault}
				l := eventloop.New(eventloop.WithAutoExit(), inspect.WithMetrics(), inside.WithClock(c).(eventloop.Option))
				const all = 300
				var fired [all]int
				n := 0
				var schedule func()
				schedule = func() {
					if n == all {
						return
					}
					i := n
					n++
					delay := time.Duration(math.Exp(random.Float64() * 35)) // up to some 18 days
					before := c.now
					_, err := l.ScheduleTimer(delay, func() {
						fired[i]++
						if c.highest < before+int64(delay)-int64(day) {
							t.Errorf("timer %d fired at %d, was due at %d", i, c.highest, before+int64(delay))
						}
						for range random.IntN(3) {
							schedule()
						}
					})
					testkit.Must(t, err)
				}
				for range 20 {
					schedule()
				}
				ticks := 0
				var ticker eventloop.Timer
				ticker = l.NewTicker(eventloop.MissedTicks(random.IntN(3)), func() {
					if ticks++; ticks == 20 {
						ticker.Stop()
					}
				})
				testkit.Must(t, ticker.Reset(time.Minute))
				testkit.Must(t, l.Run(testkit.Bounded(t)))
				for i, times := range fired[:n] {
					if times != 1 {
						t.Fatalf("seed %d: timer %d fired %d times", seed, i, times)
					}
				}
				if m := inspect.ReadMetrics(l); ticks != 20 || m.Ran.Timers != uint64(n+ticks) || m.Lateness.Count != m.Ran.Timers {
					t.Fatalf("seed %d: %d ticks, %+v", seed, ticks, m)
				}
			}
		})
	}
}
