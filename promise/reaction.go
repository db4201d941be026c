package promise

import (
	"runtime/debug"

	"github.com/eventloop-go/eventloop"
)

// A reaction is what happens when a promise settles. For Then and its like it is one object with the promise that
// Then returns.
type reaction interface {
	// react runs on the loop, as a microtask, when the promise it was attached to is settled.
	react()
	// fail is called if react panics, or calls runtime.Goexit, before it has settled its own promise.
	fail(err error)
	// home is the loop that react runs on. Nil if that is not known any more.
	home() *eventloop.Loop
	// room and abandoned are for reactions that can be given up: see detach.go.
	room() *room
	abandoned() bool
}

// A node is a reaction's place in the list of a promise. It is also the [eventloop.Job] that runs a list.
type node struct {
	next *node
	job  reaction // the object that holds this node; never changes
}

// What most reactions have in common: they call nobody else's code that might panic, and are not given up.
func (*node) fail(error)      {}
func (*node) room() *room     { return nil }
func (*node) abandoned() bool { return false }

// A marker is a node that stands in the place of a reaction but is none, and never runs. What it is shows in the type
// of its job.
type marker struct{ node }

func (*marker) react()                {}
func (*marker) home() *eventloop.Loop { return nil }

// Run runs the reactions of a list, newest first as it was taken from the word, in the order in which they were
// attached.
//
// ECMA-262 queues one microtask for each reaction. Here a promise that settles queues one for all, which nothing can
// tell from the other: the microtasks would stand in the queue one behind the other, what they queue themselves comes
// behind the last, and nextTick callbacks wait until the microtask queue is empty. A panic is recovered before the
// next reaction runs. After Goexit the rest run inside the deferred call, before the core goes on, and a loop that is
// being closed is looked for between any two.
func (n *node) Run() {
	if n.next != nil {
		n = n.turned()
	}
	for n != nil {
		n = n.runAll()
	}
}

// turned turns a list round, and leaves out its bottom.
func (n *node) turned() *node {
	var first *node
	for n != nil && n != &touched {
		next := n.next
		n.next = first
		first, n = n, next
	}
	if _, isTrace := first.job.(*trace); isTrace {
		first = first.next
	}
	return first
}

// runAll runs the list from n on, oldest first. After a panic it returns what is left to run.
func (n *node) runAll() (rest *node) {
	cur, finished := n, false
	defer func() {
		if finished {
			return
		}
		if v := recover(); v != nil {
			cur.job.fail(&eventloop.PanicError{Value: v, Stack: debug.Stack()})
			return
		}
		// Goexit: this goroutine is about to end, which nothing can prevent. It must not be before the rest has run,
		// for a job queued again now would come too late.
		cur.job.fail(&eventloop.PanicError{Value: eventloop.ErrGoexit, Stack: debug.Stack()})
		for rest != nil {
			rest = rest.runAll()
		}
	}()
	for {
		rest = cur.next
		if rest == nil {
			cur.job.react()
			break
		}
		cur.next = nil
		loop := cur.job.home()
		cur.job.react()
		if loop != nil && loop.Owner().Closing() {
			// Queued again only to be counted among what the loop drops. One by one, for they are in order already.
			for n := rest; n != nil; n = rest {
				rest, n.next = n.next, nil
				loop.Owner().Enqueue(n)
			}
			break
		}
		cur = rest
	}
	finished = true
	return nil
}
