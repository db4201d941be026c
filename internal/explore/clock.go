package explore

import (
	"context"
	"time"
)

// Time is virtual. It stands still while goroutines run, except that a strategy may let a little pass whenever the
// clock is read. When all goroutines are blocked, it jumps to the next timer.

// origin is when every run begins. It has a monotonic reading, as times in Go do.
var origin = time.Now()

// Now is the time.
func Now() time.Time {
	r := current.Load()
	if r == nil {
		return time.Now()
	}
	r.point("Now")
	r.elapse()
	return origin.Add(time.Duration(r.now))
}

// Since is the time that has passed since t.
func Since(t time.Time) time.Duration {
	if current.Load() == nil {
		return time.Since(t)
	}
	return Now().Sub(t)
}

// Elapsed is the virtual time since the run began. The call is not a point of choice and takes no virtual time.
func Elapsed() time.Duration { return time.Duration(current.Load().now) }

// Lapsed is the virtual time that passed while a goroutine could run: when the clock was read, and by Pass.
func Lapsed() time.Duration { return time.Duration(current.Load().lapsed) }

// Pass has some time pass at once, as for a goroutine that is busy.
func Pass(d time.Duration) {
	r := current.Load()
	r.now += int64(d)
	r.lapsed += int64(d)
}

// elapse lets the strategy have time pass.
func (r *run) elapse() {
	if d := r.strategy.elapse(r); d > 0 {
		r.now += d
		r.lapsed += d
		r.taken = append(r.taken, Decision{At: r.decisions, Value: d})
	}
	r.decisions++
}

// jump sets the clock to the next timer, if one is set.
func (r *run) jump() bool {
	var first *g
	for _, g := range r.gs {
		if g.wait == waitsForTime && (first == nil || g.at < first.at) {
			first = g
		}
	}
	if first == nil {
		return false
	}
	r.now = max(r.now, first.at)
	r.elapse() // the machine may be late
	return true
}

// A Timer is a time.Timer made by AfterFunc.
type Timer struct {
	fn   func()
	g    *g          // waits for the time, in a run; nil when it has fired or was stopped
	real *time.Timer // outside a run
}

// AfterFunc runs fn on a goroutine of its own when d has passed. Like Go's, it may be late.
func AfterFunc(d time.Duration, fn func()) *Timer {
	t := &Timer{fn: fn}
	r := current.Load()
	if r == nil {
		t.real = time.AfterFunc(d, fn)
		return t
	}
	r.point("AfterFunc")
	t.set(r, d)
	return t
}

func (t *Timer) set(r *run, d time.Duration) {
	t.g = r.newG("timer", t.fn, true)
	t.g.wait, t.g.at = waitsForTime, r.now+max(int64(d), 0)
	if t.g.at < r.now {
		t.g.at = 1<<63 - 1
	}
}

// clear reports whether the timer was set.
func (t *Timer) clear(r *run) bool {
	g := t.g
	t.g = nil
	if g == nil || g.begun {
		return false
	}
	r.remove(g)
	return true
}

// Stop keeps the timer from firing, and reports whether it was set.
func (t *Timer) Stop() bool {
	r := current.Load()
	if t.real != nil {
		return t.real.Stop()
	}
	if r == nil {
		return false
	}
	r.point("Timer.Stop")
	return t.clear(r)
}

// Reset sets the timer again, and reports whether it was set.
func (t *Timer) Reset(d time.Duration) bool {
	r := current.Load()
	if t.real != nil {
		return t.real.Reset(d)
	}
	if r == nil {
		return false
	}
	r.point("Timer.Reset")
	was := t.clear(r)
	t.set(r, d)
	return was
}

// Sleep waits until d has passed.
func Sleep(d time.Duration) {
	r := current.Load()
	if r == nil {
		time.Sleep(d)
		return
	}
	r.cur.wait, r.cur.at = waitsForTime, r.now+int64(d)
	r.block("Sleep")
}

// AfterContext is [context.AfterFunc].
func AfterContext(ctx context.Context, fn func()) (stop func() bool) {
	r := current.Load()
	if r == nil {
		return context.AfterFunc(ctx, fn)
	}
	r.point("AfterContext")
	done := ctx.Done()
	if done == nil {
		pending := true // a context that never ends
		return func() bool {
			was := pending
			pending = false
			return was
		}
	}
	g := r.newG("context", fn, true)
	g.wait, g.chans[0] = waitsForChannel, done
	stopped := false
	return func() bool {
		if r != current.Load() {
			return false
		}
		r.point("AfterContext.stop")
		if g.begun || stopped || ctx.Err() != nil {
			return false
		}
		stopped = true
		r.remove(g)
		return true
	}
}
