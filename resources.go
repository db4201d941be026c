package eventloop

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/eventloop-go/eventloop/internal/sched"
	"github.com/eventloop-go/eventloop/internal/timers"
)

// A ResourceKind is a kind of [Resource].
type ResourceKind string

// The kinds of resources.
const (
	ResourceTimer      ResourceKind = "timer"      // armed and referenced
	ResourceKeepAlive  ResourceKind = "keep-alive" // a token, also that of a Source or of promise.Promisify
	ResourceDescriptor ResourceKind = "descriptor" // registered and referenced
	ResourceQueue      ResourceKind = "queue"      // callbacks that wait to run
	ResourceBlocking   ResourceKind = "blocking"   // functions of promise.Promisify that run or wait to
)

// A Resource is something that keeps a loop alive: it could cause a callback to run.
type Resource struct {
	Kind  ResourceKind
	Count int           // how many these are; 1 for a timer and a descriptor
	Age   time.Duration // since it was made, or the timer armed or last fired; 0 if that is not known
	Due   time.Duration // of a timer, until it is due; negative if it is late
	FD    int           // of a descriptor
	Made  string        // where it was made, see Event.Submitted; "" if that is not known
}

// ActiveResources tells what keeps the loop alive, the oldest first: Node's process.getActiveResourcesInfo, in more detail.
// Ages and places of keep-alive tokens are known with [WithTraceCreation]; without it they are one resource with a count.
//
// It looks from inside the loop, as a task of the priority lane if it is called elsewhere, and waits for that. The more
// timers the loop has, the longer it takes, and nothing else is accepted meanwhile.
//
// Errors: if ctx ends first, one that matches its error and its cause; [ErrLoopTerminated], [ErrZeroLoop].
func (l *Loop) ActiveResources(ctx context.Context) ([]Resource, error) {
	if l.OnLoop() {
		return l.resources(), nil
	}
	var all []Resource
	done := make(chan struct{})
	if err := l.SubmitInternal(func() { all = l.resources(); sched.Close(done) }); err != nil {
		return nil, err
	}
	switch sched.WaitAny(done, ctx.Done(), l.done) {
	case 0:
		return all, nil
	case 1:
		return nil, l.waitError(ctx)
	}
	select {
	case <-done: // it ran before the loop ended
		return all, nil
	default:
		return nil, ErrLoopTerminated
	}
}

// resources is ActiveResources on the loop.
func (l *Loop) resources() (all []Resource) {
	now := l.now()
	var armed []timers.Armed
	l.in.mu.lock()
	waiting := l.external.Len() + l.internal.Len() + l.immediates.Len() + l.closing.Len() + l.ticks.Len() + l.core.Micros.Len() +
		l.in.external.Len() + l.in.internal.Len() + l.in.immediates.Len() + len(l.in.ticks) + len(l.in.micros)
	live := int(l.live.Load())
	l.timers.Each(func(t timers.Armed) { armed = append(armed, t) })
	l.in.mu.unlock()

	for _, t := range armed {
		if !t.Ref {
			continue
		}
		if l.autoExit {
			live-- // timers count there
		}
		r := Resource{Kind: ResourceTimer, Count: 1, Age: time.Duration(now - (t.When - t.Delay)), Due: time.Duration(t.When - now)}
		if t.When == never {
			r.Age = 0
		}
		if l.creations != nil {
			r.Made = l.creations.place(t.Site).String()
		}
		all = append(all, r)
	}
	l.poller.Each(func(fd int, ref bool) {
		if ref {
			live--
			all = append(all, Resource{Kind: ResourceDescriptor, Count: 1, FD: fd})
		}
	})
	if c := l.creations; c != nil {
		all = c.keepAlives(all, now)
	} else if live > 0 {
		all = append(all, Resource{Kind: ResourceKeepAlive, Count: live})
	}
	if waiting > 0 {
		all = append(all, Resource{Kind: ResourceQueue, Count: waiting})
	}
	if running, queued := l.blocking.Depth(); running+queued > 0 {
		all = append(all, Resource{Kind: ResourceBlocking, Count: running + queued})
	}
	slices.SortStableFunc(all, func(a, b Resource) int { return cmp.Compare(b.Age, a.Age) })
	return all
}

func (c *creations) keepAlives(all []Resource, now int64) []Resource {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.tokens {
		all = append(all, Resource{Kind: ResourceKeepAlive, Count: 1, Age: time.Duration(now - t.at), Made: t.site.String()})
	}
	return all
}
