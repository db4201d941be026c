package promise

import (
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// A core is what promises of all types have in common: a loop, and the word that holds both the state and the
// reactions.
//
// The word is a pointer, and its states are
//
//	nil               pending, nobody has attached
//	&touched          pending; somebody has attached and gone
//	a trace           pending, nobody has attached; it keeps where the promise was made
//	a raceNode        pending, with one reaction, to a race, which other promises share: see race.go
//	another node      pending, with reactions: the newest first, linked by next
//	&fulfilled        fulfilled; the value is beside the core
//	a rejection       rejected; it keeps the reason
//
// Who writes. Any goroutine may push a node onto the list by compare-and-swap, as long as the promise is pending.
// One goroutine settles it: who that is has been decided before, by the claim of a resolver or because a promise made
// by Then has but one reaction to settle it. It writes the value, then replaces the word, and takes the list in the
// same step: so each reaction is either in the list taken, or attached by somebody who saw the promise settled and
// queues it himself. None is lost, none runs twice.
//
// Order. Settling takes the list and queues it as one step, under the loop's lock or on its goroutine (EnqueueFrom).
// Otherwise a reaction attached in between, by somebody who sees the promise settled, would be queued ahead of those
// in the list.
//
// Links. A node's next is written before the node is published, and then by the loop's goroutine alone: when it turns
// a list round to run it, and when it cuts abandoned nodes out. Others read a node's job, which never changes. So
// pushing needs no more than the one compare-and-swap, and a node that has been in a list is never pushed again, so
// there is no ABA.
//
// Happens before. The value is written before the word is replaced, and read after the word has shown &fulfilled, or
// by a reaction that was queued after the replacement.
type core struct {
	loop *eventloop.Loop
	word sched.Pointer[node]
}

var (
	touched   node
	fulfilled node
)

// start makes c a pending promise of loop.
func (c *core) start(loop *eventloop.Loop) {
	c.loop = loop
	if tracing.Load() {
		c.startTrace()
	}
}

func (c *core) startTrace() { c.word.Store(&newTrace().node) }

func (c *core) home() *eventloop.Loop { return c.loop }

// bottom reports whether n ends a list of reactions without being one.
func bottom(n *node) bool {
	if n == nil || n == &touched {
		return true
	}
	_, isTrace := n.job.(*trace)
	return isTrace
}

// settled reports whether n, read from a word, says that the promise is settled.
func settled(n *node) bool {
	return n == &fulfilled || n != nil && n.rejection() != nil
}

// shared reports whether n is a reaction that stands in the words of many promises.
func shared(n *node) bool {
	if n == nil {
		return false
	}
	_, ok := n.job.(*raceNode)
	return ok
}

// rejection returns the rejection that n is, if it is one.
func (n *node) rejection() *rejection {
	r, _ := n.job.(*rejection)
	return r
}

// attach adds a reaction. Any goroutine may call it.
func (p *Promise[T]) attach(n *node) {
	if head := p.push(n); head != nil {
		p.heed(head)
		_ = p.loop.EnqueueJob(n) // refused when the loop has ended: then no reaction runs
	}
}

// attachHome is attach for the loop's own goroutine.
func (p *Promise[T]) attachHome(n *node) {
	if head := p.push(n); head != nil {
		p.heed(head)
		p.loop.Owner().Enqueue(n)
	}
}

// heed notes in a settled word that somebody has attached.
func (c *core) heed(head *node) {
	if r := head.rejection(); r != nil {
		r.handle()
	}
}

// push puts n on top of the list, or returns the settled word.
func (p *Promise[T]) push(n *node) *node {
	head := p.word.Load()
	for {
		switch {
		case head == nil:
		case settled(head):
			n.next = nil
			return head
		case shared(head):
			head = p.unshare(head)
			continue
		}
		n.next = head
		if p.word.CompareAndSwap(head, n) {
			return nil
		}
		head = p.word.Load()
	}
}

// settle replaces the word by a settled one and queues the reactions, from any goroutine. It returns the list.
func (p *Promise[T]) settle(final *node) (list *node) {
	head := p.word.Load()
	for shared(head) {
		head = p.unshare(head)
	}
	if bottom(head) && p.word.CompareAndSwap(head, final) {
		return head
	}
	err := p.loop.EnqueueFrom(func() eventloop.Job {
		list = p.word.Swap(final)
		return p.jobFor(&list)
	})
	if err != nil {
		// The loop has ended: the promise is settled all the same, and its reactions never run.
		list = p.word.Swap(final)
	}
	return list
}

// settleHome is settle for the loop's own goroutine.
func (p *Promise[T]) settleHome(final *node) (list *node) {
	head := p.word.Load()
	for shared(head) {
		head = p.unshare(head)
	}
	if bottom(head) && p.word.CompareAndSwap(head, final) {
		return head
	}
	p.loop.Owner().EnqueueFrom(func() eventloop.Job {
		list = p.word.Swap(final)
		return p.jobFor(&list)
	})
	return list
}

// jobFor gives the job that runs a list, or nil if there is nothing in it.
func (p *Promise[T]) jobFor(list **node) eventloop.Job {
	switch n := *list; {
	case bottom(n):
		return nil
	case shared(n): // a race has come between the last look and the settling
		*list = newContender(n.job.(*raceNode).race.(*heat[T]), p)
	}
	return *list
}
