package natsloop

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A partition is the state of one partition in one member of a group.
//
// The server's record of messages that were delivered and not acknowledged is the lock of a partition. A message is
// in it from before its delivery until its handler has ended, or until it was not extended for AckWait. The server
// pins one member, which gets all deliveries until another is pinned. A newly pinned member handles nothing until
// that record holds only its own messages. Then no handler of another member runs, and none will, because the others
// get nothing. The member handles messages that came before that in the order of the stream. Later deliveries come in
// order.
//
// A delivery may be lost on its way: on a machine that stalls, the client gives up a request and then drops its
// messages. The next delivery shows that, by its number. The member then waits as if it was newly pinned,
// until the server has delivered the lost message again.
//
//	pin  open   state
//	""   false  this member has never been pinned
//	x    false  it was pinned as x, or a delivery was lost; deliveries gather in early
//	x    true   deliveries go to their loops
//
// Losing a pin leaves pin and open as they are. Messages delivered with that pin are handled to their end, and the
// newly pinned member waits for that. When this member is pinned again, it has a new pin.
type partition struct {
	*consumption
	m    *member
	name string // of its consumer

	pinned bool // this member holds it, as far as it knows; under the member's lock

	mu       sync.Mutex
	pin      string
	open     bool
	epoch    int // how often it was closed
	checking bool
	early    []*delivery

	number uint64          // of the last delivery; of serve's goroutine, as late is
	late   []jetstream.Msg // messages that came while this member ends
}

const pinHeader = "Nats-Pin-Id"

// serve fetches messages as long as this member is to, and ends with stopped.
func (p *partition) serve(stopped context.Context) {
	for p.m.wants(p, stopped) {
		batch, err := p.consumer.Fetch(p.m.batch, jetstream.FetchMaxWait(p.m.expires), jetstream.FetchPriorityGroup(p.m.group))
		if err == nil {
			for m := range batch.Messages() { // ends with the request, so that no delivery is left behind
				p.arrive(stopped, m)
			}
			err = batch.Error()
		}
		switch {
		case err == nil:
		case errors.Is(err, jetstream.ErrPinIDMismatch): // another one is pinned, or will be
			p.m.drop(p)
			p.keepNone()
		default:
			p.troubled(stopped, err)
			sleep(stopped, p.m.expires)
		}
		if p.m.surplus(p) {
			p.release(stopped)
		}
	}
	p.release(stopped)
	for _, m := range p.late { // now: before, they would have come back here
		p.acknowledge(m, errStopping)
	}
}

// release lets another member be pinned. It waits for the handlers that still run here.
func (p *partition) release(stopped context.Context) {
	if !p.m.drop(p) {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(stopped), closing)
	defer cancel()
	if err := p.m.stream.UnpinConsumer(ctx, p.name, p.m.group); err != nil {
		p.report(nil, err) // the pin ends by itself
	}
	p.keepNone() // now: before, they would have come back here
}

// arrive is called with one message after the other.
func (p *partition) arrive(stopped context.Context, m jetstream.Msg) {
	meta, err := m.Metadata()
	if err != nil {
		p.report(m, err)
		return
	}
	pin := m.Headers().Get(pinHeader)
	lost := meta.Sequence.Consumer != p.number+1
	p.number = meta.Sequence.Consumer
	m = inPartition(m)
	if p.stopping.Load() {
		p.m.hold(p)
		p.late = append(p.late, m)
		return
	}
	key := p.key(m)
	d := p.flight.take(m, key, p.lane(p.target.Loop(key)), meta.Sequence.Stream, p.lease.now(), p.lease)
	p.mu.Lock()
	defer p.mu.Unlock()
	if pin != p.pin {
		p.pin, lost = pin, true // for this member: other members may have them
		p.m.hold(p)
		p.allowKeeping()
	}
	if lost {
		p.open = false
		p.epoch++
		if !p.checking {
			p.checking = true
			p.m.checks.Add(1)
			go p.check(stopped)
		}
	}
	switch {
	case d == nil: // it is in hand already
	case p.open:
		p.dispatch(d)
	case stopped.Err() != nil: // check may have given back what is early
		p.giveBack(d)
	default:
		p.early = append(p.early, d)
	}
}

// check opens the partition when no other member has messages of it. The server sends no notice of that, so check
// asks.
//
// It compares the number of outstanding messages with those in hand. Some messages were in hand before the request,
// and still are after the answer. They were outstanding when the server counted: no other member acknowledges them,
// because their leases have not lapsed. If the numbers agree, other members have no messages.
func (p *partition) check(stopped context.Context) {
	defer p.m.checks.Done()
	for wait := 5 * time.Millisecond; ; wait = min(2*wait, p.m.expires) {
		p.mu.Lock()
		pin, epoch := p.pin, p.epoch
		p.mu.Unlock()
		before := p.flight.hands(p.lease)
		ctx, cancel := context.WithTimeout(stopped, closing)
		info, err := p.info(ctx)
		cancel()
		if err == nil {
			if p.opened(epoch, info.NumAckPending, before) || pinOf(info) != pin && p.returned(pin) {
				return
			}
		}
		if !sleep(stopped, wait) {
			p.returned("")
			return
		}
	}
}

func pinOf(info *jetstream.ConsumerInfo) string {
	for _, group := range info.PriorityGroups {
		return group.PinnedClientID
	}
	return ""
}

// returned returns early messages to the server, if this member still believes to be pinned as pin, or if pin is "".
// Another member may be pinned and wait for them, as this one would wait for the other's.
func (p *partition) returned(pin string) bool {
	p.mu.Lock()
	if pin != "" && pin != p.pin {
		p.mu.Unlock()
		return false
	}
	early := p.early
	p.early, p.checking, p.pin = nil, false, ""
	p.mu.Unlock()
	for _, d := range early {
		p.giveBack(d)
	}
	return true
}

// opened opens the partition, unless it was closed again, if this member has all outstanding messages.
func (p *partition) opened(epoch, outstanding int, before map[uint64]struct{}) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if epoch != p.epoch || outstanding > p.flight.still(before, p.lease) {
		return false
	}
	slices.SortFunc(p.early, func(a, b *delivery) int { return cmp.Compare(a.seq, b.seq) })
	for _, d := range p.early {
		p.dispatch(d)
	}
	p.early, p.open, p.checking = nil, true, false
	return true
}

// inPartition is a message with the subject it was published with, which follows the number of the partition.
func inPartition(m jetstream.Msg) jetstream.Msg {
	_, subject, _ := strings.Cut(m.Subject(), ".")
	return &partitioned{m, subject}
}

type partitioned struct {
	jetstream.Msg
	subject string
}

func (p *partitioned) Subject() string { return p.subject }

// sleep waits, and reports whether stopped let it.
func sleep(stopped context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-stopped.Done():
		return false
	case <-timer.C:
		return true
	}
}
