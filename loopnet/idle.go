package loopnet

import (
	"fmt"
	"time"

	"github.com/eventloop-go/eventloop"
)

// An activity is a set of the events that restart idle timers.
type activity uint8

const (
	received activity = 1 << iota
	sent
)

// An idle has the time-outs of a connection, by their activities.
type idle struct {
	timers [received | sent + 1]timeout
}

// A timeout closes a connection when none of its activities has happened.
type timeout struct {
	timer eventloop.Timer
	after time.Duration
	alive bool // since the timer last looked, there was an activity or an excuse
}

// SetIdleTimeout closes the connection, with [ErrIdle], when nothing was received or sent for d, and at most for twice as
// long. It costs nothing while data flows but one timer. A d that is not positive ends it.
func (c *Conn) SetIdleTimeout(d time.Duration) { c.setTimeout(received|sent, d) }

// SetReadTimeout is [Conn.SetIdleTimeout] for received data alone. The time in which the connection is paused does
// not count.
func (c *Conn) SetReadTimeout(d time.Duration) { c.setTimeout(received, d) }

// SetWriteTimeout is [Conn.SetIdleTimeout] for a connection that has data to send, and sends none of it: the other side does not
// read. The time in which nothing waits does not count.
func (c *Conn) SetWriteTimeout(d time.Duration) { c.setTimeout(sent, d) }

func (c *Conn) setTimeout(a activity, d time.Duration) {
	if c.closed || c.idle == nil && d <= 0 {
		return
	}
	if c.idle == nil {
		c.idle = new(idle)
	}
	t := &c.idle.timers[a]
	if t.after > 0 {
		c.loop.CancelTimer(t.timer)
	}
	if *t = (timeout{}); d > 0 {
		t.after, t.alive = d, a != received|sent // there may be an excuse up to now
		t.timer = c.loop.NewTimer(func() { c.look(a) })
		_ = t.timer.Reset(d) // refused when the loop is ending
	}
}

// active notes that something was received or sent.
func (c *Conn) active(a activity) {
	if c.idle != nil {
		for which := range c.idle.timers {
			c.idle.timers[which].alive = c.idle.timers[which].alive || activity(which)&a != 0
		}
	}
}

func (c *Conn) look(a activity) {
	t, excused := &c.idle.timers[a], c.excused(a)
	if !t.alive && !excused {
		c.Fail(fmt.Errorf("%w: %s", ErrIdle, idleReasons[a]))
		return
	}
	t.alive = excused
	_ = t.timer.Reset(t.after)
}

var idleReasons = [...]string{
	received:        "nothing was received",
	sent:            "the other side takes nothing",
	received | sent: "nothing was received or sent",
}

// excused reports whether that nothing happens is not the other side's doing.
func (c *Conn) excused(a activity) bool {
	switch a {
	case received:
		return c.paused || c.ended
	case sent:
		return c.Buffered() == 0
	default:
		return false
	}
}

// SetDeadline closes the connection, with [os.ErrDeadlineExceeded], once d has passed. The timer that it returns
// stops or resets it. Setting it again replaces it. A closed connection has no deadline.
func (c *Conn) SetDeadline(d time.Duration) (eventloop.Timer, error) {
	if c.deadline == (eventloop.Timer{}) {
		c.deadline = c.loop.NewTimer(func() { c.Fail(errDeadline) })
	}
	if c.closed {
		return c.deadline, nil
	}
	return c.deadline, c.deadline.Reset(d)
}

func (c *Conn) stopTimers() {
	if c.idle != nil {
		for _, t := range c.idle.timers {
			if t.after > 0 {
				c.loop.CancelTimer(t.timer)
			}
		}
	}
	if c.deadline != (eventloop.Timer{}) {
		c.loop.CancelTimer(c.deadline)
	}
}
