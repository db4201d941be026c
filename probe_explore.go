//go:build explore

package eventloop

import (
	"errors"
	"fmt"

	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/netpoll"
	"github.com/eventloop-go/eventloop/internal/queue"
)

func init() { inside.ProbeOf = func(loop any) inside.Probe { return probe{loop.(*Loop)} } }

// A probe is the loop as explored tests see it. It alone follows when the loop's fields change.
type probe struct{ l *Loop }

func (p probe) SetKernel(calls netpoll.Calls) { p.l.poller.Init(calls, (*ioOwner)(p.l)) }

func (p probe) Live() int64 { return p.l.live.Load() }

func (p probe) Bounded() int64 {
	if p.l.bound == nil {
		return 0
	}
	return p.l.bound.waiting.Load()
}

func (p probe) Asleep(tokens int64) error {
	l := p.l
	in := &l.in
	if !in.sleeping {
		return errors.New("nobody can go on, and the loop is not marked as sleeping")
	}
	n, words := p.jobs(), 0
	for i, queued := range l.queued() {
		n += queued
		words += l.backlogs[i].Cap() + in.inboxes[i].Cap()
	}
	if n > 0 || in.handed != nil {
		return fmt.Errorf("the loop sleeps with %d callbacks in its queues", n)
	}
	if words > 2*len(lanes)*(queue.SpareBatches+2)*queue.BatchSize {
		return fmt.Errorf("the queues of a drained loop hold on to %d words", words)
	}
	a := l.timers.Account()
	if n := l.timers.StaleCount(); n != a.Stale {
		return fmt.Errorf("%d entries are stale, %d are counted", a.Stale, n)
	}
	if n := l.timers.Armed(); l.meter != nil && n != a.Live {
		return fmt.Errorf("%d timers are armed, %d are counted", a.Live, n)
	}
	if !l.autoExit {
		return nil
	}
	want := int64(a.Refs) + tokens
	if got := l.live.Load(); got != want {
		return fmt.Errorf("%d timers and tokens keep the loop open, %d are counted", want, got)
	}
	if want == 0 {
		return errors.New("the loop sleeps, and nothing keeps it open")
	}
	return nil
}

func (p probe) Ended() error {
	n := p.jobs() + p.l.timers.Slots()
	for _, queued := range p.l.queued() {
		n += queued
	}
	if n > 0 || p.l.in.handed != nil {
		return fmt.Errorf("a loop that has ended holds on to %d entries", n)
	}
	return nil
}

// jobs counts ticks and microtasks.
func (p probe) jobs() int {
	return p.l.ticks.Len() + p.l.core.Micros.Len() + p.l.core.Afterward.Len() + len(p.l.in.ticks) + len(p.l.in.micros)
}
