package looptest

import (
	"math"
	"sync"
	"time"
)

const never = math.MaxInt64

// A clock stands still until the loop is idle, and then jumps to the first timer: as far as the limit lets it, or as far as it
// likes while it is free. Several goroutines may move it: the limit only grows, and it is free until all who want that are done.
//
// The loop calls Idle with its own lock held, so that is taken before mu, and nothing that holds mu calls the loop.
type clock struct {
	blocking func() int // functions that work for the loop on other goroutines

	mu      sync.Mutex
	now     int64
	limit   int64         // how far the time moves when the loop is idle
	free    int           // how many want it to move to any timer; see Loop.AutoJump
	holds   int           // see Loop.Hold
	changed chan struct{} // closed, and made anew, when the loop has been idle
}

func newClock() *clock { return &clock{changed: make(chan struct{})} }

// Epoch is that of testing/synctest.
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

// spend moves the time by d at once.
func (c *clock) spend(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = later(c.now, d)
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
