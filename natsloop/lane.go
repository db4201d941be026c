package natsloop

import (
	"context"
	"errors"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
)

// A lane is a loop's state of a consumption. Its fields belong to the loop.
//
// The next delivery of a key begins when the one before has ended. While deliveries of a key are in progress, last
// has the latest one. The deliveries in between form a list by behind.
type lane struct {
	c       *consumption
	loop    *eventloop.Loop
	last    map[string]*delivery
	unwatch func() bool
}

func newLane(c *consumption, loop *eventloop.Loop) *lane {
	l := &lane{c: c, loop: loop, last: map[string]*delivery{}}
	// Reactions to promises do not run when their loop has ended, so deliveries in flight there are given back.
	l.unwatch = context.AfterFunc(adapter.Of(loop).Context(), func() {
		c.stop(eventloop.ErrLoopTerminated)
		for _, d := range c.flight.all() {
			if d.lane == l {
				c.giveBack(d)
			}
		}
	})
	return l
}

// lane returns the lane of a loop. The goroutine that delivers calls it.
func (c *consumption) lane(loop *eventloop.Loop) *lane {
	if c.recent != nil && c.recent.loop == loop {
		return c.recent
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.lanes[loop]
	if l == nil {
		l = newLane(c, loop)
		c.lanes[loop] = l
	}
	c.recent = l
	return l
}

// forgetLanes releases the consumption from loops that live on. A message that the client still delivers is returned.
func (c *consumption) forgetLanes() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range c.lanes {
		l.unwatch()
	}
}

// arrive runs on the loop, in the order of delivery.
func (d *delivery) arrive() {
	l := d.lane
	if len(l.last) > 0 {
		if last := l.last[d.key]; last != nil {
			last.behind, d.queued = d, true
			l.last[d.key] = d
			return
		}
	}
	d.begin()
}

func (d *delivery) begin() {
	l := d.lane
	if l.c.stopping.Load() {
		l.end(d, errStopping)
		return
	}
	if l.c.lease.lapsed(d) {
		l.end(d, ErrLeaseLost)
		return
	}
	returned := false
	defer func() {
		if !returned { // it has panicked, which the loop reports, or called Goexit
			l.end(d, errHandlerFailed)
		}
	}()
	pending := l.c.begin(d)
	returned = true
	if !pending {
		l.end(d, nil)
	} else if !d.queued {
		l.last[d.key], d.queued = d, true
	}
}

// end settles a delivery, and has the next of its key begin, in a callback of its own. The delivery must not be touched after
// it.
func (l *lane) end(d *delivery, err error) {
	switch {
	case !d.queued:
	case d.behind == nil:
		delete(l.last, d.key)
	default:
		next := d.behind
		_ = l.loop.SubmitInternal(next.begin) // refused when the loop has ended, and everything on it is given back
	}
	l.c.settle(d, err)
}

var (
	errStopping      = errors.New("natsloop: consuming stops")
	errHandlerFailed = errors.New("natsloop: the handler has panicked")
)

// settle sends the result of a delivery to the server, unless it was given back before.
func (c *consumption) settle(d *delivery, err error) {
	if c.lease != nil && c.keep(d, err) {
		return
	}
	if d.settled.CompareAndSwap(false, true) {
		if c.lease.lapsed(d) {
			c.report(d.msg, ErrLeaseLost)
		} else {
			c.acknowledge(d.msg, err)
		}
		c.flight.remove(d)
	}
}

func (c *consumption) giveBack(d *delivery) { c.settle(d, errStopping) }
