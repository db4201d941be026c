package natsloop

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// ErrLeaseLost is reported for a message that this process has kept for too long without reaching the server. Another
// member may have it. The handler has not run, or its outcome is not sent to the server.
var ErrLeaseLost = errors.New("natsloop: the server could not be told in time that the message is in progress; another member may have it")

// A lease says how long a member may count on the messages in its hands.
//
// The server delivers a message to another member after AckWait without news of it. Suppose the server has confirmed
// an extension, or answered the request that brought the message. The message is then the member's own for AckWait,
// counted from the sending of that extension or request. The member stops a third earlier, so that its later
// messages, such as an acknowledgement, have that third to arrive.
type lease struct {
	term      time.Duration
	start     time.Time
	confirmed atomic.Int64 // when the last extensions that the server has confirmed were sent; of the goroutine that extends
}

func newLease(ackWait time.Duration) *lease { return &lease{term: ackWait * 2 / 3, start: time.Now()} }

func (l *lease) now() int64 { return int64(time.Since(l.start)) }

// lapsed reports whether a delivery may be another member's by now. Without partitions there are no leases.
func (l *lease) lapsed(d *delivery) bool {
	return l != nil && (d.lost.Load() || l.now()-max(d.since, l.confirmed.Load()) > int64(l.term))
}

// A member's hands are the messages that were delivered to it and are not settled: the deliveries in flight.

// take adds a delivery; nil if its message is in hand already.
func (f *flight) take(m jetstream.Msg, key string, l *lane, seq uint64, since int64, lease *lease) *delivery {
	f.mu.Lock()
	defer f.mu.Unlock()
	if d := f.bySeq[seq]; d != nil {
		if !lease.lapsed(d) {
			return nil
		}
		d.lost.Store(true) // an extension may follow, which is of the new delivery
	}
	d := f.record()
	f.insert(d, m, key, l)
	d.seq, d.since = seq, since
	f.bySeq[seq] = d
	return d
}

// hands returns the sequences of the messages that are certainly this member's.
func (f *flight) hands(lease *lease) map[uint64]struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	hands := make(map[uint64]struct{}, len(f.bySeq))
	for seq, d := range f.bySeq {
		if !lease.lapsed(d) {
			hands[seq] = struct{}{}
		}
	}
	return hands
}

// still returns how many of those are this member's now, as they were all the time between.
func (f *flight) still(before map[uint64]struct{}, lease *lease) int {
	now, n := f.hands(lease), 0
	for seq := range before {
		if _, ok := now[seq]; ok {
			n++
		}
	}
	return n
}

// extendable returns the messages to extend, and gives up those whose lease has lapsed, for good: the next confirmation is not
// of them.
func (f *flight) extendable(lease *lease) []jetstream.Msg {
	f.mu.Lock()
	defer f.mu.Unlock()
	messages := make([]jetstream.Msg, 0, f.count)
	for d := f.ring.after; d != &f.ring; d = d.after {
		if lease.lapsed(d) {
			d.lost.Store(true)
		} else {
			messages = append(messages, d.msg)
		}
	}
	return messages
}

// Failed messages with a delay stay in the hands of the member. If they were returned, the server would count them as
// outstanding. They would look like messages that a handler of another member has.
type kept struct {
	mu       sync.Mutex
	allowed  bool
	messages map[*delivery]*time.Timer
}

// errAgain settles a message whose failure was reported before.
var errAgain = errors.New("natsloop: the delay is over")

// keep keeps a delivery that failed with err for its delay, and reports whether it does.
func (c *consumption) keep(d *delivery, err error) bool {
	var final *terminated
	if err == nil || err == errStopping || err == errAgain || errors.As(err, &final) {
		return false
	}
	delay := c.delay(err)
	c.kept.mu.Lock()
	defer c.kept.mu.Unlock()
	if delay <= 0 || !c.kept.allowed || d.settled.Load() || c.lease.lapsed(d) {
		return false
	}
	c.report(d.msg, err)
	d.kept = true
	c.kept.messages[d] = time.AfterFunc(delay, func() {
		c.kept.mu.Lock()
		delete(c.kept.messages, d)
		c.kept.mu.Unlock()
		c.settle(d, errAgain)
	})
	return true
}

// allowKeeping has failed messages kept from now on.
func (c *consumption) allowKeeping() {
	c.kept.mu.Lock()
	defer c.kept.mu.Unlock()
	if !c.stopping.Load() {
		c.kept.allowed = true
	}
}

// keepNone returns the kept messages to the server, which delivers them at once.
func (c *consumption) keepNone() {
	c.kept.mu.Lock()
	c.kept.allowed = false
	messages := c.kept.messages
	c.kept.messages = map[*delivery]*time.Timer{}
	c.kept.mu.Unlock()
	for d, timer := range messages {
		timer.Stop()
		c.settle(d, errAgain)
	}
}
