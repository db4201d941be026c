// Package loopgroup spreads work over several event loops, one for each processor.
//
//	group := loopgroup.New[string](0)
//	go group.Run(ctx)
//	err := group.Submit(userID, func() { … }) // in order with everything else of that user
//
// Each loop is the single owner of its keys. Callbacks of one key run one at a time, in order, on one loop, and need
// no lock among themselves. Callbacks of different keys may run at the same time.
//
// A group pays for callbacks that compute; docs/results/linux-amd64/loopgroup.txt has the gain. It lives in one
// process and loses its accepted work if that dies. Some messages must outlive the process, be shared by several
// machines, or wait for longer than memory lasts. Use an existing engine for those, such as NATS JetStream or Kafka,
// and feed a group from it. Module natsloop does that, and docs/machines.md says when to.
package loopgroup

import (
	"context"
	"errors"
	"hash/maphash"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
)

// A Group is several loops. Make one with [New]. All methods may be called from any goroutine, callbacks included.
type Group[K comparable] struct {
	loops []*eventloop.Loop
	views []inside.Loop
	seed  maphash.Seed
	next  atomic.Uint64 // see SubmitAny

	run  sync.Once
	done chan struct{}

	drain drain
}

// New makes a group of n loops, or, if n is below one, of as many as there are processors to use ([runtime.GOMAXPROCS]).
// Each loop is made with opts. [eventloop.WithAutoExit] is not for groups: a loop that ends by itself ends the group.
//
// Work can be submitted at once, and waits until a goroutine calls [Group.Run].
func New[K comparable](n int, opts ...eventloop.Option) *Group[K] {
	if n < 1 {
		n = runtime.GOMAXPROCS(0)
	}
	g := &Group[K]{seed: maphash.MakeSeed(), done: make(chan struct{})}
	for range n {
		l := eventloop.New(opts...)
		g.loops = append(g.loops, l)
		g.views = append(g.views, inside.Of(l))
	}
	g.drain.init(g.loops, g.views)
	return g
}

// Run runs each loop on a goroutine of its own until all have ended, and returns nil after [Group.Shutdown]. A group runs
// once: the second call returns [eventloop.ErrLoopRunning], or [eventloop.ErrLoopTerminated] when the group has ended.
//
// When ctx ends the group shuts down, and the error matches ctx's error and its cause. A loop may also end for a
// reason of its own, such as adapter.Hooks.Fail or [eventloop.Loop.Close]. The group then shuts down, and the error
// is that loop's, joined with the errors of the others.
func (g *Group[K]) Run(ctx context.Context) error {
	first := false
	g.run.Do(func() { first = true })
	if !first {
		select {
		case <-g.done:
			return eventloop.ErrLoopTerminated
		default:
			return eventloop.ErrLoopRunning
		}
	}
	errs := make([]error, len(g.loops)+1)
	var ended atomic.Bool
	stop := context.AfterFunc(ctx, func() { ended.Store(true); g.drain.begin() })
	var running sync.WaitGroup
	for i, l := range g.loops {
		running.Add(1)
		go func() {
			// If a callback has called Goexit this goroutine ends instead of returning from Run.
			defer running.Done()
			defer g.drain.begin()
			errs[i] = l.Run(context.WithoutCancel(ctx))
		}()
	}
	running.Wait()
	if stop(); ended.Load() {
		errs[len(g.loops)] = inside.ContextError(ctx)
	}
	close(g.done)
	return errors.Join(errs...)
}

// Done returns a channel that is closed when all loops have ended and Run is about to return, or by Close before Run.
func (g *Group[K]) Done() <-chan struct{} { return g.done }

// Loops returns the loops. The slice must not be changed.
func (g *Group[K]) Loops() []*eventloop.Loop { return g.loops }

// Loop returns the loop that a key belongs to. It is the same as long as the group lives, and may be another in the next
// run of the program. Timers and promises of a key belong on it.
func (g *Group[K]) Loop(key K) *eventloop.Loop { return g.loops[g.index(key)] }

func (g *Group[K]) index(key K) int {
	if len(g.loops) == 1 {
		return 0
	}
	return int(maphash.Comparable(g.seed, key) % uint64(len(g.loops)))
}

// Submit queues fn on the loop that key belongs to: [eventloop.Loop.Submit], whose guarantees and errors it has. The
// callbacks of one key run in the order in which they were submitted.
func (g *Group[K]) Submit(key K, fn func()) error { return g.Loop(key).Submit(fn) }

// SubmitAny queues fn on a loop with little to do. It looks at two loops, in rotation, and chooses the one that
// sleeps or has the shorter queue. It guarantees no order.
func (g *Group[K]) SubmitAny(fn func()) error {
	n := uint64(len(g.loops))
	i := g.next.Add(1)
	a, b := i%n, (i+1)%n
	if g.views[b].Load() < g.views[a].Load() {
		a = b
	}
	return g.loops[a].Submit(fn)
}

// SubmitInternal queues fn with priority on the loop that key belongs to: [eventloop.Loop.SubmitInternal]. A draining
// group still accepts it, on any loop, so that callbacks can exchange results.
func (g *Group[K]) SubmitInternal(key K, fn func()) error {
	g.drain.sent.Add(1)
	return g.Loop(key).SubmitInternal(fn)
}

// Shutdown ends the group gracefully, and waits until it has ended. Every loop refuses new work. Everything that any
// loop has accepted runs, and so does its follow-up work through SubmitInternal of the group, on any loop. No loop
// ends before all have drained. Before Run it waits for Run.
//
// Errors: if ctx ends first, one that matches its error and its cause. The shutdown goes on; [Group.Close] cuts it short.
// [eventloop.ErrOnLoop] inside a callback of the group; the shutdown has begun.
func (g *Group[K]) Shutdown(ctx context.Context) error {
	g.drain.begin()
	for _, l := range g.loops {
		waiting, release, err := inside.Of(l).MayWait(ctx)
		if err != nil {
			return err
		}
		if ctx = waiting; release != nil {
			defer release()
		}
	}
	select {
	case <-g.done:
		return nil
	case <-ctx.Done():
		return inside.ContextError(ctx)
	}
}

// Close ends all loops at once: the callbacks in progress are the last. [Group.Dropped] counts the dropped work.
func (g *Group[K]) Close() {
	for _, l := range g.loops {
		_ = l.Close() // it fails on a loop that has ended
	}
	g.run.Do(func() { close(g.done) }) // Run was never called, and the loops have ended
}

// Dropped counts the callbacks that the loops had accepted and did not run. It is complete when the group has ended.
func (g *Group[K]) Dropped() eventloop.Dropped {
	var sum eventloop.Dropped
	for _, l := range g.loops {
		d := l.Dropped()
		sum.External += d.External
		sum.Internal += d.Internal
		sum.Immediates += d.Immediates
		sum.Closing += d.Closing
		sum.Ticks += d.Ticks
		sum.Microtasks += d.Microtasks
		sum.Timers += d.Timers
	}
	return sum
}
