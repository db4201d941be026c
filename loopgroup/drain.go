package loopgroup

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
)

// A drain ends all loops together, when none of them has anything left.
//
// A loop that drains would end as soon as it is empty, though another may still have something for it. So each is
// held open by adapter.Hooks.Hold, from a task that it has accepted before its shutdown begins. A loop that is held
// and has nothing to do sleeps. When all sleep, their holds are released.
//
// No observer can see at one moment that all loops sleep. It must look at one after the other. The first may be
// asleep at its look and then get a task from the second, which is asleep when its own turn comes. But a callback
// that sends a task between loops counts it in sent first, and its loop stays awake until the task has arrived.
// Suppose that sent does not change during two looks at all loops, and that all are asleep in both. Then everything
// sent had arrived by the end of the first look and had run by the second, and nothing was sent since.
type drain struct {
	loops []*eventloop.Loop
	views []inside.Loop
	sent  atomic.Uint64
	once  sync.Once
	slept chan struct{} // capacity 1: a loop has gone to sleep since the last look
}

func (d *drain) init(loops []*eventloop.Loop, views []inside.Loop) {
	d.loops, d.views = loops, views
	d.slept = make(chan struct{}, 1)
}

// begin begins the shutdown of all loops.
func (d *drain) begin() { d.once.Do(d.start) }

func (d *drain) start() {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for i, l := range d.loops {
		_ = l.SubmitInternal(func() { d.views[i].Hold(1) }) // refused by a loop that ends for a reason of its own
	}
	for _, l := range d.loops {
		_ = l.Shutdown(ended) // only begins it
	}
	for _, l := range d.loops {
		// It wakes the loop, so that there is an event even if it sleeps.
		inside.Of(l).(inside.Diagnosis).Observe(inside.ObservePhases, func(e inside.Event) {
			if e.Type == inside.LoopSleeps {
				d.look()
			}
		})
	}
	go d.finish()
}

func (d *drain) look() {
	select {
	case d.slept <- struct{}{}:
	default: // it will be looked anyway
	}
}

func (d *drain) finish() {
	for _, l := range d.loops {
		context.AfterFunc(inside.Of(l).Context(), d.look)
	}
	for !d.drained() {
		<-d.slept
	}
	for i, l := range d.loops {
		_ = l.SubmitInternal(func() { d.views[i].Hold(-1) }) // refused if it has ended
	}
}

// drained reports whether no loop has anything left to do, for itself or another.
func (d *drain) drained() bool {
	before := d.sent.Load()
	for range 2 {
		if !d.asleep() {
			return false
		}
	}
	return d.sent.Load() == before
}

func (d *drain) asleep() bool {
	for i, l := range d.loops {
		select {
		case <-l.Done():
			continue
		default:
		}
		if !d.views[i].Drained(1) { // its own hold; with another it waits for work that was due before the shutdown
			return false
		}
	}
	return true
}
