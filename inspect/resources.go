package inspect

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// A ResourceKind is a kind of [Resource].
type ResourceKind string

// The kinds of resources.
const (
	ResourceTimer      ResourceKind = inside.ResourceTimer      // armed and referenced
	ResourceKeepAlive  ResourceKind = inside.ResourceKeepAlive  // a token, also the token of a Source or of promise.Promisify
	ResourceDescriptor ResourceKind = inside.ResourceDescriptor // registered and referenced
	ResourceQueue      ResourceKind = inside.ResourceQueue      // callbacks and jobs that wait to run
	ResourceBlocking   ResourceKind = inside.ResourceBlocking   // functions of promise.Promisify that run or wait to
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

// ActiveResources lists the resources that keep the loop alive, the oldest first: Node's
// process.getActiveResourcesInfo, in more detail. Ages and places of keep-alive tokens are known with
// [WithTraceCreation]; without it they are one resource with a count.
//
// It runs inside the loop, elsewhere as a task of the priority lane for which it waits. The more timers the loop has,
// the longer it takes, and the loop accepts nothing else meanwhile.
//
// Errors: if ctx ends first, one that matches its error and its cause; [eventloop.ErrLoopTerminated], [eventloop.ErrInvalid].
func ActiveResources(ctx context.Context, loop *eventloop.Loop) ([]Resource, error) {
	view, d := inside.Of(loop), diagnosis(loop)
	ctx, release, err := view.MayWait(ctx)
	if err != nil { // on the loop
		return resources(d), nil
	}
	if release != nil {
		defer release()
	}
	var all []Resource
	done := make(chan struct{})
	if err := loop.SubmitInternal(func() { all = resources(d); sched.Close(done) }); err != nil {
		return nil, err
	}
	switch sched.WaitAny(done, ctx.Done(), loop.Done()) {
	case 0:
		return all, nil
	case 1:
		return nil, view.WaitError(ctx)
	}
	select {
	case <-done: // it ran before the loop ended
		return all, nil
	default:
		return nil, eventloop.ErrLoopTerminated
	}
}

// resources is ActiveResources on the loop.
func resources(d inside.Diagnosis) (all []Resource) {
	for _, r := range d.Resources() {
		all = append(all, Resource{Kind: ResourceKind(r.Kind), Count: r.Count, Age: r.Age, Due: r.Due, FD: r.FD, Made: place(r.Made)})
	}
	slices.SortStableFunc(all, func(a, b Resource) int { return cmp.Compare(b.Age, a.Age) })
	return all
}

// BlockingCalls returns how many functions of promise.Promisify run for the loop, and how many wait for one to return. Any
// goroutine may call it.
func BlockingCalls(loop *eventloop.Loop) (running, queued int) {
	return inside.Of(loop).Blocking().Depth()
}
