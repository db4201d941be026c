package promise_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// A bucket is a limiter like golang.org/x/time/rate's: one event each period. It gives the last event back.
type bucket struct {
	period time.Duration
	next   time.Time
}

type ticket struct {
	b  *bucket
	at time.Time
	ok bool
}

func (b *bucket) ReserveN(now time.Time, n int) *ticket {
	if n > 1 {
		return &ticket{b, now, false}
	}
	if b.next.Before(now) {
		b.next = now
	}
	t := &ticket{b, b.next, true}
	b.next = b.next.Add(b.period)
	return t
}

func (t *ticket) OK() bool                              { return t.ok }
func (t *ticket) DelayFrom(now time.Time) time.Duration { return t.at.Sub(now) }
func (t *ticket) CancelAt(time.Time) {
	if t.ok {
		t.b.next = t.at
	}
}

func TestThrottleSpacesEventsAndGivesBackThoseThatWereGivenUp(t *testing.T) {
	onVirtualTime(t, func(t *testing.T, loop *eventloop.Loop) {
		start, b := time.Now(), &bucket{period: time.Second}
		if _, err := promise.Go(bg, loop, func(c *promise.Coroutine) error {
			for n := range 4 {
				if _, err := promise.Await(c, promise.Throttle(bg, loop, b, 1)); err != nil || time.Since(start) != time.Duration(n)*time.Second {
					t.Errorf("event %d: %v, after %v", n, err, time.Since(start))
				}
			}
			ctx, cancel := context.WithCancelCause(bg)
			p := promise.Throttle(ctx, loop, b, 1)
			cancel(errOops)
			if _, err := promise.Await(c, p); !errors.Is(err, errOops) {
				t.Errorf("given up: %v", err)
			}
			if _, err := promise.Await(c, promise.Throttle(ctx, loop, b, 1)); !errors.Is(err, errOops) {
				t.Errorf("given up at the start: %v", err)
			}
			if _, err := promise.Await(c, promise.Throttle(bg, loop, b, 2)); !errors.Is(err, eventloop.ErrInvalid) {
				t.Errorf("too many: %v", err)
			}
			_, err := promise.Await(c, promise.Throttle(bg, loop, b, 1))
			return err
		}).Wait(bg); err != nil || time.Since(start) != 4*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}
