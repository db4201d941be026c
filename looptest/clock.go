package looptest

import (
	"math"
	"slices"
	"sync"
	"time"
)

const never = math.MaxInt64

// A clock stands still until the loop is idle, and then jumps to the first timer. It jumps up to the limit, or
// without a limit while it is free. Several goroutines may move it: the limit only grows, and the clock is free until
// all of them are done.
//
// The loop calls Idle with its own lock held, so that is taken before mu, and nothing that holds mu calls the loop.
type clock struct {
	blocking func() int // functions that work for the loop on other goroutines

	mu      sync.Mutex
	now     int64
	limit   int64         // how far the time moves when the loop is idle
	free    int           // how many want it to move to any timer; see Loop.AutoJump
	holds   int           // see Loop.Hold
	alarms  []alarm       // see AfterFunc
	changed chan struct{} // closed, and replaced, when the loop has been idle
}

func newClock() *clock { return &clock{changed: make(chan struct{})} }

// Epoch is the epoch of testing/synctest.
func (c *clock) Epoch() time.Time { return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) }

func (c *clock) Now() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Idle(next int64) (moved bool) {
	working := c.blocking() > 0
	c.mu.Lock()
	defer c.mu.Unlock()
	if working || c.holds > 0 {
		return false
	}
	if (next <= c.limit || c.free > 0) && next != never {
		c.now = max(c.now, next)
		return true
	}
	c.now = max(c.now, c.limit)
	close(c.changed)
	c.changed = make(chan struct{})
	return false
}

// state returns a channel that is closed when the loop is idle the next time, and whether the time is held.
func (c *clock) state() (changed <-chan struct{}, held bool) {
	working := c.blocking() > 0
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changed, working || c.holds > 0 || c.now < c.limit
}

// advance lets the time move by d when the loop is idle.
func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.limit = max(c.limit, later(c.now, d))
}

// An alarm is a function that is called when callbacks have spent time until at, or later.
type alarm struct {
	at int64
	fn func()
}

// AfterFunc is for watchdogs, which watch callbacks: they learn of time that passes in a callback.
func (c *clock) AfterFunc(d time.Duration, fn func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.alarms = append(c.alarms, alarm{later(c.now, d), fn})
}

// mostAlarms is how many alarms go off in one call of spend. A watchdog reports a callback with the third at the latest.
const mostAlarms = 4

// spend moves the time by d at once, from alarm to alarm.
func (c *clock) spend(d time.Duration) {
	until := later(c.Now(), d)
	for range mostAlarms {
		fn := c.next(until)
		if fn == nil {
			return
		}
		fn()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = max(c.now, until)
}

// next moves the time to the first alarm, and takes its function away. Without an alarm it moves the time to until.
func (c *clock) next(until int64) (fn func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	first := -1
	for i, a := range c.alarms {
		if a.at <= until && (first < 0 || a.at < c.alarms[first].at) {
			first = i
		}
	}
	if first < 0 {
		c.now = max(c.now, until)
		return nil
	}
	c.now, fn = max(c.now, c.alarms[first].at), c.alarms[first].fn
	c.alarms = slices.Delete(c.alarms, first, first+1)
	return fn
}

// release lets the time move to any timer, as often as it is called with 1, until it is called as often with -1.
func (c *clock) release(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.free += n
}

func (c *clock) hold(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.holds += n
}

// later adds a duration to a time.
func later(now int64, d time.Duration) int64 {
	if int64(max(d, 0)) > never-1-now {
		return never - 1
	}
	return now + int64(max(d, 0))
}
