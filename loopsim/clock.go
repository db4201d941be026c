package loopsim

import (
	"context"
	"math"
	"math/bits"
	"time"
)

// epoch is when worlds begin.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

const never = math.MaxInt64

const million = 1_000_000

// A clock is the clock of a machine: it drifts against the world's, and its date may jump. Timers go by the time that does not jump,
// as those of Go do.
type clock struct {
	since int64 // on the world's clock
	base  int64 // what the clock showed then
	ppm   int64 // how much faster it goes, in parts per million
	jump  int64 // what is added for the date
}

// read is what the clock shows at a time of the world.
func (c *clock) read(at int64) int64 {
	d := at - c.since
	return c.base + d + scale(d, c.ppm)
}

// when is the first time of the world at which the clock shows t, or later.
func (c *clock) when(t int64) int64 {
	if t >= never/2 {
		return never
	}
	d := t - c.base
	if d <= 0 {
		return c.since
	}
	hi, lo := bits.Mul64(uint64(d), million)
	q, _ := bits.Div64(hi, lo, uint64(million+c.ppm))
	at := c.since + int64(q)
	for c.read(at) < t { // both divisions have rounded
		at++
	}
	return at
}

// drift makes the clock go faster from a time of the world on.
func (c *clock) drift(at, ppm int64) {
	c.base, c.since, c.ppm = c.read(at), at, ppm
}

// scale is d*ppm/1e6.
func scale(d, ppm int64) int64 {
	if d == 0 || ppm == 0 {
		return 0
	}
	negative := (d < 0) != (ppm < 0)
	hi, lo := bits.Mul64(uint64(max(d, -d)), uint64(max(ppm, -ppm)))
	q, _ := bits.Div64(hi, lo, million)
	if negative {
		return -int64(q)
	}
	return int64(q)
}

// A loopClock is what the loop of a host goes by.
type loopClock struct{ h *Host }

// Epoch is the date at which worlds begin.
func (c loopClock) Epoch() time.Time { return epoch }

// Now is the machine's time. It includes the time that this turn's callbacks have taken so far.
func (c loopClock) Now() int64 { return c.h.machine.clock.read(c.h.local()) }

// AfterFunc would be for watchdogs. Those do not watch the callbacks of a simulation.
func (loopClock) AfterFunc(time.Duration, func()) {}

// Idle notes when the loop has a timer to run.
func (c loopClock) Idle(next int64) (moved bool) {
	c.h.next = next
	return false
}

// Woken notes that the loop has work, and checks the goroutine that has woken it.
func (c loopClock) Woken() { c.h.woken() }

// AfterContext keeps fn until the world finds that ctx has ended.
func (c loopClock) AfterContext(ctx context.Context, fn func()) (stop func() bool) {
	return c.h.afterContext(ctx, fn)
}
