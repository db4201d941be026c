// Package coroutine runs functions that may be suspended and resumed, on behalf of one owner goroutine: an event loop's.
//
// Each has a goroutine, which runs only while the owner waits for it. Resuming switches to that goroutine and back,
// by the switch behind [iter.Pull], without the scheduler. So coroutines never run in parallel with each other or
// with the owner, and state they share needs no lock. All functions except [Group.Inside] are for the owner, which
// includes the coroutine that it is switched to. For a run of package explore a coroutine is its owner: it operates
// in the name of the goroutine that waits for it.
package coroutine

import (
	"iter"

	"github.com/eventloop-go/eventloop/internal/onstack"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// A Group is the coroutines of one owner. The zero Group is closed.
type Group struct {
	mark        sched.Uint64 // an onstack.Mark: 0 until the first coroutine is started; see Inside
	current     *Coroutine   // the innermost that runs
	first, last *Coroutine   // those that have not ended, in the order of their start
	rested      *worker      // goroutines of coroutines that have ended, for the next ones
	resting     int          // how many
	home        home         // see thread.go
	open        bool
}

// mostResting is how many goroutines a group keeps for the next coroutines. To start one on a goroutine that is there
// costs two switches, a new one several allocations besides.
const mostResting = 64

// Open lets the group start coroutines.
func (g *Group) Open() { g.open = true }

// IsOpen reports whether the group starts coroutines, and whether they may suspend.
func (g *Group) IsOpen() bool { return g.open }

// End closes the group, and unwinds the coroutines that are suspended, one after the other. None may be running.
func (g *Group) End() {
	g.open = false
	switch {
	case g.home.fits():
		g.unwind()
	case g.home.state == free: // the caller is locked to its thread: somebody else does it
		done := make(chan struct{})
		sched.Go(func() {
			defer sched.Close(done)
			g.unwind()
		})
		sched.Receive(done)
	default: // nobody here can switch to them: they are left as they are
		g.first, g.last, g.rested, g.resting = nil, nil, nil, 0
	}
}

func (g *Group) unwind() {
	for g.first != nil {
		g.first.body.Unwind()
	}
	dismiss(g.rested)
	g.rested, g.resting = nil, 0
}

// dismiss ends workers that have nothing to run.
func dismiss(w *worker) {
	for ; w != nil; w = w.next {
		w.step()
	}
}

// A Body is what a coroutine runs.
type Body interface {
	// Main is the function. It may call Goexit, but must not panic.
	Main()
	// Unwind is called when the group has been closed and the coroutine is suspended. It must resume it, and Main must
	// return, or call Goexit, without suspending again.
	Unwind()
}

// A Coroutine is to be started once.
type Coroutine struct {
	group  *Group
	body   Body
	on     *worker
	outer  *Coroutine // the one that has switched to this one
	before *Coroutine // in the list of the group
	after  *Coroutine //
}

// A worker is a goroutine that runs one coroutine after the other.
type worker struct {
	group  *Group
	body   Body                    // the running body; nil after its end or without one
	step   func() (struct{}, bool) // switches from the owner to the goroutine
	yield  func(struct{}) bool     // switches back
	next   *worker                 // in the list of the group
	doomed bool                    // Main has called Goexit
}

// Start runs body until it first suspends or ends. The group is open.
func (c *Coroutine) Start(g *Group, body Body) {
	if !g.home.known {
		g.settle()
	}
	g.home.unlock() // before a worker is made, too
	c.group, c.body = g, body
	if c.before = g.last; c.before != nil {
		c.before.after = c
	} else {
		g.first = c
	}
	g.last = c
	w := g.rested
	if w == nil {
		w = g.employ()
	} else {
		g.rested, w.next = w.next, nil
		g.resting--
	}
	w.body, c.on = body, w
	c.Resume()
}

// employ returns a new worker.
func (g *Group) employ() *worker {
	if g.mark.Load() == 0 {
		g.mark.Store(uint64(onstack.New()))
	}
	w := &worker{group: g}
	w.step, _ = iter.Pull(w.main)
	return w
}

// main is the worker's goroutine.
//
// A goroutine that has called Goexit must end, and iter.Pull then also ends the goroutine that has switched to it.
// That must not be the owner. So main switches to the owner as if the coroutine were suspended, and end has a helper
// switch to it once more.
func (w *worker) main(yield func(struct{}) bool) {
	w.yield = yield
	returned := false
	defer func() {
		if !returned {
			w.body, w.doomed = nil, true
			w.group.home.unlock()
			yield(struct{}{})
		}
	}()
	onstack.Mark(w.group.mark.Load()).Call(w.work)
	returned = true
}

// work runs coroutines as long as there are any for it.
func (w *worker) work() {
	for w.body != nil {
		w.body.Main()
		w.body = nil
		w.group.home.unlock()
		w.yield(struct{}{})
	}
}

// Resume runs c until it suspends again or ends.
func (c *Coroutine) Resume() {
	g, w := c.group, c.on
	c.outer, g.current = g.current, c
	g.home.unlock()
	w.step()
	g.current, c.outer = c.outer, nil
	if w.body == nil {
		c.end()
	}
}

func (c *Coroutine) end() {
	g, w := c.group, c.on
	if c.before != nil {
		c.before.after = c.after
	} else {
		g.first = c.after
	}
	if c.after != nil {
		c.after.before = c.before
	} else {
		g.last = c.before
	}
	*c = Coroutine{}
	switch {
	case !w.doomed && g.open && g.resting < mostResting:
		w.next, g.rested = g.rested, w
		g.resting++
	case !w.doomed:
		w.step() // it finds nothing to run, and ends
	case g.home.state == free: // a coroutine of a locked goroutine that has called Goexit is left as it is
		sched.Go(func() { w.step() })
	}
}

// Running reports whether the caller is c, running. A generator that c pulls passes for c: it runs while c waits for it, so the
// owner may switch to it instead. Running trusts the caller to be on the loop, unless the race detector is on: then it finds out,
// except for generators.
func (c *Coroutine) Running() bool {
	if c.group == nil || c.group.current != c {
		return false
	}
	if !exact {
		return true
	}
	found, generator := onstack.Find(c.group.Mark(), 0)
	return found || generator
}

// Suspend switches to the owner, and returns when c is resumed. The caller is c.
func (c *Coroutine) Suspend() {
	c.group.home.unlock()
	c.on.yield(struct{}{})
}
