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
// A loop that drains would end as soon as it is empty, though another may still have something for it. So each is held open
// by adapter.Hooks.Hold, from a task that it has accepted before its shutdown begins. A loop that is held and has nothing to
// do sleeps. When all do, they are let go.
//
// That all sleep cannot be seen at one moment. One look at each after the other may find the first asleep, which then gets
// a task from the second, which is asleep when its turn comes. But whoever sends a task between loops is a callback that
// has counted it in sent before, and its loop does not sleep before the task has arrived. So if sent stays as it was during
// two looks at all loops, and all are asleep in both, then everything that was sent had arrived by the end of the first
// look and had run by the second, and nothing was sent since.
type drain struct {
	loops []*eventloop.Loop
	views []inside.Loop
	sent  atomic.Uint64
	once  sync.Once
	slept chan struct{} // capacity 1: a loop has gone to sleep since it was last looked
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
		l.Observe(eventloop.ObservePhases, func(e eventloop.Event) {
			if e.Type == eventloop.LoopSleeps {
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
		context.AfterFunc(l.Context(), d.look)
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
		if !d.views[i].Asleep() {
			return false
		}
	}
	return true
}
